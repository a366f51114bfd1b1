import { getReleaseHealth, listReleaseHealth } from '@firsthand/contract'
import { readScope, type ProjectReference } from '../../accounts/index.ts'
import { bind, notFound, type Route } from '../../http/index.ts'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { orUnanswerable } from '../../lib/unanswerable.ts'
import { lastDays } from '../../search/index.ts'
import type { Neighbours } from '../../releases/index.ts'
import type { CourseCounter } from './count-course.ts'
import type { HealthCounter } from './count-health.ts'
import { comparedJson, healthJson } from './health-json.ts'
import { createComparison } from './release-course.ts'

export interface HealthServices {
  readonly health: HealthCounter
  readonly courses: CourseCounter
  readonly neighbours: Neighbours
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly clock: Clock
}

const USUAL_DAYS = 14

/** What sessions say of releases. */
export const createHealthRoutes = ({ clock, courses, health, neighbours, projects }: HealthServices): Route[] => {
  const compare = createComparison({ courses, health, neighbours })
  return [
    bind(listReleaseHealth, async ({ query, request }) => {
      const organizationId = request.organization.id
      const now = clock.now()
      const { environments, period, projectIds } = orUnanswerable(
        await readScope({ projects }, organizationId, query, now),
      )
      const found = await health.health({
        organizationId,
        projectIds,
        environments,
        versions: query.release,
        period: period ?? lastDays(now, USUAL_DAYS),
        day: { from: now - DAY_MS, to: now },
      })
      return { body: found.map(healthJson) }
    }),

    bind(getReleaseHealth, async ({ params, query, request }) => {
      const { id } = request.organization
      const release = await neighbours.release(id, params.version)
      if (release === null) throw notFound()
      const environments = (query.environment ?? []).filter((name) => name !== '')
      return { body: comparedJson(await compare(id, release, { environments, now: clock.now() })) }
    }),
  ]
}
