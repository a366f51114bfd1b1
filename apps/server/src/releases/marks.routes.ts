import { listReleaseMarks } from '@firsthand/contract'
import { readScope } from '../accounts/index.ts'
import { badRequest, bind, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import { toDate } from '../lib/instant-text.ts'
import type { Ledger } from '../storage/index.ts'
import { shortVersion } from '../issues/index.ts'
import { releaseMarks } from './ledger/release-marks.ts'

/** As long as events are kept where nothing else is said. */
const USUAL_PERIOD = '90d'

/** When releases began to run, for charts of the same time. */
export const createMarkRoutes = ({
  clock,
  ledger,
  projects,
}: {
  readonly clock: Clock
  readonly ledger: Pick<Ledger, 'db'>
  readonly projects: Parameters<typeof readScope>[0]['projects']
}): Route[] => [
  bind(listReleaseMarks, async ({ query, request }) => {
    const organizationId = request.organization.id
    const now = clock.now()
    const hasTime = query.statsPeriod !== undefined || query.start !== undefined || query.end !== undefined
    const scope = await readScope(
      { projects },
      organizationId,
      hasTime ? query : { ...query, statsPeriod: USUAL_PERIOD },
      now,
    )
    if (!scope.ok) throw badRequest(scope.error)
    const { allProjects, environments, period, projectIds } = scope.value
    const found = await releaseMarks(ledger, {
      organizationId,
      projectIds: allProjects ? null : projectIds,
      environments,
      from: period?.from ?? 0,
      to: period?.to ?? now,
    })
    return {
      body: found.map(({ at, environment, version }) => ({
        version,
        shortVersion: shortVersion(version),
        environment,
        date: toDate(at),
      })),
    }
  }),
]
