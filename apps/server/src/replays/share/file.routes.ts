import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getReplayFile, type ReplayPlayback } from '@firsthand/contract'
import { bind, conflict, type Route } from '../../http/index.ts'
import type { CallerContext } from '../../lib/caller-context.ts'
import { messageOf } from '../../lib/error-text.ts'
import { isBeyond } from '../asked-thread.ts'
import type { OwnedReplay } from '../replay.ts'
import { LIMITS } from '../limits.ts'
import { numberOf } from '../playback/chunk-number.ts'
import type { Packs } from '../playback/packs.ts'
import { findOfProject, type Finding, type FoundReplay } from '../find-replay.ts'
import { isFilmed } from '../segment-rules.ts'
import { headOf, videoType } from '../videos/video-file.ts'
import { replayFile, type FileChunk, type FileVideo, type PlayerParts } from './replay-file.ts'
import { chunksIn, type PlacedChunk } from './shared-playback.ts'
import { FILM_FOLDER, PLAYER_FOLDER } from './shared-page.ts'
import { dataAddressOf } from './shared-assets.ts'
import type { Sliced, Slicing } from './slicing.ts'
import type { Slice } from './slicing-thread.ts'
import { readFingers, readShared, readShown, sharedChunks, type SharedReading } from './read-shared.ts'

type FileServices = Finding &
  SharedReading & {
    readonly packs: Pick<Packs, 'of' | 'read'>
    readonly slicing: Pick<Slicing, 'pack'>
    /** As it was built. */
    readonly player: () => Promise<PlayerParts>
  }

const NOTHING: Slice = { bytes: new Uint8Array(), named: [], rawBytes: 0, sheetsLeftOut: 0 }

/** @param dir folder of the console's built files */
export const readPlayerFrom = (dir: string) => async (): Promise<PlayerParts> => {
  const read = (...path: readonly string[]): Promise<string> => readFile(join(dir, ...path), 'utf8')
  const parts = Promise.all([
    read(PLAYER_FOLDER, 'player.js'),
    read(PLAYER_FOLDER, 'player.css'),
    read(FILM_FOLDER, 'film.js'),
  ])
  const [script, style, film] = await parts.catch(() => {
    throw conflict(
      'The player that goes into the file is not built. Whoever runs the server has to build the console: `npm run build`.',
    )
  })
  return { script, style, film }
}

const MB = 1024 * 1024

/** @returns bytes that a file has left @throws HttpError 409 */
const checkSize = (chunks: readonly PlacedChunk[], videos: readonly { readonly bytes: number }[]): number => {
  const bytes = [...chunks.map(({ chunk }) => chunk), ...videos].reduce((sum, one) => sum + one.bytes, 0)
  if (bytes <= LIMITS.REPLAY_FILE_BYTES) return LIMITS.REPLAY_FILE_BYTES - bytes
  throw conflict(
    `What is drawn and filmed of this stretch has ${Math.ceil(bytes / MB)} MB, and a file takes ${LIMITS.REPLAY_FILE_BYTES / MB} MB. Choose a shorter stretch, for example around the moment that matters.`,
  )
}

export const createFileRoutes = (services: FileServices): Route[] => {
  const { logger, packs, slicing } = services

  /**
   * A chunk that cannot be packed is left out: the player says so when it comes to it.
   *
   * @param free bytes that style sheets may add to all of them
   */
  const reading = (replay: OwnedReplay, caller: CallerContext, sliced: Omit<Sliced, 'json'>, free: number) => {
    let room = free
    return async ({ chunk }: PlacedChunk): Promise<Slice> => {
      const json = await packs.read(replay, chunk)
      if (json === null) throw new Error('A chunk of the replay is gone')
      try {
        const slice = await slicing.pack(caller, { ...sliced, json }, room)
        room = Math.max(0, room - Math.max(0, slice.rawBytes - chunk.bytes))
        return slice
      } catch (error) {
        if (!isBeyond(error)) throw error
        logger.warn('a chunk was left out of the file of a replay', { ...replay, error: messageOf(error) })
        return NOTHING
      }
    }
  }

  /** Videos with what they are; one of no format that browsers play, or that is gone, is left out: the player says so. */
  const film = async (
    { record, scope }: FoundReplay,
    videos: ReplayPlayback['videos'],
    caller: CallerContext,
  ): Promise<FileVideo[]> => {
    if (videos.length === 0) return []
    const segments = await services.replays.segments(scope, record)
    const found: FileVideo[] = []
    for (const { segmentId } of videos) {
      const segment = segments.find((one) => isFilmed(one) && one.segmentId === segmentId)
      const head = segment === undefined ? null : await headOf(services.blobs, segment.videoKey)
      const type = head === null ? null : videoType(head)
      if (segment === undefined || type === null) continue
      found.push({
        segmentId,
        type,
        pieces: async function* () {
          yield* (await services.blobs.open(segment.videoKey)) ?? []
        },
        touches: () => readFingers(services, caller, segment),
      })
    }
    return found
  }

  return [
    bind(getReplayFile, async ({ params, query, request }) => {
      const found = await findOfProject(services, request.organization.id, params)
      const shown = readShown(found.record, { from: query.from ?? null, to: query.to ?? null })
      const { projectId, replayId } = found.record
      const replay = { organizationId: request.organization.id, projectId, replayId }
      const [player, { assets, playback, segments }] = await Promise.all([
        services.player(),
        readShared(services, replay, { found, shown }),
      ])
      const pack = await packs.of(replay, segments)
      const placed = chunksIn(pack.chunks, shown)
      const { videos } = playback
      const room = checkSize(placed, videos)
      const caller = { organizationId: replay.organizationId, caller: `user:${request.caller.user.id}` }
      const kept = assets.forSlicing
      const read = reading(replay, caller, { kept, shown }, room)
      const mostPutIn = kept === null ? 0 : Math.min(room, LIMITS.REPLAY_SHARED_PUT_IN_CHARS)
      const chunks = placed.map((one): FileChunk => ({
        number: numberOf(pack, one.index),
        bytes: one.chunk.bytes + mostPutIn,
        read: () => read(one),
      }))
      const readAsset = async (name: string): Promise<Uint8Array | null> => {
        const asset = assets.named.get(name)
        return asset === undefined ? null : dataAddressOf(services, asset)
      }
      return {
        bytes: replayFile(
          player,
          { playback, ...sharedChunks({ pack, isPreparing: false }, shown), expiresAt: null },
          { chunks, readAsset, shown, videos: await film(found, videos, caller) },
        ),
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-disposition': `attachment; filename="replay-${replayId.slice(0, 8)}.html"`,
          'cache-control': 'no-store',
        },
      }
    }),
  ]
}
