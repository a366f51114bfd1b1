import type { ReplayPlayback } from '@firsthand/contract'
import type { ReplayEventRecord } from '../../issues/index.ts'
import type { FoundReplay } from '../find-replay.ts'
import { replayJson } from '../replay-json.ts'
import type { ReplayServices } from '../services.ts'
import { playbackJson } from './playback-json.ts'

/** What a player needs of a replay before it loads a picture, as nobody has viewed or starred it. */
export const readOverview = async (
  services: Pick<ReplayServices, 'clock' | 'issues' | 'replays'>,
  { projects, record, scope }: FoundReplay,
): Promise<ReplayPlayback> => {
  const { clock, replays } = services
  const [segments, marks, all] = await Promise.all([
    replays.segments(scope, record),
    replays.marks(scope, record),
    replays.events(scope, [record]),
  ])
  const reported = all.filter(({ projectId }) => projectId === record.projectId)
  const shortIds = await shortIdsOf(services, scope.organizationId, reported)
  const projectSlug = projects.find(({ id }) => id === record.projectId)?.slug ?? ''
  const replay = replayJson(record, { reported, hasViewed: false, isStarred: false, clicks: null })
  return playbackJson({ record, segments, marks, reported, shortIds }, { replay, projectSlug, now: clock.now() })
}

/** What issues are called, by their ids. */
const shortIdsOf = async (
  { issues }: Pick<ReplayServices, 'issues'>,
  organizationId: number,
  reported: readonly ReplayEventRecord[],
): Promise<ReadonlyMap<number, string>> => {
  const ids = [...new Set(reported.map(({ issueId }) => Number(issueId)))]
  const records = ids.length === 0 ? [] : await issues.records(organizationId, ids)
  return new Map(records.map(({ id, shortId }) => [id, shortId] as const))
}
