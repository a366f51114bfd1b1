import type { Replay, ReplayMark, ReplayPlayback } from '@firsthand/contract'
import { missingOf } from '@firsthand/recording'
import type { ReplayEventRecord } from '../../issues/index.ts'
import { nameOf } from '../element-name.ts'
import { NO_ASSET_SUMMARY } from '../assets/asset-summary.ts'
import { LIMITS } from '../limits.ts'
import { selectorOf } from '../list/selector.ts'
import { idleOf } from './idle.ts'
import { pagesOf } from './pages.ts'
import { VIDEO_MARK, videosOf } from '../videos/videos.ts'
import type { MarkRecord, ReplayRecord, SegmentRecord } from '../replay.ts'
import { isComplete, isPlayable, lastReceived } from '../segment-rules.ts'

/** What a player needs before it loads a picture, from the index alone. */

interface Found {
  readonly record: ReplayRecord
  readonly segments: readonly SegmentRecord[]
  readonly marks: readonly MarkRecord[]
  readonly reported: readonly ReplayEventRecord[]
  /** Short ids of the issues of what was reported, by their ids. */
  readonly shortIds: ReadonlyMap<number, string>
}

/** They say where pictures are, and are no moments of the visitor. */
const OF_THE_PICTURE: ReadonlySet<string> = new Set(['page', VIDEO_MARK])

export const playbackJson = (
  { record, segments, marks, reported, shortIds }: Found,
  { replay, projectSlug, now }: { readonly replay: Replay; readonly projectSlug: string; readonly now: number },
): ReplayPlayback => {
  const { startedAt, finishedAt } = record
  const shown = [
    ...marks.filter(({ kind }) => !OF_THE_PICTURE.has(kind)).map(markJson),
    ...reported.map((one) => errorJson(one, shortIds.get(Number(one.issueId)))),
  ].toSorted((one, other) => one.at - other.at)
  const pages = pagesOf(marks)
  const gaps = gapsOf(segments, record)
  const received = segments.map(({ segmentId, from, to, bytes, hasSnapshot, broken }) => ({
    segmentId,
    from,
    to,
    bytes,
    snapshot: hasSnapshot,
    broken: broken === '' ? null : broken,
  }))
  return {
    replay,
    projectSlug,
    startedAt,
    finishedAt,
    segments: received,
    pages,
    marks: shown.slice(0, LIMITS.REPLAY_MARKS),
    marksLeftOut:
      Math.max(0, shown.length - LIMITS.REPLAY_MARKS) +
      segments.reduce((sum, { marksLeftOut }) => sum + marksLeftOut, 0),
    textsLeftOut: segments.reduce((sum, { textsLeftOut }) => sum + textsLeftOut, 0),
    idle: idleOf(segments, shown, record, missingOf({ gaps, segments: received })),
    gaps,
    hasPicture: segments.some((segment) => segment.hasSnapshot && isPlayable(segment)),
    videos: videosOf(segments, marks, pages),
    complete: isComplete(lastReceived(segments), now),
    assets: NO_ASSET_SUMMARY,
  }
}

const IN_VAIN: ReadonlySet<string> = new Set(['dead_click', 'rage_click'])

const markJson = ({ element, kind, nodeId, status, ...mark }: MarkRecord): ReplayMark => ({
  ...mark,
  kind: kind as ReplayMark['kind'],
  nodeId: nodeId < 0 ? null : nodeId,
  status: status === 0 ? null : status,
  detail: {
    ...mark.detail,
    ...(element.tag === '' ? {} : nameOf(element, mark.text)),
    // As `replay-selectors/` calls it, and searches find it.
    ...(IN_VAIN.has(kind) ? { element: selectorOf(element) } : {}),
  },
})

const errorJson = (
  { at, eventId, issueId, level, title }: ReplayEventRecord,
  shortId: string | undefined,
): ReplayMark => ({
  id: `error ${eventId}`,
  at,
  kind: 'error',
  text: title,
  url: '',
  nodeId: null,
  selector: '',
  value: null,
  duration: null,
  status: null,
  detail: { eventId, issueId, level, ...(shortId === undefined ? {} : { shortId }) },
})

/** A number that is missing between two that came; the first, when the replay began before what came. */
const gapsOf = (segments: readonly SegmentRecord[], { startedAt }: ReplayRecord): ReplayPlayback['gaps'] => {
  const gaps: ReplayPlayback['gaps'] = []
  let next = 0
  let end = startedAt
  for (const segment of segments.toSorted((one, other) => one.segmentId - other.segmentId)) {
    if (segment.segmentId > next) {
      gaps.push({ from: end, to: Math.max(end, segment.from), segmentId: next, segments: segment.segmentId - next })
    }
    next = Math.max(next, segment.segmentId + 1)
    end = Math.max(end, segment.to)
  }
  return gaps
}
