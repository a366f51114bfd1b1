import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from './limits.ts'
import { StorageUnavailableError } from './storage/index.ts'

/** A data folder has one server: spool and telemetry have one writer each. */

const SQLITE_BUSY = 5

const explain = (dataDir: string, error: unknown): StorageUnavailableError => {
  const { code, message } = error as NodeJS.ErrnoException
  return new StorageUnavailableError(
    `The data folder ${dataDir} cannot be written (${code === undefined || code.startsWith('ERR_') ? message : code}). Give it to the user that runs Firsthand, or choose another one with --data-dir or FIRSTHAND_DATA_DIR.`,
    { cause: error },
  )
}

/**
 * Makes the folder when it is absent.
 *
 * @throws StorageUnavailableError
 */
export const makeDataFolder = (dataDir: string): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw explain(dataDir, error)
  }
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
