import { useEffect, useState } from 'react'

import { VisibleText } from '../../../ui/index.ts'
import type { Player } from '../player/engine.ts'
import type { ReplayPicture } from '../player/picture.ts'
import { usePlayerValue } from '../player/use-player.ts'
import styles from './Dom.module.css'

/** While it plays the page is written anew this often. */
const EVERY_MS = 1000

/** The recorded page as it is now, as a text. */
export function Dom({ player, picture }: { readonly player: Player; readonly picture: ReplayPicture | null }) {
  const [html, setHtml] = useState('')
  // A seek shows at once; what plays, when it has gone on far enough.
  const moment = usePlayerValue(player, ({ at, plays, state }) =>
    plays ? `plays ${Math.floor(at / EVERY_MS)}` : `${state} ${at}`,
  )
  useEffect(() => setHtml(picture?.html() ?? ''), [picture, moment])
  return (
    <pre className={styles.html} tabIndex={0} aria-label="The page as HTML">
      <VisibleText text={html} />
    </pre>
  )
}
