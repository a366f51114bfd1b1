/** A change that puts some rows back as they were. */
export interface UndoStep<Change> {
  readonly ids: readonly string[]
  readonly change: Change
}

/** Ids that one request may carry (the contract's bound). */
export const IDS_PER_REQUEST = 1000

/**
 * Groups rows by what puts them back, so that few requests do it.
 *
 * @param rows id of each row, and the change that puts it back
 */
export function undoStepsOf<Change>(rows: Iterable<readonly [string, Change]>): readonly UndoStep<Change>[] {
  const groups = new Map<string, { readonly ids: string[]; readonly change: Change }>()
  for (const [id, change] of rows) {
    const key = JSON.stringify(change)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { ids: [id], change })
    else group.ids.push(id)
  }
  return [...groups.values()].flatMap(({ ids, change }) => chunks(ids).map((portion) => ({ ids: portion, change })))
}

/** Ids in portions that one request takes. */
export function chunks(ids: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(ids.length / IDS_PER_REQUEST)
  return Array.from({ length: count }, (_, index) => ids.slice(index * IDS_PER_REQUEST, (index + 1) * IDS_PER_REQUEST))
}
