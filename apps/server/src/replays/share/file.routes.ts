import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getReplayFile } from '@firsthand/contract'
import { bind, conflict, type Route } from '../../http/index.ts'
import type { CallerContext } from '../../lib/caller-context.ts'
import type { Logger } from '../../lib/logger.ts'
import { messageOf } from '../../lib/error-text.ts'
import { ThreadEnded } from '../asked-thread.ts'
import type { OwnedReplay } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { numberOf } from '../playback/playback.routes.ts'
import { findOfProject } from '../find-replay.ts'
import { readShown } from './links.routes.ts'
import { replayFile, type FileChunk, type PlayerParts } from './replay-file.ts'
import { chunksIn, type PlacedChunk, type Shown } from './shared-playback.ts'
import { PLAYER_FOLDER } from './shared-page.ts'
import { readShared, type SharedServices } from './shared.routes.ts'

export interface FileServices extends SharedServices {
  /** As it was built. */
  readonly player: () => Promise<PlayerParts>
  readonly logger: Logger
}

const NOTHING = new Uint8Array()

/** @param dir folder of the console's built files */
export const readPlayerFrom = (dir: string) => async (): Promise<PlayerParts> => {
  const read = (name: string): Promise<string> => readFile(join(dir, PLAYER_FOLDER, name), 'utf8')
  const [script, style] = await Promise.all([read('player.js'), read('player.css')]).catch(() => {
    throw conflict(
      'The player that goes into the file is not built. Whoever runs the server has to build the console: `npm run build`.',
    )
  })
  return { script, style }
}

const MB = 1024 * 1024

/** @throws HttpError 409 */
const checkSize = (chunks: readonly PlacedChunk[]): void => {
  const bytes = chunks.reduce((sum, { chunk }) => sum + chunk.bytes, 0)
  if (bytes <= LIMITS.REPLAY_FILE_BYTES) return
  throw conflict(
    `What is drawn of this stretch has ${Math.ceil(bytes / MB)} MB, and a file takes ${LIMITS.REPLAY_FILE_BYTES / MB} MB. Choose a shorter stretch, for example around the moment that matters.`,
  )
}

export const createFileRoutes = (services: FileServices): Route[] => {
  const { logger, packs, slicing } = services

  /** A chunk that cannot be packed is left out: the player says so when it comes to it. */
  const reading =
    (replay: OwnedReplay, caller: CallerContext, shown: Shown) =>
    async ({ chunk }: PlacedChunk): Promise<Uint8Array> => {
      const json = await packs.read(replay, chunk)
      if (json === null) throw new Error('A chunk of the replay is gone')
      try {
        return await slicing.pack(caller, json, shown)
      } catch (error) {
        if (!(error instanceof ThreadEnded) || error.why !== 'beyond') throw error
        logger.warn('a chunk was left out of the file of a replay', { ...replay, error: messageOf(error) })
        return NOTHING
      }
    }

  return [
    bind(getReplayFile, async ({ params, query, request }) => {
      const found = await findOfProject(services, request.organization.id, params)
      const shown = readShown(found.record, { from: query.from ?? null, to: query.to ?? null })
      const { projectId, replayId } = found.record
      const replay = { organizationId: request.organization.id, projectId, replayId }
      const [player, { pack, ...shared }] = await Promise.all([
        services.player(),
        readShared(services, replay, { found, shown }),
      ])
      const placed = chunksIn(pack.chunks, shown)
      checkSize(placed)
      const caller = { organizationId: replay.organizationId, caller: `user:${request.caller.user.id}` }
      const read = reading(replay, caller, shown)
      const chunks = placed.map((one): FileChunk => ({ number: numberOf(pack, one.index), read: () => read(one) }))
      return {
        bytes: replayFile(player, { ...shared, expiresAt: null }, { chunks, shown }),
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-disposition': `attachment; filename="replay-${replayId.slice(0, 8)}.html"`,
          'cache-control': 'no-store',
        },
      }
    }),
  ]
}
