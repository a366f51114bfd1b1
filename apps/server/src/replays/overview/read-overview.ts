import type { ReplayPlayback } from '@firsthand/contract'
import { standingIssues, type ReplayEventRecord } from '../../issues/index.ts'
import type { FoundReplay } from '../find-replay.ts'
import { replayJson } from '../replay-json.ts'
import type { Granted, ReplayServices } from '../services.ts'
import { playbackJson } from './playback-json.ts'

export type OverviewReading = Pick<ReplayServices, 'clock'> &
  Granted<{ issues: 'merges' | 'records'; replays: 'events' | 'marks' | 'segments' }>

/** What a player needs of a replay before it loads a picture, as nobody has viewed or starred it. */
export const readOverview = async (
  services: OverviewReading,
  { projects, record, scope }: FoundReplay,
): Promise<ReplayPlayback> => {
  const { clock, replays } = services
  const [segments, marks, all] = await Promise.all([
    replays.segments(scope, record),
    replays.marks(scope, record),
    replays.events(scope, [record]),
  ])
  const { reported, shortIds } = await withIssues(
    services,
    scope.organizationId,
    all.filter(({ projectId }) => projectId === record.projectId),
  )
  const projectSlug = projects.find(({ id }) => id === record.projectId)?.slug ?? ''
  const replay = replayJson(record, { reported, hasViewed: false, isStarred: false, clicks: null })
  return playbackJson({ record, segments, marks, reported, shortIds }, { replay, projectSlug, now: clock.now() })
}

/** What was reported, with the issues that it belongs to by now, and what these are called, by their ids. */
const withIssues = async (
  { issues }: Granted<{ issues: 'merges' | 'records' }>,
  organizationId: number,
  reported: readonly ReplayEventRecord[],
): Promise<{ readonly reported: readonly ReplayEventRecord[]; readonly shortIds: ReadonlyMap<number, string> }> => {
  const standing = await standingIssues(
    issues,
    organizationId,
    reported.map(({ issueId }) => Number(issueId)),
  )
  return {
    reported: reported.map((one) => ({
      ...one,
      issueId: String(standing.get(Number(one.issueId))?.id ?? one.issueId),
    })),
    shortIds: new Map(Array.from(standing.values(), ({ id, shortId }) => [id, shortId] as const)),
  }
}
