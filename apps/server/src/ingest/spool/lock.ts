import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another process appends to this spool. Two writers would cut off each other's records. */
export class SpoolInUseError extends Error {
  override readonly name = 'SpoolInUseError'
}

/**
 * Node has no file locks; SQLite has, and the operating system gives them up when the process dies, however it dies.
 *
 * @returns gives the lock up
 * @throws SpoolInUseError
 */
export const lockSpool = (directory: string): (() => void) => {
  const database = new DatabaseSync(join(directory, 'lock'))
  try {
    // Without a journal file: a full disk must not keep the server from starting.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    throw new SpoolInUseError(
      `The spool in ${directory} is in use by another Firsthand process. Stop that process, or give this one a data folder of its own.`,
      { cause: error },
    )
  }
  return () => database.close()
}
