import { useListKeys, useShortcut } from '../../../ui/index.ts'
import type { ListWork } from './list-work.ts'

const group = 'Replays'

/** The keys of the list. @param move goes so many rows down */
export function useReplayListKeys(work: ListWork, move: (step: number) => void): void {
  const { clear, current, mayDelete, open, select, selectAll, selected, setCurrent, setDeleting, target } = work
  useListKeys({
    group,
    thing: 'replay',
    current: () => current,
    move,
    open,
    // Rows are selected to be deleted, and for nothing else.
    select: (key, withShift) => mayDelete && select(key, withShift),
    selectAll: () => mayDelete && selectAll(),
  })
  useShortcut('Backspace', () => target().length > 0 && setDeleting(true), {
    label: 'Delete',
    group,
    enabled: mayDelete,
  })
  useShortcut('Escape', () => (selected.size > 0 ? clear() : setCurrent(null)), {
    label: 'Clear the selection',
    group,
  })
}
