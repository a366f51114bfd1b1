import { getReplayJourney } from '@firsthand/contract'
import { bind, type Route } from '../../http/index.ts'
import { findOfOrganization } from '../find-replay.ts'
import { replaysForCaller } from '../replays-for-caller.ts'
import type { ReplayRecord, ReplayScope } from '../replay.ts'
import type { ReplayServices } from '../services.ts'
import { journeyOf, STEPS_OF_VISITOR, visitorOf, widened } from './journey.ts'

const replaysOf = async (
  { replays }: ReplayServices,
  scope: ReplayScope,
  record: ReplayRecord,
): Promise<readonly ReplayRecord[]> => {
  let found: readonly ReplayRecord[] = []
  let visitor = visitorOf(record)
  for (let step = 0; visitor !== null && step < STEPS_OF_VISITOR; step += 1) {
    found = await replays.ofVisitor(scope, visitor, record.startedAt)
    visitor = widened(visitor, found)
  }
  return found
}

/** What else the visitor of a replay did: in other tabs, before and after. */
export const createJourneyRoutes = (services: ReplayServices): Route[] => [
  bind(getReplayJourney, async ({ params, request }) => {
    const { record } = await findOfOrganization(services, request.organization.id, params.replay)
    // The same id may be somebody else in another project.
    const scope = { organizationId: request.organization.id, projectIds: [record.projectId] }
    const journey = journeyOf(record, await replaysOf(services, scope, record))
    return {
      body: {
        by: visitorOf(record)?.by ?? null,
        replays: await replaysForCaller(services, scope, journey, { userId: request.caller.user.id }),
      },
    }
  }),
]
