import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messageOf } from '../../lib/error-text.ts'

/** Another process appends to this spool. Two writers would cut off each other's records. */
export class SpoolInUseError extends Error {
  override readonly name = 'SpoolInUseError'
}

/** The file that is locked cannot be used; who else uses it could not be found out. */
export class SpoolLockError extends Error {
  override readonly name = 'SpoolLockError'
}

const SQLITE_BUSY = 5

/** Further bits of a code of SQLite say why, e.g. that the other process mends the file just now. */
const isLocked = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === SQLITE_BUSY

/**
 * Node has no file locks; SQLite has, and the operating system gives them up when the process dies, however it dies.
 *
 * @returns gives the lock up
 * @throws SpoolInUseError when another process has it
 * @throws SpoolLockError when the file cannot be opened, read or locked
 */
export const lockSpool = (directory: string): (() => void) => {
  const path = join(directory, 'lock')
  let database: DatabaseSync | null = null
  try {
    database = new DatabaseSync(path)
    // Without a journal file: a full disk must not keep the server from starting.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    const locked = database
    return () => locked.close()
  } catch (error) {
    database?.close()
    if (isLocked(error)) {
      throw new SpoolInUseError(
        `The spool in ${directory} is in use by another Firsthand process. Stop that process, or give this one a data folder of its own.`,
        { cause: error },
      )
    }
    const reason = messageOf(error)
    throw new SpoolLockError(
      `The file ${path}, which keeps a second process out of the spool, cannot be used: ${reason}. Without it two processes could cut off each other’s events. Let the user of Firsthand write it on a disk that is in order; when it is damaged, remove it while no Firsthand runs on this folder: nothing is kept in it.`,
      { cause: error },
    )
  }
}
