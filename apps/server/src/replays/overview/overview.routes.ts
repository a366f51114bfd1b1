import { getReplayPlayback } from '@firsthand/contract'
import { bind, type Route } from '../../http/index.ts'
import { summaryOf } from '../assets/asset-summary.ts'
import { findOfOrganization, type Finding } from '../find-replay.ts'
import type { ReplayAssets } from '../ledger/replay-assets.ts'
import type { Granted } from '../services.ts'
import { readOverview, type OverviewReading } from './read-overview.ts'

type OverviewServices = Finding &
  OverviewReading &
  Granted<{ stars: 'among'; viewers: 'seenBy' }> & { readonly assets: Pick<ReplayAssets, 'leftOut' | 'of'> }

/** What players know before they load a picture. */
export const createOverviewRoutes = (services: OverviewServices): Route[] => [
  bind(getReplayPlayback, async ({ params, request }) => {
    const found = await findOfOrganization(services, request.organization.id, params.replay)
    const [overview, seen, starred, assets, leftOut] = await Promise.all([
      readOverview(services, found),
      services.viewers.seenBy([found.record], request.caller.user.id),
      services.stars.among([found.record]),
      services.assets.of(found.record),
      services.assets.leftOut(found.record),
    ])
    const hasViewed = seen.some(({ projectId }) => projectId === found.record.projectId)
    const replay = { ...overview.replay, has_viewed: hasViewed, is_starred: starred.length > 0 }
    return { body: { ...overview, replay, assets: summaryOf(assets, leftOut) } }
  }),
]
