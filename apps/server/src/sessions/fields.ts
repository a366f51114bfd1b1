import { CONDITIONS, crashFree, share, usersOf, sessionsOf, type Condition, type Counts } from './counts.ts'

/** A number that can be asked for of sessions. */
export interface SessionField {
  readonly name: string
  /** @param condition null for all of them */
  readonly of: (counts: Counts, condition: Condition | null) => number | null
  readonly needsDurations?: true
  /** A share of all cannot be told apart by how sessions were. */
  readonly isShare?: true
}

const DURATIONS = ['avg', 'p50', 'p75', 'p90', 'p95', 'p99', 'max'] as const

const duration = (name: string, place: number): SessionField => ({
  name: `${name}(session.duration)`,
  needsDurations: true,
  of: ({ durations }, condition) =>
    condition === null || condition === 'healthy' ? (durations?.[place] ?? null) : null,
})

const rateOf = (condition: Exclude<Condition, 'healthy'>): readonly SessionField[] => {
  const word = condition === 'crashed' ? 'crash' : condition
  return [
    {
      name: `${word}_rate(session)`,
      isShare: true,
      of: (counts) => share(sessionsOf(counts, condition), counts.total),
    },
    { name: `${word}_rate(user)`, isShare: true, of: (counts) => share(usersOf(counts, condition), counts.users) },
  ]
}

const FIELDS: readonly SessionField[] = [
  {
    name: 'sum(session)',
    of: (counts, condition) => (condition === null ? counts.total : sessionsOf(counts, condition)),
  },
  {
    name: 'count_unique(user)',
    of: (counts, condition) => (condition === null ? counts.users : usersOf(counts, condition)),
  },
  ...DURATIONS.map(duration),
  ...rateOf('crashed'),
  ...rateOf('errored'),
  ...rateOf('abnormal'),
  ...rateOf('unhandled'),
  { name: 'crash_free_rate(session)', isShare: true, of: ({ crashed, total }) => crashFree(crashed, total) },
  { name: 'crash_free_rate(user)', isShare: true, of: ({ usersCrashed, users }) => crashFree(usersCrashed, users) },
  { name: 'anr_rate()', isShare: true, of: ({ usersAnr, users }) => share(usersAnr, users) },
  {
    name: 'foreground_anr_rate()',
    isShare: true,
    of: ({ usersForegroundAnr, users }) => share(usersForegroundAnr, users),
  },
]

const byName = new Map(FIELDS.map((field) => [field.name, field]))

/** Undefined for what cannot be asked. */
export const fieldNamed = (name: string): SessionField | undefined => byName.get(name)

export const FIELD_NAMES: readonly string[] = FIELDS.map(({ name }) => name)

/** By how sessions were: the four that clients expect, and `unhandled` where there is one. */
export const conditionsOf = (counts: Counts): readonly Condition[] =>
  counts.unhandled > 0 ? CONDITIONS : CONDITIONS.filter((condition) => condition !== 'unhandled')
