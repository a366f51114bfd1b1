import {
  formatLinkHeader,
  getReplaySegment,
  listReplayClicks,
  listReplaySegments,
  listReplayViewers,
  noteReplayViewed,
  REPLAY_SEGMENTS_PER_PAGE_MAX,
} from '@firsthand/contract'
import { badRequest, bind, notFound, readPage, toPage, type Route } from '../http/index.ts'
import { toDate } from '../lib/instant-text.ts'
import { findOfProject, type Finding, type FoundReplay } from './find-replay.ts'
import { segmentFile, segmentsFile } from './recording-file.ts'
import type { Viewer } from './ledger/replay-viewers.ts'
import { compileClickSearch } from './list/click-search.ts'
import type { BlobReading } from './read-blob.ts'
import type { SegmentRecord } from './replay.ts'
import type { Granted, ReplayServices } from './services.ts'

/** What the routes of one replay's parts work with. */
type RecordingServices = BlobReading &
  Finding &
  Pick<ReplayServices, 'clock'> &
  Granted<{ replays: 'clicks' | 'segment' | 'segments'; viewers: 'note' | 'of' }>

/** Parts of a replay as Sentry's clients read them: recordings, clicks, who saw it. */
export const createRecordingRoutes = (services: RecordingServices): Route[] => [
  segmentsRoute(services),
  segmentRoute(services),
  clicksRoute(services),
  viewersRoute(services),
  noteViewRoute(services),
]

const headersOf = (name: string) => ({
  'content-type': 'application/json',
  'content-disposition': `attachment; filename="${name}.json"`,
})

const segmentJson = ({ record }: FoundReplay, { receivedAt, segmentId }: SegmentRecord) => ({
  replayId: record.replayId,
  segmentId,
  projectId: String(record.projectId),
  dateAdded: toDate(receivedAt),
})

/** Those that came with a recording, in the order of their numbers, as Sentry's clients expect it. */
const recordedSegments = async (
  { replays }: Granted<{ replays: 'segments' }>,
  { record, scope }: FoundReplay,
): Promise<SegmentRecord[]> =>
  (await replays.segments(scope, record))
    .filter(({ blobKey }) => blobKey !== '')
    .toSorted((one, other) => one.segmentId - other.segmentId)

const segmentsRoute = (services: RecordingServices): Route =>
  bind(listReplaySegments, async ({ params, query, request }) => {
    const found = await findOfProject(services, request.organization.id, params)
    const segments = await recordedSegments(services, found)
    const asked = readPage({ cursor: query.cursor, limit: query.per_page ?? REPLAY_SEGMENTS_PER_PAGE_MAX })
    const { rows, page } = toPage(segments.slice(asked.offset, asked.offset + asked.limit + 1), asked)
    // Sentry answers what was recorded, page by page, whether it is asked to `download` or not. Who downloads and asks for
    // no page wants all.
    const wantsAll = query.download !== undefined && query.per_page === undefined && query.cursor === undefined
    const wanted = wantsAll ? segments : rows
    const headers = { ...headersOf(`replay-${found.record.replayId}`), link: formatLinkHeader(request.url, page) }
    return { bytes: segmentsFile(services, wanted), headers }
  })

const segmentRoute = (services: RecordingServices): Route =>
  bind(getReplaySegment, async ({ params, query, request }) => {
    const found = await findOfProject(services, request.organization.id, params)
    const segment = await services.replays.segment(found.scope, found.record, {
      has: 'recording',
      written: params.segment,
    })
    if (segment === undefined) throw notFound()
    if (query.download === undefined) return { body: { data: segmentJson(found, segment) } }
    const headers = headersOf(`replay-${found.record.replayId}-segment-${segment.segmentId}`)
    return { bytes: await segmentFile(services, segment), headers }
  })

const clicksRoute = (services: RecordingServices): Route =>
  bind(listReplayClicks, async ({ params, query, request }) => {
    const { record, scope } = await findOfProject(services, request.organization.id, params)
    const asked = readPage({ cursor: query.cursor, limit: query.per_page })
    const filter = compileClickSearch(query.query ?? '', services.clock.now())
    if (!filter.ok) throw badRequest(filter.error.message)
    const { rows, page } = toPage(await services.replays.clicks(scope, record, asked, filter.value), asked)
    return { body: { data: rows.map(({ at, nodeId }) => ({ node_id: nodeId, timestamp: toDate(at) })) }, page }
  })

const viewerJson = ({ id, name, email, createdAt, lastLoginAt, viewedAt }: Viewer) => ({
  id: String(id),
  type: 'user' as const,
  name,
  email,
  username: email,
  avatar: { avatarType: 'letter_avatar', avatarUuid: null, avatarUrl: null },
  avatarUrl: '',
  emails: [{ id: String(id), email, is_verified: false }],
  isActive: true,
  isManaged: false,
  isStaff: false,
  isSuperuser: false,
  has2fa: false,
  hasPasswordAuth: true,
  dateJoined: toDate(createdAt),
  lastLogin: lastLoginAt === null ? null : toDate(lastLoginAt),
  lastActive: toDate(Math.max(lastLoginAt ?? 0, viewedAt)),
  experiments: {},
})

const viewersRoute = (services: RecordingServices): Route =>
  bind(listReplayViewers, async ({ params, request }) => {
    const { record } = await findOfProject(services, request.organization.id, params)
    const viewers = await services.viewers.of(record)
    return { body: { data: { viewed_by: viewers.map(viewerJson) } } }
  })

const noteViewRoute = (services: RecordingServices): Route =>
  bind(noteReplayViewed, async ({ params, request }) => {
    const { record } = await findOfProject(services, request.organization.id, params)
    // People of any role have what they saw marked for themselves; a token that may only read changes nothing.
    const leavesMark = request.caller.kind === 'session' || request.organization.scopes.has('event:write')
    if (leavesMark) await services.viewers.note(record, request.caller.user.id)
    return { body: null }
  })
