import {
  getSharedReplay,
  getSharedReplayAsset,
  getSharedReplayChunk,
  listSharedReplayChunks,
  type SharedReplay,
} from '@firsthand/contract'
import { bind, notFound, type Route } from '../../http/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import { createOnceAtATime, createSharedAnswers } from '../../lib/shared-answers.ts'
import { assetHeaders } from '../assets/asset-headers.ts'
import type { OpenLink } from '../ledger/replay-links.ts'
import type { Pack } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { chunkIn, chunksAfter } from '../playback/chunk-list.ts'
import { indexOf, readChunkNumber } from '../playback/chunk-number.ts'
import { cutBefore, cutByNow, placeOf, readableByNow } from '../playback/find-packs.ts'
import type { ReadablePack } from '../playback/packs.ts'
import { asStranger, LEAVES_NOTHING, open } from './as-stranger.ts'
import { readShared, sharedChunks } from './read-shared.ts'
import { dataAddressOf } from './shared-assets.ts'
import { touchesRoute, videoRoute } from './shared-films.routes.ts'
import { chunksIn, type PlacedChunk } from './shared-playback.ts'
import type { Once, SharedServices } from './shared-services.ts'
import { createSlices, type Slices, within } from './slices.ts'
import { createViewCounts } from './view-counts.ts'

const NOT_HERE = 'This part of the recording is not here any more. Load the page again.'

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
