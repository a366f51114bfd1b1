import { CONDITIONS, crashFree, sessionsOf, usersOf, type Condition, type Counts } from '../counts.ts'
import { stageOf } from './adoption.ts'
import type { ReleaseHealth } from './health.ts'

const byCondition = (total: number, of: (condition: Condition) => number): Record<Condition | 'total', number> => ({
  total,
  ...(Object.fromEntries(CONDITIONS.map((condition) => [condition, of(condition)])) as Record<Condition, number>),
})

/** Places of durations in `Counts`. */
const MEDIAN = 1
const MOST = 3

const durationOf = ({ durations }: Counts): { readonly p50: number; readonly p90: number } | null => {
  const [p50, p90] = [durations?.[MEDIAN], durations?.[MOST]]
  return p50 === undefined || p90 === undefined ? null : { p50, p90 }
}

/** How sessions ended. */
export const endsJson = (counts: Counts) => ({
  sessions: byCondition(counts.total, (condition) => sessionsOf(counts, condition)),
  users: byCondition(counts.users, (condition) => usersOf(counts, condition)),
  crashFreeSessions: crashFree(counts.crashed, counts.total),
  crashFreeUsers: crashFree(counts.usersCrashed, counts.users),
  duration: durationOf(counts),
})

export const healthJson = ({ counts, day, environments, version }: ReleaseHealth) => ({
  version,
  ...endsJson(counts),
  lastDay: {
    ...day,
    environments: environments.map(({ projectId, ...share }) => ({
      ...share,
      projectId: String(projectId),
      stage: stageOf(share, false),
    })),
  },
})
