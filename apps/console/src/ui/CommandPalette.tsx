import { useState, useSyncExternalStore } from 'react'
import { lazyPart } from './lazy-part.tsx'
import { useShortcut } from './shortcuts.ts'

const CommandList = lazyPart(() => import('./CommandList.tsx').then((module) => module.CommandList))

let open = false
/** How often it was opened: each time it begins empty, also when it is opened again while it still leaves. */
let openings = 0
const listeners = new Set<() => void>()

/** Opens or closes the palette from anywhere, e.g. from a button. */
export function setCommandPalette(next: boolean): void {
  if (next && !open) openings += 1
  open = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** ⌘K: find and do anything by name. Once, in the frame; its list is loaded when it is first opened. */
export function CommandPalette() {
  const shown = useSyncExternalStore(subscribe, () => open)
  // Once shown it stays, to leave with its motion.
  const [loaded, setLoaded] = useState(false)
  if (shown && !loaded) setLoaded(true)
  useShortcut('mod+k', () => setCommandPalette(!open), {
    label: 'Find anything',
    group: 'Everywhere',
    inInputs: true,
  })
  return loaded ? <CommandList open={shown} opening={openings} onOpenChange={setCommandPalette} /> : null
}
