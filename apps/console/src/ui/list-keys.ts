import { type RefObject, useRef, useState } from 'react'
import { useShortcut } from './shortcuts.ts'

export interface ListKeysOptions {
  /** Where the help dialog lists them: "Issues". */
  readonly group: string
  /** What a row is: "issue". */
  readonly thing: string
  /** Id of the row that the keyboard is at, asked for when a key is pressed. */
  readonly current: () => string | null
  /** Goes so many rows down. */
  readonly move: (step: number) => void
  readonly open: (id: string) => void
  readonly select: (id: string, withShift: boolean) => void
  readonly selectAll: () => void
}

/** The keys that every list of rows has: move, open, select. */
export function useListKeys({ group, thing, current, move, open, select, selectAll }: ListKeysOptions): void {
  const withCurrent = (act: (id: string) => void): void => {
    const id = current()
    if (id !== null) act(id)
  }
  useShortcut('j', () => move(1), { label: `Next ${thing}`, group })
  useShortcut('k', () => move(-1), { label: `Previous ${thing}`, group })
  useShortcut('ArrowDown', () => move(1), { label: `Next ${thing}`, group })
  useShortcut('ArrowUp', () => move(-1), { label: `Previous ${thing}`, group })
  useShortcut('o', () => withCurrent(open), { label: 'Open', group })
  // Enter belongs to whatever has the focus; it opens the row only when nothing has.
  useShortcut(
    'Enter',
    (event) => {
      const focused = event.target
      if (focused instanceof HTMLElement && focused.matches('a, button, summary')) focused.click()
      else withCurrent(open)
    },
    { label: 'Open', group },
  )
  useShortcut('x', () => withCurrent((id) => select(id, false)), { label: 'Select', group })
  useShortcut('shift+x', () => withCurrent((id) => select(id, true)), { label: 'Select up to here', group })
  useShortcut('mod+a', selectAll, { label: 'Select all', group })
}

interface RowKeysOptions {
  /** Where the help dialog lists them: "Traces". */
  readonly group: string
  /** What a row is: "trace". */
  readonly thing: string
  /** How many rows there are. */
  readonly count: number
  readonly open: (index: number) => void
}

interface RowKeys {
  /** The row that the keys are at; null before the first of them is pressed. */
  readonly current: number | null
  /** For the body of the table. */
  readonly body: RefObject<HTMLTableSectionElement | null>
  readonly rowProps: (index: number) => { readonly selected: boolean; readonly onPointerDown: () => void }
}

/** The keys of a table whose rows lead somewhere and do nothing else: move and open. */
export function useRowKeys({ group, thing, count, open }: RowKeysOptions): RowKeys {
  const [at, setAt] = useState<number | null>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const current = at === null || count === 0 ? null : Math.min(at, count - 1)
  const move = (step: number): void => {
    const next = current === null ? 0 : Math.max(0, Math.min(count - 1, current + step))
    setAt(next)
    // With the focus the row comes into sight, is heard, and Enter is its link's.
    body.current?.rows[next]?.querySelector('a')?.focus()
  }
  const openCurrent = (): void => {
    if (current !== null) open(current)
  }
  useShortcut('j', () => move(1), { label: `Next ${thing}`, group })
  useShortcut('k', () => move(-1), { label: `Previous ${thing}`, group })
  useShortcut('o', openCurrent, { label: `Open the ${thing}`, group })
  useShortcut('Enter', openCurrent, { label: `Open the ${thing}`, group, unlessOn: 'a, button, summary' })
  return {
    current,
    body,
    rowProps: (index) => ({ selected: index === current, onPointerDown: () => setAt(index) }),
  }
}
