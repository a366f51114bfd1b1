import { useState } from 'react'
import { lazyPart } from './lazy-part.tsx'
import { useShortcut } from './shortcuts.ts'

const ShortcutDialog = lazyPart(() => import('./ShortcutDialog.tsx').then((module) => module.ShortcutDialog))

/** `?` shows every shortcut that works on this screen, by group. Once, in the frame; loaded when first asked for. */
export function ShortcutHelp() {
  const [open, setOpen] = useState(false)
  const [loaded, setLoaded] = useState(false)
  useShortcut(
    '?',
    () => {
      setLoaded(true)
      setOpen(true)
    },
    { label: 'Show keyboard shortcuts', group: 'Everywhere' },
  )
  return loaded ? <ShortcutDialog open={open} onOpenChange={setOpen} /> : null
}
