import { getReplayChunk, listReplayChunks } from '@firsthand/contract'
import { readTraceId } from '../../event/index.ts'
import { bind, notFound, type Route } from '../../http/index.ts'
import type { StoredChunk } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { deletedIn, findOfOrganization, type Finding } from '../find-replay.ts'
import type { OwnedReplay, SegmentRecord } from '../replay.ts'
import { isComplete } from '../segment-rules.ts'
import type { Granted, ReplayServices } from '../services.ts'
import { chunkIn, chunkJson, chunksAfter } from './chunk-list.ts'
import { indexOf, readChunkNumber, versionIn } from './chunk-number.ts'
import { cutBefore, cutByNow, readableByNow, type ReplayPlace } from './find-packs.ts'
import { isVersionOf } from './pack-version.ts'
import type { CutReplay, Packs, ReadablePack } from './packs.ts'

type PlaybackServices = Finding &
  Pick<ReplayServices, 'clock'> &
  Granted<{ replays: 'segments' }> & { readonly packs: Packs }

/** What players draw. */
export const createPlaybackRoutes = (services: PlaybackServices): Route[] => [
  chunksRoute(services),
  chunkRoute(services),
]

/** A replay that a request names, and where the ledger says that it may be. Looked up once for each request. */
interface Asked {
  readonly organizationId: number
  /** As the request has it. */
  readonly written: string
  /** Null for one that was deleted, and for what is no id. */
  readonly place: ReplayPlace | null
}

const lookUp = async (
  { deletions, projects }: PlaybackServices,
  organizationId: number,
  written: string,
): Promise<Asked> => {
  const replayId = readTraceId(written)
  if (replayId === null) return { organizationId, written, place: null }
  const all = (await projects(organizationId)).map(({ id }) => id)
  const { others: projectIds } = await deletedIn({ deletions }, all, replayId)
  return { organizationId, written, place: projectIds.length === 0 ? null : { organizationId, projectIds, replayId } }
}

/**
 * With all that came by now. One that was cut before needs not be looked for in telemetry, which takes as long as all the
 * rest. @throws HttpError 404
 */
const segmentsOf = async (services: PlaybackServices, asked: Asked, known: CutReplay | null) => {
  const { organizationId, written } = asked
  const read = async ({ projectId, replayId }: Pick<OwnedReplay, 'projectId' | 'replayId'>) => {
    const replay = { organizationId, projectId, replayId }
    return { replay, segments: await services.replays.segments({ organizationId, projectIds: [projectId] }, replay) }
  }
  const found = known === null ? null : await read(known.replay)
  // Its segments may be too old by now.
  return found !== null && found.segments.length > 0
    ? found
    : read((await findOfOrganization(services, organizationId, written)).record)
}

/** All of it. @throws HttpError 404 */
const packOf = async (services: PlaybackServices, asked: Asked, known: CutReplay | null): Promise<CutReplay> => {
  const { replay, segments } = await segmentsOf(services, asked, known)
  return { replay, pack: await services.packs.of(replay, segments, known?.pack) }
}

/** What can be read of it by now. @throws HttpError 404 */
const partOf = (services: PlaybackServices, asked: Asked): Promise<ReadablePack> =>
  readableByNow(services.packs, asked.place, async (before) => segmentsOf(services, asked, await before))

const chunksRoute = (services: PlaybackServices): Route =>
  bind(listReplayChunks, async ({ params, query, request }) => {
    const asked = await lookUp(services, request.organization.id, params.replay)
    const { isPreparing, pack } =
      query.partly === true
        ? await partOf(services, asked)
        : { ...(await packOf(services, asked, await cutBefore(services.packs, asked.place))), isPreparing: false }
    const all = pack.chunks.map((chunk, index) => chunkJson(pack, chunk, index))
    return {
      body: {
        ...chunksAfter(all, query.after),
        preparing: isPreparing,
        complete: isComplete(pack.lastAt, services.clock.now()),
      },
    }
  })

/** Of a pack that was made or is being made. */
const readChunk = async (
  { packs }: PlaybackServices,
  found: CutReplay | null,
  number: number,
): Promise<Uint8Array | null> => {
  const chunk = chunkIn(found?.pack, number)
  return found !== null && chunk !== undefined ? packs.read(found.replay, chunk) : null
}

const NO_CHUNK = 'This replay has no such chunk any more. Read the list of its chunks again.'

/**
 * Nothing is cut for a number that nobody was told: one of this replay bears the version of the pack that was made, or of
 * what had come when one was. Whether such a pack has so many chunks is known only when it is cut.
 */
const isOfReplay = (number: number, segments: readonly SegmentRecord[], known: CutReplay | null): boolean => {
  const version = versionIn(number)
  return indexOf(number) < LIMITS.REPLAY_CHUNKS && (version === known?.pack.version || isVersionOf(version, segments))
}

/** More may have come since the list was read: then it is the chunk at the same place of the next pack. @throws HttpError 404 */
const readNow = async (
  services: PlaybackServices,
  asked: Asked,
  known: CutReplay | null,
  number: number,
): Promise<Uint8Array> => {
  // A chunk that is gone took its pack with it.
  const left = chunkIn(known?.pack, number) === undefined ? known : null
  const { replay, segments } = await segmentsOf(services, asked, left)
  if (!isOfReplay(number, segments, known)) throw notFound(NO_CHUNK)
  const { chunks } = await services.packs.of(replay, segments, left?.pack)
  const chunk: StoredChunk | undefined = chunks[indexOf(number)]
  const json = chunk === undefined ? null : await services.packs.read(replay, chunk)
  if (json === null) throw notFound(NO_CHUNK)
  return json
}

const KEPT = `private, max-age=${LIMITS.REPLAY_CHUNK_CACHE_SECONDS}, immutable`

const chunkRoute = (services: PlaybackServices): Route =>
  bind(getReplayChunk, async ({ params, request }) => {
    const number = readChunkNumber(params.number)
    const reply = (bytes: Uint8Array, caching: string) => ({
      bytes,
      compress: true as const,
      headers: { 'content-type': 'application/json', 'cache-control': caching },
    })
    const asked = await lookUp(services, request.organization.id, params.replay)
    const known = await cutBefore(services.packs, asked.place)
    // What came since needs not be asked for: a number of a pack that was made names the same for ever.
    const made = await readChunk(services, known, number)
    if (made !== null) return reply(made, KEPT)
    // Were this pack to fail, the same number might become another chunk.
    const begun = await readChunk(services, cutByNow(services.packs, asked.place), number)
    if (begun !== null) return reply(begun, 'no-store')
    return reply(await readNow(services, asked, known, number), 'no-store')
  })
