import type { Replay, ReplayMark, ReplayPlayback } from '@firsthand/contract'
import type { Stretch } from '../ledger/replay-links.ts'
import type { StoredChunk } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { isOwnNote } from '../read/read-marks.ts'
import type { ReplayRecord } from '../replay.ts'

/** A replay as strangers see it. Pure. */

/** Milliseconds since the epoch; both are within. */
export interface Shown {
  readonly from: number
  readonly to: number
}

/** What is shown of a replay; null when it has nothing of the stretch. */
export const shownOf = (
  { finishedAt, startedAt }: Pick<ReplayRecord, 'finishedAt' | 'startedAt'>,
  { from, to }: Stretch,
): Shown | null => {
  const shown = { from: Math.max(from ?? startedAt, startedAt), to: Math.min(to ?? finishedAt, finishedAt) }
  return shown.from <= shown.to ? shown : null
}

type Segment = ReplayPlayback['segments'][number]

const NOBODY: Omit<Replay, 'browser' | 'device' | 'finished_at' | 'os' | 'replay_type' | 'started_at'> = {
  id: '',
  project_id: '',
  is_archived: false,
  duration: null,
  activity: null,
  environment: null,
  platform: null,
  dist: null,
  releases: [],
  urls: [],
  error_ids: [],
  warning_ids: [],
  info_ids: [],
  trace_ids: [],
  count_segments: null,
  count_urls: null,
  count_errors: null,
  count_warnings: null,
  count_infos: null,
  count_dead_clicks: null,
  count_rage_clicks: null,
  sdk: { name: null, version: null },
  user: {
    id: null,
    username: null,
    email: null,
    ip: null,
    display_name: null,
    geo: { city: null, country_code: null, region: null, subdivision: null },
  },
  ota_updates: { channel: null, runtime_version: null, update_id: null },
  is_starred: false,
  has_viewed: false,
  tags: {},
}

/** Each field is named that is told; whatever else a replay has by now or later is not. */
const strangersReplay = ({ browser, device, os, replay_type, started_at, finished_at }: Replay): Replay => ({
  ...NOBODY,
  replay_type,
  started_at,
  finished_at,
  browser,
  os,
  // A phone is called after whom it belongs to.
  device: { ...device, name: null },
})

const OF_ELEMENT = ['element', 'role', 'name', 'handle', 'viewClass']

/** What is told of the details of a mark. Ids are not: they lead to other things of the organisation. */
const TOLD: Readonly<Record<ReplayMark['kind'], readonly string[]>> = {
  click: OF_ELEMENT,
  dead_click: OF_ELEMENT,
  rage_click: OF_ELEMENT,
  input: OF_ELEMENT,
  key: OF_ELEMENT,
  focus: ['category', ...OF_ELEMENT],
  navigation: ['category', 'from'],
  console: ['level'],
  request: ['category', 'method'],
  vital: ['rating'],
  memory: [],
  hydration_error: [],
  feedback: [],
  error: ['level'],
  // Of phones, recorders and routers; their names stand in `read/read-marks.ts`.
  note: 'message level charging state position from to reason intervalMs count limit'.split(' '),
}

/** What a page noted by itself may name anybody: “Authenticated user …” is how Sentry’s manual explains breadcrumbs. */
const isForStrangers = ({ kind, text }: ReplayMark): boolean => kind !== 'note' || isOwnNote(text)

/** @param place among those that are told: ids of ours say where the mark was stored, and of what event it is */
const strangersMark = (mark: ReplayMark, place: number): ReplayMark => ({
  id: String(place),
  at: mark.at,
  kind: mark.kind,
  // What was reported is not recorded: of a server's error it says how the server is built.
  text: mark.kind === 'error' ? '' : mark.text,
  url: mark.url,
  nodeId: mark.nodeId,
  selector: mark.selector,
  value: mark.value,
  duration: mark.duration,
  status: mark.status,
  detail: Object.fromEntries(Object.entries(mark.detail).filter(([name]) => TOLD[mark.kind].includes(name))),
})

