import { getReplayJourney } from '@firsthand/contract'
import { bind, type Route } from '../../http/index.ts'
import { findOfOrganization, type Finding } from '../find-replay.ts'
import { replaysForCaller, type Answering } from '../replays-for-caller.ts'
import type { ReplayRecord, ReplayScope } from '../replay.ts'
import type { Granted } from '../services.ts'
import { joinedVisitor } from './joined-visitor.ts'
import { journeyOf, visitorOf } from './journey.ts'

type VisitorReading = Granted<{ replays: 'namesOf' | 'ofVisitor' }>

/** Of whoever was recorded, under all of their ids and addresses of that time. */
const replaysOf = async (
  services: VisitorReading,
  scope: ReplayScope,
  record: ReplayRecord,
): Promise<readonly ReplayRecord[]> => {
  const visitor = visitorOf(record)
  if (visitor === null) return []
  const at = record.startedAt
  const isNamed = visitor.by === 'user' && visitor.ids.length + visitor.emails.length > 0
  if (!isNamed) return services.replays.ofVisitor(scope, visitor, at)
  const { emails, ids } = await joinedVisitor(services, scope, visitor, { from: at, to: at })
  return services.replays.ofVisitor(scope, { ...visitor, emails, ids }, at)
}

/** What else the visitor of a replay did: in other tabs, before and after. */
export const createJourneyRoutes = (services: Answering & Finding & VisitorReading): Route[] => [
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
