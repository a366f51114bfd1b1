import type { ReplayPlayback } from '@firsthand/contract'
import { useState } from 'react'

import { Button, IconButton, lazyPart, useShortcut } from '../../../ui/index.ts'
import { FlaskIcon } from '../components/glyphs.tsx'
import styles from '../components/ButtonByWidth.module.css'

const TestDialog = lazyPart(() => import('./TestDialog.tsx').then((module) => module.TestDialog))

/** Offers a test of what was recorded; nothing of it is loaded before somebody asks. */
export function MakeTest({ playback }: { readonly playback: ReplayPlayback }) {
  const [open, setOpen] = useState(false)
  const [asked, setAsked] = useState(false)
  const show = (): void => {
    setAsked(true)
    setOpen(true)
  }
  useShortcut('t', show, { label: 'Make a test', group: 'Replay' })
  if (!playback.hasPicture) return null
  return (
    <>
      <span className={styles.wide}>
        <Button icon={FlaskIcon} kbd="t" onClick={show}>
          Make a test
        </Button>
      </span>
      <span className={styles.narrow}>
        <IconButton icon={FlaskIcon} label="Make a test" onClick={show} />
      </span>
      {asked ? <TestDialog playback={playback} open={open} onOpenChange={setOpen} /> : null}
    </>
  )
}
