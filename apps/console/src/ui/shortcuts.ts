import { useEffect, useRef, useSyncExternalStore } from 'react'

/** One keyboard shortcut that works now. */
export interface Shortcut {
  /** `j`, `?`, `Escape`, `mod+k` (⌘ on Apple, Ctrl elsewhere), `shift+x`, or a sequence `g i`. */
  readonly keys: string
  /** What it does, in the help dialog. */
  readonly label: string
  /** Heading in the help dialog. */
  readonly group: string
}

interface Entry extends Shortcut {
  readonly run: (event: KeyboardEvent) => void
  readonly inInputs: boolean
  /** Selector of what uses the key itself while it has the focus. */
  readonly unlessOn: string | undefined
}

/** Time between two keys of a sequence such as `g i`. */
const SEQUENCE_TIMEOUT_MS = 1200
const SINGLE_KEYS_SETTING = 'firsthand:single-key-shortcuts'

const entries: Entry[] = []
const listeners = new Set<() => void>()
let snapshot: readonly Shortcut[] = []
let waitingFor: { prefix: string; at: number } | undefined

const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The face of one key: `mod+k` → `⌘K` or `Ctrl K`. */
export function keyLabel(key: string): string {
  if (key === '+') return key
  return key
    .split('+')
    .map((part) => {
      if (part === 'mod') return isApple ? '⌘' : 'Ctrl '
      if (part === 'shift') return '⇧'
      if (part === 'Enter') return '↵'
      if (part === ' ') return 'Space'
      if (part === 'Escape') return 'Esc'
      if (part === 'ArrowUp') return '↑'
      if (part === 'ArrowDown') return '↓'
      if (part === 'ArrowLeft') return '←'
      if (part === 'ArrowRight') return '→'
      return key.includes('+') ? part.toUpperCase() : part
    })
    .join('')
}

/** What stands on the caps of a shortcut, one after the other. */
export const keyCaps = (keys: string): readonly string[] =>
  (keys === ' ' ? [keys] : keys.split(' ')).map((key) => keyLabel(key))

/** The name of a pressed key in the notation of `Shortcut.keys`. */
export function keyOf(event: Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const letter = /^[a-z]$/.test(key)
  // Shift is part of a character such as `?`; it is named only with letters and named keys.
  const shift = event.shiftKey && (letter || event.key.length > 1) ? 'shift+' : ''
  return `${event.metaKey || event.ctrlKey ? 'mod+' : ''}${event.altKey ? 'alt+' : ''}${shift}${key}`
}

function changed(): void {
  snapshot = entries.map(({ keys, label, group }) => ({ keys, label, group }))
  for (const listener of listeners) listener()
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select, [role=combobox]'))
  )
}

/** What is leaving with its motion keeps the focus for a moment: a key that is pressed then is meant for the page. */
function isLeaving(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-closed], [data-ending-style]') !== null
}

/** A toast calls itself a dialog too, but one goes on working beside it: the focus stays there after "Undo". */
function inPopup(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  const popup = target.closest('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')
  return popup !== null && popup.closest('[data-toasts]') === null
}

/** A dialog that has just opened may not have the focus yet: a key that is pressed in that moment is meant for it. */
function isDialogOpen(): boolean {
  const dialogs = document.querySelectorAll('[role=dialog][data-open], [role=alertdialog][data-open]')
  return [...dialogs].some((dialog) => dialog.closest('[data-toasts]') === null)
}

/** Whether keys without ⌘ or Ctrl act (WCAG 2.1.4: the reader can switch them off). */
export function singleKeysAllowed(): boolean {
  try {
    return localStorage.getItem(SINGLE_KEYS_SETTING) !== 'off'
  } catch {
    // Storage can be forbidden; the default then holds.
    return true
  }
}

/** Switches shortcuts without ⌘ or Ctrl on or off, on this device. */
export function allowSingleKeys(allowed: boolean): void {
  try {
    localStorage.setItem(SINGLE_KEYS_SETTING, allowed ? 'on' : 'off')
  } catch {
    // Storage can be forbidden; the default then stays.
  }
  changed()
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const key = keyOf(event)
  if (key === 'Shift' || key === 'shift+Shift') return
  const leaving = isLeaving(event.target)
  const typing = !leaving && isTyping(event.target)
  const popup = (!leaving && inPopup(event.target)) || isDialogOpen()
  const modified = key.startsWith('mod+')
  const now = event.timeStamp
  const sequence =
    waitingFor !== undefined && now - waitingFor.at < SEQUENCE_TIMEOUT_MS ? `${waitingFor.prefix} ${key}` : undefined
  waitingFor = undefined
  // The newest registration wins: a screen may take over a key of the frame.
  for (const wanted of sequence === undefined ? [key] : [sequence, key]) {
    const entry = entries.findLast(
      (candidate) =>
        candidate.keys === wanted &&
        (candidate.inInputs || (!typing && !popup)) &&
        !(candidate.unlessOn && !leaving && (event.target as Element).closest?.(candidate.unlessOn)) &&
        (modified || candidate.inInputs || singleKeysAllowed()),
    )
    if (entry !== undefined) {
      event.preventDefault()
      entry.run(event)
      return
    }
  }
  if (!typing && !popup && entries.some((entry) => entry.keys.startsWith(`${key} `)))
    waitingFor = { prefix: key, at: now }
}

function add(entry: Entry): () => void {
  if (entries.length === 0) addEventListener('keydown', onKeyDown)
  entries.push(entry)
  changed()
  return () => {
    entries.splice(entries.indexOf(entry), 1)
    if (entries.length === 0) removeEventListener('keydown', onKeyDown)
    changed()
  }
}

/**
 * Registers a shortcut while the component is mounted. It appears in the help dialog (`?`) by itself, is silent while
 * the reader types or a dialog or menu is open (unless `inInputs`), and the newest registration of a key wins.
 */
export function useShortcut(
  keys: string,
  run: (event: KeyboardEvent) => void,
  options: {
    readonly label: string
    readonly group?: string
    readonly enabled?: boolean
    readonly inInputs?: boolean
    /** Selector of what uses the key itself while it has the focus. */
    readonly unlessOn?: string | undefined
  },
): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  const { label, group = 'This screen', enabled = true, inInputs = false, unlessOn } = options
  useEffect(() => {
    if (!enabled) return undefined
    return add({ keys, label, group, inInputs, unlessOn, run: (event) => latest.current(event) })
  }, [keys, label, group, enabled, inInputs, unlessOn])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The shortcuts that work now, in order of registration. */
export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, () => snapshot)
}

/** Whether single-key shortcuts are on, live. */
export function useSingleKeysAllowed(): boolean {
  return useSyncExternalStore(subscribe, singleKeysAllowed)
}
