import { useShortcut } from './shortcuts.ts'

export interface ListKeysOptions {
  /** Where the help dialog lists them: "Issues". */
  readonly group: string
  /** What a row is: "issue". */
  readonly thing: string
  /** Id of the row that the keyboard is at. */
  readonly current: string | null
  /** Goes so many rows down. */
  readonly move: (step: number) => void
  readonly open: (id: string) => void
  readonly select: (id: string, withShift: boolean) => void
  readonly selectAll: () => void
}

/** The keys that every list of rows has: move, open, select. */
export function useListKeys({ group, thing, current, move, open, select, selectAll }: ListKeysOptions): void {
  useShortcut('j', () => move(1), { label: `Next ${thing}`, group })
  useShortcut('k', () => move(-1), { label: `Previous ${thing}`, group })
  useShortcut('ArrowDown', () => move(1), { label: `Next ${thing}`, group })
  useShortcut('ArrowUp', () => move(-1), { label: `Previous ${thing}`, group })
  useShortcut('o', () => current !== null && open(current), { label: 'Open', group })
  // Enter belongs to whatever has the focus; it opens the row only when nothing has.
  useShortcut(
    'Enter',
    (event) => {
      const focused = event.target
      if (focused instanceof HTMLElement && focused.matches('a, button, summary')) focused.click()
      else if (current !== null) open(current)
    },
    { label: 'Open', group },
  )
  useShortcut('x', () => current !== null && select(current, false), { label: 'Select', group })
  useShortcut('shift+x', () => current !== null && select(current, true), { label: 'Select up to here', group })
  useShortcut('mod+a', selectAll, { label: 'Select all', group })
}
