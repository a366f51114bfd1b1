import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { randomInt } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { LIMITS } from '../limits.ts'

/**
 * Whether the file of a SQLite ledger is still the one that was opened. Somebody may put another one in its place while
 * the server runs (a backup restored too early, a clean-up): SQLite goes on with the file that it has open, or mixes the
 * two, and whatever is written then is lost or spoils the other ledger.
 *
 * Each start writes a number of its own into the header of the file (SQLite's `application_id`, which nothing else uses):
 * another ledger does not have it, nor does an older copy of this one.
 */
export interface LedgerFile {
  /**
   * `replaced`: another file is at the path, or none and this one was deleted, or what was opened is a file no more.
   * `overwritten`: the same file with somebody else's bytes. `absent`: it was moved away, and may come back. `unreadable`:
   * the operating system fails at it (`fault` has its code), which may pass. Never throws.
   */
  check(): 'same' | 'absent' | 'unreadable' | 'replaced' | 'overwritten'
  /** Code of the error that made the last check find it unreadable, e.g. `EIO`; null when it did not. */
  readonly fault: string | null
  /** After the ledger was closed: closing any handle of the file releases SQLite's locks of this process. */
  close(): void
}

const HEADER_BYTES = 72
const APPLICATION_ID_OFFSET = 68
const MAGIC = Buffer.from('SQLite format 3\0', 'latin1')
/** What an open file says that will never be one again: its handle is closed, or its server has forgotten it. */
const GONE_FOR_GOOD = new Set(['EBADF', 'ESTALE'])
const LARGEST_ID = 2 ** 31 - 1

/** @param path of a ledger that this process has open */
export const watchLedgerFile = (path: string): LedgerFile => {
  // Stays open until the end: see `close`.
  const file = openSync(path, 'r')
  const readId = (): number | null => {
    const header = Buffer.alloc(HEADER_BYTES)
    const bytes = readSync(file, header, 0, HEADER_BYTES, 0)
    if (bytes < HEADER_BYTES || !header.subarray(0, MAGIC.byteLength).equals(MAGIC)) return null
    return header.readUInt32BE(APPLICATION_ID_OFFSET)
  }
  const before = readId()
  const own = randomInt(1, LARGEST_ID)
  const database = new DatabaseSync(path, { timeout: LIMITS.LEDGER_BUSY_TIMEOUT_MS })
  try {
    database.exec(`PRAGMA synchronous = FULL; PRAGMA application_id = ${own}; PRAGMA wal_checkpoint(TRUNCATE)`)
  } finally {
    database.close()
  }
  /** Until the number has come from the log into the file, which a reader may delay. */
  let arrived = readId() === own
  let fault: string | null = null

  return {
    get fault() {
      return fault
    },
    check: () => {
      fault = null
      try {
        const opened = fstatSync(file)
        const found = statSync(path, { throwIfNoEntry: false })
        // Only a file that still has a name somewhere can be put back.
        if (found === undefined) return opened.nlink === 0 ? 'replaced' : 'absent'
        if (found.ino !== opened.ino || found.dev !== opened.dev) return 'replaced'
        const id = readId()
        arrived ||= id === own
        return id === own || (!arrived && id === before) ? 'same' : 'overwritten'
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === undefined || GONE_FOR_GOOD.has(code)) return 'replaced'
        fault = code
        return 'unreadable'
      }
    },
    close: () => closeSync(file),
  }
}
