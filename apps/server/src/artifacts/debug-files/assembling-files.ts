import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import { stackOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import { BundleFault } from '../bundle/unpack.ts'
import { createTurns } from '../in-turn.ts'
import { joinPieces } from '../join-pieces.ts'
import type { Bundles } from '../ledger/bundles.ts'
import type { Chunks } from '../ledger/chunks.ts'
import { LIMITS } from '../limits.ts'
import { createMapProcess, type MapProcess } from '../prepare/map-process.ts'
import { keptEnough } from '../room.ts'
import { keepFile, type KeepParts } from './keep-file.ts'
import type { DebugFile, DebugFiles } from './ledger/debug-files.ts'

interface AssemblingFilesParts extends Omit<KeepParts, 'reader'> {
  readonly files: DebugFiles
  readonly bundles: Pick<Bundles, 'keptBytes'>
  readonly chunks: Pick<Chunks, 'keysOf' | 'read' | 'touch'>
  /** Folder for files that are put together; what is in it belongs to no one after a start. */
  readonly folder: string
  readonly clock: Clock
  readonly logger: Logger
  /** Called when an organisation has one more file. */
  readonly finished: (organizationId: number) => void
}

export type AssemblingFiles = ReturnType<typeof createAssemblingFiles>

const GIVEN_UP = `This file could not be read in ${LIMITS.ASSEMBLE_ATTEMPTS} tries, in which the server failed or ended. Its log says why. Upload it again.`

/** An archive is not kept: what was not stored while its call lasted is not there any more. */
const BROKEN_OFF = 'The upload of this file was broken off before it was stored. Upload it again.'

/**
 * Makes debug files of their pieces, one at a time, organisations in turn. What was begun is in the ledger, with its pieces:
 * whoever starts next goes on with it.
 */
export const createAssemblingFiles = (
  parts: AssemblingFilesParts,
  startReader: () => MapProcess = createMapProcess,
) => {
  const { bundles, chunks, clock, files, finished, folder, logger } = parts
  const underWay = new Map<number, Promise<void>>()
  const inTurn = createTurns()
  let isEnding = false
  /** Runs from when a mapping needs it until the file is kept. */
  let reader: MapProcess | null = null

  const keep = async (file: DebugFile, path: string): Promise<void> => {
    const now = clock.now()
    // Asked for each file when its turn comes: one call, or many at once, may name more than there is room for.
    const kept = await bundles.keptBytes(file.organization_id)
    if (kept + (await stat(path)).size > LIMITS.ARTIFACTS_KEPT_BYTES) throw new BundleFault(keptEnough())
    reader = startReader()
    try {
      await files.finish(file, await keepFile({ ...parts, reader }, path, { file, now }), now)
    } finally {
      reader.end()
    }
    finished(file.organization_id)
  }

  const work = async (fileId: number, givenPath: string | null): Promise<void> => {
    const file = await files.byId(fileId)
    if (isEnding || file === null || file.state !== 'assembling') return
    if (!(await files.attempt(file))) return files.fail(fileId, GIVEN_UP, clock.now())
    const own = join(folder, String(fileId))
    try {
      if (givenPath !== null) return await keep(file, givenPath)
      await rm(own, { recursive: true, force: true })
      await mkdir(own, { recursive: true, mode: 0o700 })
      const path = join(own, 'file')
      const { checksum, organization_id: organizationId } = file
      await joinPieces(chunks, { organizationId, checksum, pieces: piecesOf(file) }, path)
      await keep(file, path)
    } catch (error) {
      if (error instanceof BundleFault) return await files.fail(fileId, error.message, clock.now())
      logger.warn('artifacts: a debug file could not be stored; it is tried again', {
        file: fileId,
        error: stackOf(error),
      })
    } finally {
      await rm(own, { recursive: true, force: true })
    }
  }

  /** @param givenPath where the file lies whole already */
  const begin = (
    { id: fileId, organization_id }: Pick<DebugFile, 'id' | 'organization_id'>,
    givenPath: string | null = null,
  ): Promise<void> => {
    const known = underWay.get(fileId)
    if (known !== undefined) return known
    const run = inTurn(organization_id, () => work(fileId, givenPath))
      .catch((error: unknown) =>
        logger.warn('artifacts: a debug file waits for the ledger', { file: fileId, error: stackOf(error) }),
      )
      .finally(() => underWay.delete(fileId))
    underWay.set(fileId, run)
    return run
  }

  return {
    begin,

    /** Begins what nobody is at, of an earlier process or of a try that failed. Its pieces stay until it is whole. */
    goOn: async (): Promise<void> => {
      await files.failWithoutPieces(BROKEN_OFF, { before: clock.now() - LIMITS.DEBUG_ARCHIVE_MS, now: clock.now() })
      for (const file of await files.atWork()) {
        await chunks.touch(file.organization_id, piecesOf(file), clock.now())
        void begin(file)
      }
    },

    /** What is under way ends; whoever starts next goes on with it. */
    end: (): void => {
      isEnding = true
      reader?.end()
    },
  }
}

const piecesOf = (file: DebugFile): readonly string[] => JSON.parse(file.chunks) as readonly string[]
