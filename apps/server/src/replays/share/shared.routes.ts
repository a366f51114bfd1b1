import {
  getSharedReplay,
  getSharedReplayAsset,
  getSharedReplayChunk,
  getSharedReplayTouches,
  getSharedReplayVideo,
  listSharedReplayChunks,
  type SharedReplay,
} from '@firsthand/contract'
import { bind, explainRefusal, HttpError, notFound, type Route } from '../../http/index.ts'
import { onBehalfOf, type CallerContext } from '../../lib/caller-context.ts'
import { toDate } from '../../lib/instant-text.ts'
import { createOnceAtATime, createSharedAnswers } from '../../lib/shared-answers.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import type { OpenLink, ReplayLinks, Stretch } from '../ledger/replay-links.ts'
import type { SegmentRecord } from '../replay.ts'
import type { Pack } from '../ledger/replay-packs.ts'
import { chunkIn, chunksAfter } from '../playback/chunk-list.ts'
import { indexOf, readChunkNumber } from '../playback/chunk-number.ts'
import { cutBefore, cutByNow, placeOf, readableByNow } from '../playback/find-packs.ts'
import { assetHeaders } from '../assets/asset-headers.ts'
import type { Packs, ReadablePack } from '../playback/packs.ts'
import { isBeyond } from '../asked-thread.ts'
import { LIMITS } from '../limits.ts'
import { pagesOf } from '../overview/pages.ts'
import { isFilmed } from '../segment-rules.ts'
import { refuseBeyond } from '../refuse-beyond.ts'
import type { Granted, ReplayServices } from '../services.ts'
import { videoReply } from '../videos/video-reply.ts'
import { videosOf } from '../videos/videos.ts'
import { nothingOpens, openLink } from './open-link.ts'
import { readFingers, readShared, sharedChunks, type Opened, type SharedReading } from './read-shared.ts'
import { dataAddressOf, type SharedAssets } from './shared-assets.ts'
import type { Slicing } from './slicing.ts'
import { chunksIn, shownOf, videosIn, type PlacedChunk, type Shown } from './shared-playback.ts'

type SharedServices = SharedReading &
  Pick<ReplayServices, 'projects'> &
  Granted<{ deletions: 'find'; replays: 'find' }> & {
    readonly links: Pick<ReplayLinks, 'countViews' | 'find'>
    readonly packs: Pick<Packs, 'find' | 'partOf' | 'read' | 'underWay'>
    readonly slicing: Pick<Slicing, 'slice'>
  }

export const MANY_OPEN = 'Many people open this replay at this moment. Try again in a few seconds.'
const NOT_HERE = 'This part of the recording is not here any more. Load the page again.'
const NOT_READ = 'This replay could not be read at this moment. Try again in a few seconds.'

/**
 * What people without an account see by a link. All of them have the turns of one caller, so that what many of them ask for
 * at the same time is read once: none of them can keep the others out.
 */
export const createSharedRoutes = (services: SharedServices): Route[] => {
  const once = createOnceAtATime()
  return [
    replayRoute(services),
    chunksRoute(services, once),
    chunkRoute(services, once, createSlices(services)),
    assetRoute(services),
    videoRoute(services, once),
    touchesRoute(services, once),
  ]
}

type Once = ReturnType<typeof createOnceAtATime>

/** @throws HttpError 404 */
const open = async ({ projects, replays }: SharedServices, link: OpenLink): Promise<Opened> => {
  const { organizationId, projectId, replayId } = link.replay
  const scope = { organizationId, projectIds: [projectId] }
  const [living, record] = await Promise.all([projects(organizationId), replays.find(scope, replayId)])
  const shown = record === null ? null : shownOf(record, link)
  if (record === null || shown === null) throw nothingOpens()
  return { found: { scope, projects: living, record }, shown }
}

/** Whoever has a link may open it without end: all of them have the turns of one caller. */
const strangersOf = ({ id, replay: { organizationId } }: OpenLink): CallerContext => ({
  organizationId,
  caller: `link:${id}`,
})

/** All links of an organisation take turns as one at the thread that cuts for everybody. */
const turnsOf = ({ replay: { organizationId } }: OpenLink): CallerContext => ({ organizationId, caller: 'links' })

/** @throws HttpError 404 */
const asStranger = async <Value>(
  services: SharedServices,
  token: string,
  work: (link: OpenLink, caller: CallerContext) => Promise<Value>,
): Promise<Value> => {
  const link = await openLink(services, token)
  if (link === null) throw nothingOpens()
  const caller = strangersOf(link)
  return onBehalfOf(caller, () => work(link, caller)).catch(saidToStrangers)
}

