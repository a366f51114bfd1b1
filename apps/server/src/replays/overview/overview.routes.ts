import { getReplayPlayback } from '@firsthand/contract'
import { bind, type Route } from '../../http/index.ts'
import type { ReplayEventRecord } from '../../issues/index.ts'
import { findOfOrganization } from '../find-replay.ts'
import { replayJson } from '../replay-json.ts'
import type { ReplayServices } from '../services.ts'
import { playbackJson } from './playback-json.ts'

/** What players know before they load a picture. */
export const createOverviewRoutes = (services: ReplayServices): Route[] => [
  bind(getReplayPlayback, async ({ params, request }) => {
    const { projects, record, scope } = await findOfOrganization(services, request.organization.id, params.replay)
    const { replays, viewers } = services
    const [segments, marks, reported, seen] = await Promise.all([
      replays.segments(scope, record),
      replays.marks(scope, record),
      replays.events(scope, [record]),
      viewers.seenBy([record], request.caller.user.id),
    ])
    const ofProject = reported.filter(({ projectId }) => projectId === record.projectId)
    const projectSlug = projects.find(({ id }) => id === record.projectId)?.slug ?? ''
    const hasViewed = seen.some(({ projectId }) => projectId === record.projectId)
    const shortIds = await shortIdsOf(services, request.organization.id, ofProject)
    return {
      body: playbackJson(
        { record, segments, marks, reported: ofProject, shortIds },
        { replay: replayJson(record, { reported: ofProject, hasViewed }), projectSlug, now: services.clock.now() },
      ),
    }
  }),
]

/** What issues are called, by their ids. */
const shortIdsOf = async (
  { issues }: ReplayServices,
  organizationId: number,
  reported: readonly ReplayEventRecord[],
): Promise<ReadonlyMap<number, string>> => {
  const ids = [...new Set(reported.map(({ issueId }) => Number(issueId)))]
  const records = ids.length === 0 ? [] : await issues.records(organizationId, ids)
  return new Map(records.map(({ id, shortId }) => [id, shortId] as const))
}
