/**
 * Which rows of a list a bulk change is for: some by id, or everything that matches the search, also what is not loaded.
 * The anchor is where a range with Shift begins.
 */
export interface Selection {
  readonly kind: 'some' | 'all'
  readonly ids: ReadonlySet<string>
  readonly anchor: string | null
}

export const NOTHING: Selection = { kind: 'some', ids: new Set(), anchor: null }
export const ALL_MATCHES: Selection = { kind: 'all', ids: new Set(), anchor: null }

export function isSelected(selection: Selection, id: string): boolean {
  return selection.kind === 'all' || selection.ids.has(id)
}

export function countSelected(selection: Selection, matches: number): number {
  return selection.kind === 'all' ? matches : selection.ids.size
}

/** From "all that match", a click takes the loaded rows without that one: ids are the only way to leave one out. */
export function toggle(selection: Selection, order: readonly string[], id: string): Selection {
  const ids = new Set(selection.kind === 'all' ? order : selection.ids)
  if (ids.has(id)) ids.delete(id)
  else ids.add(id)
  return { kind: 'some', ids, anchor: id }
}

/** Everything between the anchor and `id` becomes what `id` becomes. Without a usable anchor: only `id`. */
export function toggleRange(selection: Selection, order: readonly string[], id: string): Selection {
  const to = order.indexOf(id)
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor)
  if (to === -1 || from === -1) return toggle(selection, order, id)
  const ids = new Set(selection.kind === 'all' ? order : selection.ids)
  const checks = !ids.has(id)
  for (const between of order.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (checks) ids.add(between)
    else ids.delete(between)
  }
  return { kind: 'some', ids, anchor: id }
}

/** The box above the list: all loaded rows, or none when all are checked already. */
export function toggleLoaded(selection: Selection, order: readonly string[]): Selection {
  if (selection.kind === 'all' || (order.length > 0 && order.every((id) => selection.ids.has(id)))) return NOTHING
  return { kind: 'some', ids: new Set(order), anchor: null }
}

export function loadedState(selection: Selection, order: readonly string[]): 'none' | 'some' | 'all' {
  if (selection.kind === 'all') return 'all'
  if (selection.ids.size === 0) return 'none'
  return order.length > 0 && order.every((id) => selection.ids.has(id)) ? 'all' : 'some'
}

/** Rows that left the list are no longer selected: nobody should change what they cannot see. */
export function keepOnly(selection: Selection, order: readonly string[]): Selection {
  if (selection.kind === 'all') return selection
  const present = new Set(order)
  const ids = new Set([...selection.ids].filter((id) => present.has(id)))
  return ids.size === selection.ids.size ? selection : { ...selection, ids }
}