/** They search nothing and have no organisation: what is said of that would make no sense to them. */
const saidToStrangers = (thrown: unknown): never => {
  if (!(thrown instanceof StatementRefusal) || thrown.reason === 'preparing') throw thrown
  const { headers } = explainRefusal(thrown)
  const more = { headers, cause: thrown }
  if (thrown.reason === 'busy' || thrown.reason === 'unchanged') throw new HttpError(503, MANY_OPEN, more)
  throw new HttpError(503, NOT_READ, more)
}

/** Views that come while others are written are written together, after them. */
const createViewCounts = ({ links }: Pick<SharedServices, 'links'>) => {
  interface Waiting {
    times: number
    done: Promise<void>
  }
  const writing = new Map<number, Promise<void>>()
  const waiting = new Map<number, Waiting>()

  const write = async (id: number, next: Waiting): Promise<void> => {
    // Told to those whose views it was; this one only waits for its end.
    await writing.get(id)?.catch(() => undefined)
    waiting.delete(id)
    const written = links.countViews(id, next.times)
    writing.set(id, written)
    await written.finally(() => writing.delete(id))
  }

  return (id: number): Promise<void> => {
    const joined = waiting.get(id)
    if (joined !== undefined) {
      joined.times += 1
      return joined.done
    }
    const next: Waiting = { times: 1, done: Promise.resolve() }
    waiting.set(id, next)
    next.done = write(id, next)
    return next.done
  }
}

const replayRoute = (services: SharedServices): Route => {
  const answers = createSharedAnswers<Omit<SharedReplay, 'expiresAt'>>({
    clock: services.clock,
    keptMs: LIMITS.REPLAY_SHARED_ANSWER_MS,
    capacity: LIMITS.REPLAY_SHARED_ANSWERS_ENTRIES,
    weigh: ({ chunks, playback }) => 1 + chunks.length + playback.marks.length,
  })
  const countView = createViewCounts(services)
  return bind(getSharedReplay, ({ params }) =>
    // Whether the link opens anything is looked up for each of them.
    asStranger(services, params.token, async (link) => {
      const answer = await answers(String(link.id), async () => {
        const { playback, segments } = await readShared(services, link.replay, await open(services, link))
        // Nobody waits for more than the first chunk of a replay that is still to be cut.
        return { playback, ...sharedChunks(await services.packs.partOf(link.replay, segments), within(link)) }
      })
      await countView(link.id)
      return { body: { ...answer, expiresAt: toDate(link.expiresAt) } }
    }),
  )
}

const refuseSlice = refuseBeyond(
  'This part of the recording takes more time or memory to cut than it may, so it is not shown.',
)

/** What lies outside of the replay need not be cut off. */
const within = ({ from, to }: Stretch): Shown => ({ from: from ?? -Infinity, to: to ?? Infinity })

/** What can be read by now, for whoever has seen a part of it. */
const readablePack = ({ packs, replays }: SharedServices, { replay }: OpenLink): Promise<ReadablePack> => {
  const place = placeOf(replay)
  return readableByNow(packs, place, async () => ({ replay, segments: await replays.segments(place, replay) }))
}

const chunksRoute = (services: SharedServices, once: Once): Route =>
  bind(listSharedReplayChunks, ({ params, query }) =>
    asStranger(services, params.token, async (link) => {
      const pack = await once(`packs/${link.id}`, () => readablePack(services, link))
      const { chunks, preparing } = sharedChunks(pack, within(link))
      return { body: { ...chunksAfter(chunks, query.after), preparing } }
    }),
  )

/** Of the pack as it is now: when more came since the list was read, it is the chunk at the same place. */
const chunkAt = (pack: Pack, number: number, link: OpenLink): PlacedChunk | undefined =>
  chunksIn(pack.chunks, within(link)).find(({ index }) => index === indexOf(number))

/** Of a link that is revoked. */
const LEAVES_NOTHING = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' }

type Slices = ReturnType<typeof createSlices>

/**
 * Chunks as links show them. What one is made of is in the name that it is remembered by, so that none is out of date; all
 * who look at a replay at the same time, by whatever link, get the same.
 */
