import { useMemo, useSyncExternalStore } from 'react'

import { VisibleText } from '../../../ui/index.ts'
import type { Player } from '../player/engine.ts'
import type { ReplayPicture } from '../player/picture.ts'
import { writeHtml } from '../player/write-html.ts'
import { TabHead, type TabPlace } from './TabHead.tsx'
import styles from './Dom.module.css'

/** While it plays the page is written anew this often. */
const EVERY_MS = 1000

/** The recorded page as it is now, as a text. */
export function Dom({
  player,
  picture,
  hasPicture,
  place,
}: {
  readonly player: Player
  readonly picture: ReplayPicture | null
  readonly hasPicture: boolean
  readonly place: TabPlace
}) {
  const read = useMemo(() => reader(player, picture), [player, picture])
  const html = useSyncExternalStore(player.subscribe, read)
  return (
    <>
      {place.isStrip ? <TabHead place={place} /> : null}
      {hasPicture ? (
        <pre className={styles.html} tabIndex={0} aria-label="The page as HTML">
          <VisibleText text={html} />
        </pre>
      ) : (
        <p className={styles.nothing}>There is no picture of this replay, and so no page to be read.</p>
      )}
    </>
  )
}

function reader(player: Player, picture: ReplayPicture | null): () => string {
  let [moment, html] = ['', '']
  return () => {
    const { at, plays, state } = player.snapshot()
    // A seek shows at once; what plays, when it has gone on far enough.
    const now = plays ? `plays ${Math.floor(at / EVERY_MS)}` : `${state} ${at}`
    if (now !== moment) {
      moment = now
      const page = picture?.page() ?? null
      html = page === null ? '' : writeHtml(page)
    }
    return html
  }
}
