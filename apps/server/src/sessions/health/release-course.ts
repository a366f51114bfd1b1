import { DAY_MS } from '../../lib/durations.ts'
import { releasesBefore, type NamedRelease, type Neighbours } from '../../releases/index.ts'
import type { Buckets } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import type { Share } from './adoption.ts'
import type { Course, CourseCounter } from './count-course.ts'
import type { HealthCounter } from './count-health.ts'
import type { EnvironmentShare } from './health.ts'
import { stepLength, stepsOver } from './steps.ts'

interface KnownCourse extends Course {
  readonly version: string
  readonly since: number
}

/** A release beside the one before it, at the same age. */
export interface Compared {
  /** Null where no session of it was sent. */
  readonly release: KnownCourse | null
  readonly before: KnownCourse | null
  /** Seconds of a step of both. */
  readonly interval: number
  readonly day: Share
  readonly environments: readonly EnvironmentShare[]
  readonly adoption: { readonly buckets: Buckets; readonly steps: readonly (readonly [number, number, number])[] }
}

interface Parts {
  readonly courses: CourseCounter
  readonly health: HealthCounter
  readonly neighbours: Pick<Neighbours, 'neighbours'>
}

export const createComparison =
  ({ courses, health, neighbours }: Parts) =>
  async (
    organizationId: number,
    release: NamedRelease,
    { environments, now }: { readonly environments: readonly string[]; readonly now: number },
  ): Promise<Compared> => {
    const { projectIds, version } = release
    const scope = { organizationId, projectIds, environments }
    const closest = releasesBefore(release, await neighbours.neighbours(organizationId, release))
    const candidates = closest.slice(0, LIMITS.HEALTH_CANDIDATES).map((one) => one.version)
    const longest = LIMITS.RELEASE_COURSE_DAYS * DAY_MS
    const period = { from: now - LIMITS.RELEASE_SESSIONS_DAYS * DAY_MS, to: now }
    const first = await courses.firstSessions({ ...scope, period }, [version, ...candidates])
    const since = first.get(version)
    const before = candidates.find((candidate) => first.has(candidate))
    const sinceBefore = before === undefined ? undefined : first.get(before)
    const age = since === undefined ? 0 : Math.min(longest, now - since)
    const length = stepLength(age)

    const courseOf = async (of: string | undefined, from: number | undefined): Promise<KnownCourse | null> => {
      if (of === undefined || from === undefined) return null
      // Whoever is younger by now has fewer steps.
      const known = Math.min(age, now - from)
      const course = await courses.course(
        { ...scope, period: { from, to: from + known } },
        of,
        stepsOver(from, length, known),
      )
      return { version: of, since: from, ...course }
    }

    const shownFrom = Math.max(now - longest, Math.min(since ?? now, sinceBefore ?? now))
    const buckets = stepsOver(shownFrom, stepLength(now - shownFrom), now - shownFrom)
    const [own, other, today, adoption] = await Promise.all([
      courseOf(version, since),
      since === undefined ? null : courseOf(before, sinceBefore),
      health.shares({ ...scope, day: { from: now - DAY_MS, to: now } }, version),
      since === undefined
        ? []
        : courses.adoption(
            { ...scope, period: { from: shownFrom, to: now } },
            { version, before: before ?? '' },
            buckets,
          ),
    ])
    return {
      release: own,
      before: other,
      interval: length / 1000,
      day: today.day,
      environments: today.environments,
      adoption: { buckets, steps: adoption },
    }
  }
