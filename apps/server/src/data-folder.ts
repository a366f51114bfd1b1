import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from './limits.ts'
import { StorageUnavailableError } from './storage/index.ts'

/** A data folder has one server: spool and telemetry have one writer each. */

const SQLITE_BUSY = 5
/** Result codes of SQLite for a file that is none of its own: CORRUPT, NOTADB. */
const SQLITE_DAMAGED = new Set([11, 26])

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)

const explain = (dataDir: string, error: unknown): StorageUnavailableError => {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EROFS') {
    return new StorageUnavailableError(
      `The data folder ${dataDir} is on a volume that is mounted for reading only, so nothing can be kept there. Mount it for writing (a disk with errors is often switched to reading: look at the system's log), or choose another folder with --data-dir or FIRSTHAND_DATA_DIR.`,
      { cause: error },
    )
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StorageUnavailableError(
      `The disk of the data folder ${dataDir} is full (${code}), so nothing can be kept there. Free some space on that volume, then start again. Nothing was changed.`,
      { cause: error },
    )
  }
  return new StorageUnavailableError(
    `The data folder ${dataDir} cannot be written (${code === undefined || code.startsWith('ERR_') ? message : code}). Give it to the user that runs Firsthand, or choose another one with --data-dir or FIRSTHAND_DATA_DIR.`,
    { cause: error },
  )
}

/**
 * Makes the folder when it is absent.
 *
 * @throws StorageUnavailableError when nothing can be written in it
 */
export const makeDataFolder = (dataDir: string): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw explain(dataDir, error)
  }
}

/**
 * A server that starts without room would stop half way, in whichever store came first.
 *
 * @throws StorageUnavailableError when the volume has less than `START_FREE_BYTES`
 */
export const checkRoom = (dataDir: string): void => {
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  if (free >= LIMITS.START_FREE_BYTES) return
  throw new StorageUnavailableError(
    `The disk of the data folder ${dataDir} is full: ${mebibytes(free)} MiB are free, and a start takes ${mebibytes(LIMITS.START_FREE_BYTES)} MiB. Free some space on that volume, then start again. Nothing was changed.`,
  )
}

/**
 * Takes the folder for this process until `release` or the end of the process, however it ends: the lock is the operating
 * system's, on a file that SQLite keeps locked, so a crash leaves nothing behind. Waits `DATA_FOLDER_WAIT_MS` for a server
 * that is just ending.
 *
 * @throws StorageUnavailableError when another server has it, or the folder cannot be written
 */
export const lockDataFolder = async (dataDir: string): Promise<{ release(): void }> => {
  const path = join(dataDir, 'server.lock')
  const deadline = performance.now() + LIMITS.DATA_FOLDER_WAIT_MS
  for (;;) {
    try {
      const file = new DatabaseSync(path)
      try {
        file.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
        return { release: () => file.close() }
      } catch (error) {
        file.close()
        throw error
      }
    } catch (error) {
      const { errcode } = error as { errcode?: number }
      if (errcode !== undefined && SQLITE_DAMAGED.has(errcode & 0xff)) {
        throw new StorageUnavailableError(
          `The lock file ${path} is damaged, so nobody can tell whether another Firsthand server uses this data folder. Nothing is kept in it: when no Firsthand runs on ${dataDir}, remove that file and start again.`,
          { cause: error },
        )
      }
      if (errcode === undefined || (errcode & 0xff) !== SQLITE_BUSY) throw explain(dataDir, error)
      if (performance.now() > deadline) {
        throw new StorageUnavailableError(
          `The data folder ${dataDir} is in use by another Firsthand server. Stop that one, or give this one a folder of its own with --data-dir or FIRSTHAND_DATA_DIR.`,
          { cause: error },
        )
      }
      await delay(LIMITS.DATA_FOLDER_RETRY_MS)
    }
  }
}

/** Size of the volume that keeps the events; null when it is not known, or they are on another server. */
export const eventVolumeBytes = async ({
  dataDir,
  clickhouseUrl,
}: {
  readonly dataDir: string
  readonly clickhouseUrl: string | null
}): Promise<number | null> => {
  if (clickhouseUrl !== null) return null
  return statfs(dataDir).then(
    ({ blocks, bsize }) => blocks * bsize,
    () => null,
  )
}
