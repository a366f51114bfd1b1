import { getReplayPlayback } from '@firsthand/contract'
import { bind, type Route } from '../../http/index.ts'
import { findOfOrganization } from '../find-replay.ts'
import type { ReplayServices } from '../services.ts'
import { readOverview } from './read-overview.ts'

/** What players know before they load a picture. */
export const createOverviewRoutes = (services: ReplayServices): Route[] => [
  bind(getReplayPlayback, async ({ params, request }) => {
    const found = await findOfOrganization(services, request.organization.id, params.replay)
    const [overview, seen] = await Promise.all([
      readOverview(services, found),
      services.viewers.seenBy([found.record], request.caller.user.id),
    ])
    const hasViewed = seen.some(({ projectId }) => projectId === found.record.projectId)
    return { body: { ...overview, replay: { ...overview.replay, has_viewed: hasViewed } } }
  }),
]
