import { CONDITIONS, crashFree, sessionsOf, usersOf, type Condition, type Counts } from '../counts.ts'
import { toDate } from '../../lib/instant-text.ts'
import { stageOf, type Share } from './adoption.ts'
import type { EnvironmentShare, ReleaseHealth } from './health.ts'
import type { Compared } from './release-course.ts'

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
const endsJson = (counts: Counts) => ({
  sessions: byCondition(counts.total, (condition) => sessionsOf(counts, condition)),
  users: byCondition(counts.users, (condition) => usersOf(counts, condition)),
  crashFreeSessions: crashFree(counts.crashed, counts.total),
  crashFreeUsers: crashFree(counts.usersCrashed, counts.users),
  duration: durationOf(counts),
})

const dayJson = (day: Share, environments: readonly EnvironmentShare[]) => ({
  ...day,
  environments: environments.map(({ projectId, wasAdopted, ...share }) => ({
    ...share,
    projectId: String(projectId),
    stage: stageOf(share, wasAdopted),
  })),
})

export const healthJson = ({ counts, day, environments, version }: ReleaseHealth) => ({
  version,
  ...endsJson(counts),
  lastDay: dayJson(day, environments),
})

const courseJson = (course: Compared['release']) =>
  course === null
    ? null
    : {
        version: course.version,
        ...endsJson(course.counts),
        since: toDate(course.since),
        steps: course.steps.map(([total, crashed]): [number, number] => [total, crashed]),
      }

export const comparedJson = ({ adoption, before, day, environments, interval, release }: Compared) => ({
  release: courseJson(release),
  before: courseJson(before),
  interval,
  lastDay: dayJson(day, environments),
  adoption: {
    start: toDate(adoption.buckets.start * 1000),
    interval: adoption.buckets.interval,
    steps: adoption.steps.map(([own, other, total]): [number, number, number] => [own, other, total]),
  },
})
