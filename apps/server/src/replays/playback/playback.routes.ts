import { getReplayChunk, listReplayChunks } from '@firsthand/contract'
import { bind, notFound, type Route } from '../../http/index.ts'
import { LIMITS } from '../limits.ts'
import { findOfOrganization, type FoundReplay, type ReplayServices } from '../replays.routes.ts'
import type { Pack, Packs } from './packs.ts'

interface PlaybackServices extends ReplayServices {
  readonly packs: Packs
}

/** Of one replay at most; numbers of chunks have the version of their pack before it. */
const CHUNKS = 1_000_000

const numberOf = ({ version }: Pack, index: number): number => version * CHUNKS + index

/** What players draw. */
export const createPlaybackRoutes = (services: PlaybackServices): Route[] => [
  chunksRoute(services),
  chunkRoute(services),
]

const packOf = async ({ packs, replays }: PlaybackServices, { record, scope }: FoundReplay) => {
  const segments = await replays.segments(scope, record)
  return { segments, pack: await packs.of(record, segments) }
}

const chunksRoute = (services: PlaybackServices): Route =>
  bind(listReplayChunks, async ({ params, request }) => {
    const found = await findOfOrganization(services, request.organization.id, params.replay)
    const { pack, segments } = await packOf(services, found)
    const last = segments.reduce((latest, { receivedAt }) => Math.max(latest, receivedAt), 0)
    return {
      body: {
        chunks: pack.chunks.map(({ from, to, bytes, nodes }, index) => ({
          number: numberOf(pack, index),
          from,
          to,
          bytes,
          nodes,
        })),
        complete: services.clock.now() - last >= LIMITS.REPLAY_QUIET_MS,
      },
    }
  })

const chunkRoute = (services: PlaybackServices): Route =>
  bind(getReplayChunk, async ({ params, request }) => {
    const found = await findOfOrganization(services, request.organization.id, params.replay)
    const { pack } = await packOf(services, found)
    const number = /^\d{1,15}$/.test(params.number) ? Number(params.number) : Number.NaN
    // More may have come since the list was read. Then it is the same chunk, or the one at its place.
    const index = number % CHUNKS
    const chunk = pack.chunks[index]
    if (chunk === undefined)
      throw notFound('This replay has no such chunk any more. Read the list of its chunks again.')
    const isSame = number === numberOf(pack, index)
    return {
      bytes: chunk.packed,
      packed: 'gzip',
      headers: {
        'content-type': 'application/json',
        'cache-control': isSame ? `private, max-age=${LIMITS.REPLAY_CHUNK_CACHE_SECONDS}, immutable` : 'no-store',
      },
    }
  })
