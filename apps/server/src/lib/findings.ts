/**
 * What is wrong with the running server, in sentences for the people who run it. One list: the API's status, the console's
 * banner and `doctor` all read it.
 */

export interface Finding {
  /** Stays the same while the words change, e.g. `telemetry_damaged`. */
  readonly id: string
  /** What happened, why it matters, what to do. */
  readonly message: string
  /** Since when it is known; milliseconds since the epoch. */
  readonly since: number
}

/**
 * A finding before it is told. Write every sentence in a call of `finding(…)`: a test finds these calls and wants a row in
 * spec 8.6 for each.
 */
export const finding = (id: string, message: string): Omit<Finding, 'since'> => ({ id, message })

/** What tells of something that is wrong, and that it is over. */
export interface Findings {
  /** Tells it. Told again in other words, it is still the same finding, known since the first time. */
  tell(found: Omit<Finding, 'since'>): void
  /** It is over; nothing happens when it was never told. */
  clear(id: string): void
  /** Asks each time the list is read: for what is known at any moment. Null while all is well. */
  watch(look: () => Omit<Finding, 'since'> | null): void
  /** Everything that is wrong now, watched ones first. */
  current(): readonly Finding[]
}

/**
 * @param options.changed Called when a finding begins or ends. Watched findings are compared only when `current()` is
 *   called.
 */
export const createFindings = ({
  now,
  changed = () => undefined,
}: {
  readonly now: () => number
  readonly changed?: (found: Finding, state: 'new' | 'over') => void
}): Findings => {
  const looks: { readonly look: () => Omit<Finding, 'since'> | null; seen: Finding | null }[] = []
  const told = new Map<string, Finding>()

  /** The finding as it stands after it was looked for; says what that changes. */
  const next = (before: Finding | null, found: Omit<Finding, 'since'> | null): Finding | null => {
    const same = before !== null && found !== null && before.id === found.id
    if (before !== null && !same) changed(before, 'over')
    if (found === null) return null
    const after = { ...found, since: same ? before.since : now() }
    if (!same) changed(after, 'new')
    return after
  }

  return {
    tell: (found) => {
      const after = next(told.get(found.id) ?? null, found)
      if (after !== null) told.set(after.id, after)
    },
    clear: (id) => {
      next(told.get(id) ?? null, null)
      told.delete(id)
    },
    watch: (look) => void looks.push({ look, seen: null }),
    current: () => {
      const watched = looks.flatMap((entry) => {
        entry.seen = next(entry.seen, entry.look())
        return entry.seen === null ? [] : [entry.seen]
      })
      return [...watched, ...told.values()]
    },
  }
}
