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
  /** Only this organisation is concerned, and hears of it; without it, all are. */
  readonly organizationId?: number
}

/**
 * A finding before it is told. Write every sentence in a call of `finding(…)`: a test finds these calls and wants a row in
 * spec 8.6 for each.
 */
export const finding = (id: string, message: string): Omit<Finding, 'since'> => ({ id, message })

const keyOf = ({ id, organizationId }: Omit<Finding, 'since'>): string => `${id} ${organizationId ?? ''}`

/** What tells of something that is wrong, and that it is over. */
export interface Findings {
  /** Tells it. Told again in other words, it is still the same finding, known since the first time. */
  tell(found: Omit<Finding, 'since' | 'organizationId'>): void
  /** It is over; nothing happens when it was never told. */
  clear(id: string): void
  /** Asks each time the list is read: for what is known at any moment. Null while all is well. */
  watch(look: () => Omit<Finding, 'since'> | null): void
  /** The same, for what may be wrong in several organisations at once: one of each id for an organisation. */
  watchAll(look: () => readonly Omit<Finding, 'since'>[]): void
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
  const looks: { readonly look: () => readonly Omit<Finding, 'since'>[]; seen: ReadonlyMap<string, Finding> }[] = []
  const told = new Map<string, Finding>()

  /** What was found, as it stands after it was looked for again; says what that changes. */
  const next = (
    before: ReadonlyMap<string, Finding>,
    found: readonly Omit<Finding, 'since'>[],
  ): ReadonlyMap<string, Finding> => {
    const keys = new Set(found.map(keyOf))
    for (const [key, one] of before) if (!keys.has(key)) changed(one, 'over')
    return new Map(
      found.map((one) => {
        const same = before.get(keyOf(one))
        const after = { ...one, since: same?.since ?? now() }
        if (same === undefined) changed(after, 'new')
        return [keyOf(one), after]
      }),
    )
  }

  const toldOf = (id: string): ReadonlyMap<string, Finding> => {
    const before = told.get(id)
    return new Map(before === undefined ? [] : [[keyOf(before), before]])
  }
  const watchAll: Findings['watchAll'] = (look) => void looks.push({ look, seen: new Map() })

  return {
    tell: (found) => {
      for (const after of next(toldOf(found.id), [found]).values()) told.set(after.id, after)
    },
    clear: (id) => {
      next(toldOf(id), [])
      told.delete(id)
    },
    watch: (look) => watchAll(() => [look() ?? []].flat()),
    watchAll,
    current: () => {
      const watched = looks.flatMap((entry) => {
        entry.seen = next(entry.seen, entry.look())
        return [...entry.seen.values()]
      })
      return [...watched, ...told.values()]
    },
  }
}
