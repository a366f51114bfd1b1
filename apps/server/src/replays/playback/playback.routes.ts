import { getReplayChunk, listReplayChunks } from '@firsthand/contract'
import { readTraceId } from '../../event/index.ts'
import { bind, notFound, type Route } from '../../http/index.ts'
import type { Pack, StoredChunk } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { findOfOrganization } from '../find-replay.ts'
import type { ReplayReference } from '../replay.ts'
import type { ReplayServices } from '../services.ts'
import { indexOf, numberOf } from './chunk-number.ts'
import type { Packs, ReadablePack } from './packs.ts'

interface PlaybackServices extends ReplayServices {
  readonly packs: Packs
}

/** What players draw. */
export const createPlaybackRoutes = (services: PlaybackServices): Route[] => [
  chunksRoute(services),
  chunkRoute(services),
]

/** With all that came by now. @throws HttpError 404 */
const segmentsOf = async (services: PlaybackServices, organizationId: number, replayId: string) => {
  const known = await cutAlready(services, organizationId, replayId)
  const read = async ({ projectId, replayId: id }: ReplayReference) => {
    const replay = { organizationId, projectId, replayId: id }
    return { replay, segments: await services.replays.segments({ organizationId, projectIds: [projectId] }, replay) }
  }
  const found = known === null ? null : await read(known)
  // Its segments may be too old by now.
  return found !== null && found.segments.length > 0
    ? found
    : read((await findOfOrganization(services, organizationId, replayId)).record)
}

/** @throws HttpError 404 */
const packOf = async (services: PlaybackServices, organizationId: number, replayId: string) => {
  const { replay, segments } = await segmentsOf(services, organizationId, replayId)
  return { replay, pack: await services.packs.of(replay, segments) }
}

/** What can be read of it by now. Whoever waits for the rest asks often: then nothing is looked up. @throws HttpError 404 */
const partOf = async (services: PlaybackServices, organizationId: number, replayId: string): Promise<ReadablePack> => {
  const begun = await cutByNow(services, organizationId, replayId)
  if (begun !== null) return { pack: begun.pack, isPreparing: true }
  const { replay, segments } = await segmentsOf(services, organizationId, replayId)
  return services.packs.partOf(replay, segments)
}

/** In which projects a replay may be, without asking telemetry; none for one that was deleted. */
const placesOf = async (
  { deletions, projects }: PlaybackServices,
  organizationId: number,
  written: string,
): Promise<{ readonly projectIds: readonly number[]; readonly replayId: string } | null> => {
  const replayId = readTraceId(written)
  const projectIds = (await projects(organizationId)).map(({ id }) => id)
  return replayId === null || (await deletions.find(projectIds, replayId)) !== null ? null : { projectIds, replayId }
}

/** One that was cut before needs not be looked for in telemetry, which takes as long as all the rest. */
const cutAlready = async (
  services: PlaybackServices,
  organizationId: number,
  written: string,
): Promise<ReplayReference | null> => {
  const places = await placesOf(services, organizationId, written)
  return places === null ? null : ((await services.packs.find(places.projectIds, places.replayId))?.replay ?? null)
}

/** One that is being cut, as far as that is. */
const cutByNow = async (services: PlaybackServices, organizationId: number, written: string) => {
  const places = await placesOf(services, organizationId, written)
  return places === null ? null : services.packs.underWay(places.projectIds, places.replayId)
}

const chunksRoute = (services: PlaybackServices): Route =>
  bind(listReplayChunks, async ({ params, query, request }) => {
    const { id } = request.organization
    const { isPreparing, pack } =
      query.partly === true
        ? await partOf(services, id, params.replay)
        : { ...(await packOf(services, id, params.replay)), isPreparing: false }
    return {
      body: {
        chunks: pack.chunks.map(({ from, to, bytes, nodes }, index) => ({
          number: numberOf(pack, index),
          from,
          to,
          bytes,
          nodes,
        })),
        preparing: isPreparing,
        complete: services.clock.now() - pack.lastAt >= LIMITS.REPLAY_QUIET_MS,
      },
    }
  })

interface NamedChunk {
  readonly replay: string
  readonly number: number
}

const chunkIn = (pack: Pack | undefined, number: number): StoredChunk | undefined =>
  pack !== undefined && numberOf(pack, indexOf(number)) === number ? pack.chunks[indexOf(number)] : undefined

/** The chunk of a pack that was made, without asking what came since: a number names the same for ever. */
const readKnown = async (
  services: PlaybackServices,
  organizationId: number,
  { number, replay }: NamedChunk,
): Promise<Uint8Array | null> => {
  const places = await placesOf(services, organizationId, replay)
  if (places === null) return null
  const found = await services.packs.find(places.projectIds, places.replayId)
  const chunk = chunkIn(found?.pack, number)
  return found !== null && chunk !== undefined ? services.packs.read({ organizationId, ...found.replay }, chunk) : null
}

/** Of a pack that is being made: were that to fail, the same number might become another chunk. */
const readByNow = async (
  services: PlaybackServices,
  organizationId: number,
  { number, replay }: NamedChunk,
): Promise<Uint8Array | null> => {
  const found = await cutByNow(services, organizationId, replay)
  const chunk = chunkIn(found?.pack, number)
  return found !== null && chunk !== undefined ? services.packs.read(found.replay, chunk) : null
}

/** More may have come since the list was read: then it is the chunk at the same place of the next pack. */
const readNow = async (services: PlaybackServices, organizationId: number, named: NamedChunk): Promise<Uint8Array> => {
  const { pack, replay } = await packOf(services, organizationId, named.replay)
  const chunk: StoredChunk | undefined = pack.chunks[indexOf(named.number)]
  const json = chunk === undefined ? null : await services.packs.read(replay, chunk)
  if (json === null) throw notFound('This replay has no such chunk any more. Read the list of its chunks again.')
  return json
}

const chunkRoute = (services: PlaybackServices): Route =>
  bind(getReplayChunk, async ({ params, request }) => {
    const number = /^\d{1,15}$/.test(params.number) ? Number(params.number) : Number.NaN
    const named = { replay: params.replay, number }
    const { id } = request.organization
    const known = await readKnown(services, id, named)
    return {
      bytes: known ?? (await readByNow(services, id, named)) ?? (await readNow(services, id, named)),
      compress: true,
      headers: {
        'content-type': 'application/json',
        'cache-control':
          known === null ? 'no-store' : `private, max-age=${LIMITS.REPLAY_CHUNK_CACHE_SECONDS}, immutable`,
      },
    }
  })
