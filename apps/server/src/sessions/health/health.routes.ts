import { listReleaseHealth } from '@firsthand/contract'
import { readScope, type ProjectReference } from '../../accounts/index.ts'
import { bind, type Route } from '../../http/index.ts'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { orUnanswerable } from '../../lib/unanswerable.ts'
import { lastDays } from '../../search/index.ts'
import type { HealthCounter } from './count-health.ts'
import { healthJson } from './health-json.ts'

export interface HealthServices {
  readonly health: HealthCounter
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly clock: Clock
}

const USUAL_DAYS = 14

/** What sessions say of releases. */
export const createHealthRoutes = ({ clock, health, projects }: HealthServices): Route[] => [
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
]
