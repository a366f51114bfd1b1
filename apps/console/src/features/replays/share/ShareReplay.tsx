import type { ReplayPlayback } from '@firsthand/contract'
import { useState } from 'react'

import { Button, IconButton, lazyPart } from '../../../ui/index.ts'
import { ShareIcon } from '../components/glyphs.tsx'
import type { Player } from '../player/engine.ts'
import styles from '../components/ButtonByWidth.module.css'

const ShareDialog = lazyPart(() => import('./ShareDialog.tsx').then((module) => module.ShareDialog))

/** Offers a replay to people without an account; nothing of it is loaded before somebody asks. */
export function ShareReplay({ playback, player }: { readonly playback: ReplayPlayback; readonly player: Player }) {
  const [open, setOpen] = useState(false)
  /** Each time it begins anew: at another moment, and without the link that was shown once. */
  const [opening, setOpening] = useState({ count: 0, at: playback.startedAt })
  const show = (): void => {
    setOpening(({ count }) => ({ count: count + 1, at: player.snapshot().at }))
    setOpen(true)
  }
  return (
    <>
      <span className={styles.wide}>
        <Button variant="ghost" onClick={show}>
          Share
        </Button>
      </span>
      <span className={styles.narrow}>
        <IconButton icon={ShareIcon} label="Share" onClick={show} />
      </span>
      {opening.count === 0 ? null : (
        <ShareDialog key={opening.count} playback={playback} at={opening.at} open={open} onOpenChange={setOpen} />
      )}
    </>
  )
}
