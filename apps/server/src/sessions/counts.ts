/** Sessions and people of a group, as telemetry counts them. */
export interface Counts {
  readonly total: number
  readonly errored: number
  readonly unhandled: number
  readonly abnormal: number
  readonly crashed: number
  readonly users: number
  /** People with at least one session that was not healthy. */
  readonly usersUnhealthy: number
  readonly usersUnhandled: number
  readonly usersAbnormal: number
  readonly usersCrashed: number
  readonly usersForegroundAnr: number
  readonly usersAnr: number
  /** Milliseconds, of sessions that ended well: mean, p50, p75, p90, p95, p99, the longest. Null for none. */
  readonly durations: readonly number[] | null
}

export const NOTHING: Counts = {
  total: 0,
  errored: 0,
  unhandled: 0,
  abnormal: 0,
  crashed: 0,
  users: 0,
  usersUnhealthy: 0,
  usersUnhandled: 0,
  usersAbnormal: 0,
  usersCrashed: 0,
  usersForegroundAnr: 0,
  usersAnr: 0,
  durations: null,
}

/** How a session is said to have been. */
export const CONDITIONS = ['healthy', 'errored', 'crashed', 'abnormal', 'unhandled'] as const
export type Condition = (typeof CONDITIONS)[number]

export const sessionsOf = (counts: Counts, condition: Condition): number =>
  condition === 'healthy'
    ? Math.max(0, counts.total - counts.errored - counts.unhandled - counts.abnormal - counts.crashed)
    : counts[condition]

/** People by the worst that they had, as Sentry has it: they were healthy when none of their sessions was otherwise. */
export const usersOf = (counts: Counts, condition: Condition): number => {
  switch (condition) {
    case 'healthy':
      return Math.max(0, counts.users - counts.usersUnhealthy)
    case 'errored':
      return Math.max(0, counts.usersUnhealthy - counts.usersCrashed - counts.usersAbnormal - counts.usersUnhandled)
    case 'crashed':
      return counts.usersCrashed
    case 'abnormal':
      return counts.usersAbnormal
    case 'unhandled':
      return counts.usersUnhandled
  }
}

/** Null where there is nothing of which it would be a share: no sessions are no good sessions. */
export const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)

export const crashFree = (crashed: number, whole: number): number | null =>
  whole > 0 ? Math.max(0, 1 - crashed / whole) : null