const strangersSegment = ({ bytes, broken, from, segmentId, snapshot, to }: Segment, shown: Shown): Segment => ({
  segmentId,
  from: Math.max(from, shown.from),
  to: Math.min(to, shown.to),
  bytes,
  snapshot,
  broken,
})

const clip = ([start, end]: readonly [number, number], { from, to }: Shown): [number, number][] => {
  const clipped: [number, number] = [Math.max(start, from), Math.min(end, to)]
  return clipped[0] < clipped[1] ? [clipped] : []
}

/** As of a whole replay: what is left of a longer stretch at an end is as idle as one that was no longer. */
const idleIn = (idle: ReplayPlayback['idle'], shown: Shown): ReplayPlayback['idle'] =>
  idle.flatMap((stretch) => clip(stretch, shown)).filter(([from, to]) => to - from > LIMITS.REPLAY_IDLE_MS)

const pagesIn = (pages: ReplayPlayback['pages'], { from, to }: Shown): ReplayPlayback['pages'] => {
  const before = pages.findLast(({ at }) => at <= from)
  return [
    ...(before === undefined ? [] : [{ ...before, at: from }]),
    ...pages.filter(({ at }) => at > from && at <= to),
  ]
}

/** What was noted before the first frame, e.g. where the page came from, stands at its beginning. */
const marksIn = ({ marks, startedAt }: ReplayPlayback, { from, to }: Shown): ReplayPlayback['marks'] =>
  marks.filter(({ at }) => (at >= from || from <= startedAt) && at <= to)

type Videos = ReplayPlayback['videos']

/** Nothing cuts a video: those are shown that lie within. The first and the last may go beyond what else was recorded. */
export const videosIn = (
  videos: Videos,
  replay: Pick<ReplayPlayback, 'finishedAt' | 'startedAt'>,
  { from, to }: Shown,
): Videos =>
  videos.filter(
    (video) => (video.from >= from || from <= replay.startedAt) && (video.to <= to || to >= replay.finishedAt),
  )

/**
 * What a player needs of a stretch, without anything that names the visitor, the project or what else there is.
 *
 * @param assets what is shown of what was kept of its pages
 */
export const sharedPlayback = (
  playback: ReplayPlayback,
  shown: Shown,
  assets: ReplayPlayback['assets'],
): ReplayPlayback => {
  const { from, to } = shown
  return {
    replay: strangersReplay({
      ...playback.replay,
      started_at: new Date(from).toISOString(),
      finished_at: new Date(to).toISOString(),
    }),
    projectSlug: '',
    startedAt: from,
    finishedAt: to,
    segments: playback.segments
      .filter((segment) => segment.to >= from && segment.from <= to)
      .map((segment) => strangersSegment(segment, shown)),
    pages: pagesIn(playback.pages, shown),
    marks: marksIn(playback, shown).filter(isForStrangers).map(strangersMark),
    marksLeftOut: playback.marksLeftOut,
    textsLeftOut: 0,
    idle: idleIn(playback.idle, shown),
    gaps: playback.gaps.flatMap((gap) =>
      clip([gap.from, gap.to], shown).map(([start, end]) => ({ ...gap, from: start, to: end })),
    ),
    hasPicture: playback.hasPicture,
    videos: videosIn(playback.videos, playback, shown),
    // The player of a link does not ask for what comes later: whoever opens the link again sees it.
    complete: true,
    assets,
  }
}

export interface PlacedChunk {
  readonly chunk: StoredChunk
  /** Among all of the replay. */
  readonly index: number
  /** It has something that is not shown. */
  readonly isCut: boolean
}

/** Those that show a stretch; the first is the one that is drawn at its beginning. */
export const chunksIn = (chunks: readonly StoredChunk[], { from, to }: Shown): readonly PlacedChunk[] => {
  const first = Math.max(
    0,
    chunks.findLastIndex((chunk) => chunk.from <= from),
  )
  return chunks.flatMap((chunk, index) =>
    index < first || chunk.from > to ? [] : [{ chunk, index, isCut: chunk.from < from || chunk.to > to }],
  )
}