const createSlices = ({ clock, slicing }: SharedServices) => {
  const slices = createSharedAnswers<Uint8Array>({
    clock,
    keptMs: LIMITS.REPLAY_SLICES_HELD_MS,
    capacity: LIMITS.REPLAY_SLICES_HELD_BYTES,
    weigh: ({ byteLength }) => byteLength,
  })
  return (
    link: OpenLink,
    { chunk, isCut }: PlacedChunk,
    { forSlicing: kept, version }: SharedAssets,
    read: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> => {
    const shown = within(link)
    const stretch = isCut ? `${shown.from}-${shown.to}` : ''
    return slices(`${chunk.key} ${stretch} ${version}`, async () => {
      const json = await read()
      try {
        return (await slicing.slice(turnsOf(link), { json, kept, shown })).bytes
      } catch (thrown) {
        // Where nothing of it is cut off, it may be seen as it was recorded.
        return isCut || !isBeyond(thrown) ? refuseSlice(thrown) : json
      }
    })
  }
}

const readChunk = async (
  services: SharedServices,
  { once, slices }: { readonly once: Once; readonly slices: Slices },
  link: OpenLink,
  number: string,
): Promise<Uint8Array> => {
  const named = readChunkNumber(number)
  const place = placeOf(link.replay)
  const begun = cutByNow(services.packs, place)
  const cut =
    chunkIn(begun?.pack, named) === undefined
      ? await once(`pack/${link.id}`, () => cutBefore(services.packs, place))
      : begun
  const placed = cut === null ? undefined : chunkAt(cut.pack, named, link)
  if (placed === undefined) throw notFound(NOT_HERE)
  const read = async (): Promise<Uint8Array> => {
    const json = await services.packs.read(link.replay, placed.chunk)
    if (json === null) throw notFound(NOT_HERE)
    return json
  }
  const kept = await services.sharedAssets(link.replay)
  return placed.isCut || kept.forSlicing !== null ? slices(link, placed, kept, read) : read()
}

const chunkRoute = (services: SharedServices, once: Once, slices: Slices): Route =>
  bind(getSharedReplayChunk, ({ params: { number, token } }) =>
    asStranger(services, token, async (link, caller) => ({
      bytes: await once(`chunk/${link.id}/${number}`, () => readChunk(services, { once, slices }, link, number)),
      compress: true,
      owner: caller.caller,
      headers: { ...LEAVES_NOTHING, 'content-type': 'application/json' },
    })),
  )

/** Its name is known to whoever was given a chunk that shows it. */
const assetRoute = (services: SharedServices): Route =>
  bind(getSharedReplayAsset, ({ params }) =>
    asStranger(services, params.token, async (link, caller) => {
      const asset = (await services.sharedAssets(link.replay)).named.get(params.asset)
      const bytes = asset === undefined ? null : await dataAddressOf(services, asset)
      if (asset === undefined || bytes === null) throw notFound(NOT_HERE)
      const headers = { ...assetHeaders(params.asset, asset.blobKey), ...LEAVES_NOTHING }
      return { bytes, compress: true, owner: caller.caller, headers }
    }),
  )

/** A segment whose video is shown by a link. */
const filmedSegment = async (
  services: SharedServices,
  link: OpenLink,
  written: string,
): Promise<SegmentRecord | undefined> => {
  const { replays } = services
  const { found, shown } = await open(services, link)
  const { record, scope } = found
  const segments = await replays.segments(scope, record)
  const segment = segments.find((one) => isFilmed(one) && String(one.segmentId) === written)
  if (segment === undefined || (link.from === null && link.to === null)) return segment
  const marks = await replays.marks(scope, record)
  const videos = videosIn(videosOf(segments, marks, pagesOf(marks)), record, shown)
  return videos.some(({ segmentId }) => segmentId === segment.segmentId) ? segment : undefined
}

/** The same segment, for all who ask for it at the same time. */
const filmedOnce = (services: SharedServices, once: Once, link: OpenLink, segment: string) =>
  once(`film/${link.id}/${segment}`, () => filmedSegment(services, link, segment))

const videoRoute = (services: SharedServices, once: Once): Route =>
  bind(getSharedReplayVideo, ({ params }) =>
    asStranger(services, params.token, async (link, caller) => {
      const segment = await filmedOnce(services, once, link, params.segment)
      const reply = await videoReply(services.blobs, segment, `replay-segment-${params.segment}`)
      return { ...reply, owner: caller.caller, headers: { ...reply.headers, ...LEAVES_NOTHING } }
    }),
  )

const touchesRoute = (services: SharedServices, once: Once): Route =>
  bind(getSharedReplayTouches, ({ params }) =>
    asStranger(services, params.token, async (link, caller) => {
      const segment = await filmedOnce(services, once, link, params.segment)
      if (segment === undefined) throw notFound('This segment of the replay has no video.')
      const bytes = await once(`touches/${link.id}/${segment.segmentId}`, () =>
        readFingers(services, turnsOf(link), segment).catch(refuseSlice),
      )
      return { bytes, owner: caller.caller, headers: { ...LEAVES_NOTHING, 'content-type': 'application/json' } }
    }),
  )
