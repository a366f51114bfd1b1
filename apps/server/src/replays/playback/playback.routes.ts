import { getReplayChunk, listReplayChunks } from '@firsthand/contract'
import { readTraceId } from '../../event/index.ts'
import { bind, notFound, type Route } from '../../http/index.ts'
import type { StoredChunk } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { findOfOrganization } from '../find-replay.ts'
import type { ReplayReference } from '../replay.ts'
import type { ReplayServices } from '../services.ts'
import { indexOf, numberOf } from './chunk-number.ts'
import type { Packs } from './packs.ts'

interface PlaybackServices extends ReplayServices {
  readonly packs: Packs
}

/** What players draw. */
export const createPlaybackRoutes = (services: PlaybackServices): Route[] => [
  chunksRoute(services),
  chunkRoute(services),
]

/** With all that came by now. @throws HttpError 404 */
const packOf = async (services: PlaybackServices, organizationId: number, replayId: string) => {
  const known = await cutAlready(services, organizationId, replayId)
  const read = async ({ projectId, replayId: id }: ReplayReference) => {
    const replay = { organizationId, projectId, replayId: id }
    return { replay, segments: await services.replays.segments({ organizationId, projectIds: [projectId] }, replay) }
  }
  let found = known === null ? null : await read(known)
  // Its segments may be too old by now.
  if (found === null || found.segments.length === 0) {
    found = await read((await findOfOrganization(services, organizationId, replayId)).record)
  }
  return { replay: found.replay, pack: await services.packs.of(found.replay, found.segments) }
}

/** One that was cut before needs not be looked for in telemetry, which takes as long as all the rest. */
const cutAlready = async (
  { deletions, packs, projects }: PlaybackServices,
  organizationId: number,
  written: string,
): Promise<ReplayReference | null> => {
  const replayId = readTraceId(written)
  const projectIds = (await projects(organizationId)).map(({ id }) => id)
  if (replayId === null || (await deletions.find(projectIds, replayId)) !== null) return null
  return (await packs.find(projectIds, replayId))?.replay ?? null
}

const chunksRoute = (services: PlaybackServices): Route =>
  bind(listReplayChunks, async ({ params, request }) => {
    const { pack } = await packOf(services, request.organization.id, params.replay)
    return {
      body: {
        chunks: pack.chunks.map(({ from, to, bytes, nodes }, index) => ({
          number: numberOf(pack, index),
          from,
          to,
          bytes,
          nodes,
        })),
        complete: services.clock.now() - pack.lastAt >= LIMITS.REPLAY_QUIET_MS,
      },
    }
  })

/** The chunk of a pack that was made, without asking what came since: a number names the same for ever. */
const readKnown = async (
  { deletions, packs, projects }: PlaybackServices,
  organizationId: number,
  named: { readonly replay: string; readonly number: number },
): Promise<Uint8Array | null> => {
  const replayId = readTraceId(named.replay)
  const projectIds = (await projects(organizationId)).map(({ id }) => id)
  if (replayId === null || (await deletions.find(projectIds, replayId)) !== null) return null
  const found = await packs.find(projectIds, replayId)
  const chunk = found?.pack.chunks[indexOf(named.number)]
  const isSame = found !== null && numberOf(found.pack, indexOf(named.number)) === named.number
  return isSame && chunk !== undefined ? packs.read({ organizationId, ...found.replay }, chunk) : null
}

/** More may have come since the list was read: then it is the chunk at the same place of the next pack. */
const readNow = async (
  services: PlaybackServices,
  organizationId: number,
  named: { readonly replay: string; readonly number: number },
): Promise<Uint8Array> => {
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
    const known = await readKnown(services, request.organization.id, named)
    return {
      bytes: known ?? (await readNow(services, request.organization.id, named)),
      compress: true,
      headers: {
        'content-type': 'application/json',
        'cache-control':
          known === null ? 'no-store' : `private, max-age=${LIMITS.REPLAY_CHUNK_CACHE_SECONDS}, immutable`,
      },
    }
  })
