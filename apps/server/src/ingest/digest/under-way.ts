import { readFileSync, writeFileSync } from 'node:fs'
import { isObject } from '@firsthand/protocol'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import type { SpoolPosition } from '../road.ts'
import { comparePositions, formatPosition } from '../spool/position.ts'

/** What a digest has under way. */
export interface UnderWayNote {
  readonly from: SpoolPosition
  readonly until: SpoolPosition
  readonly records: number
  /** How often the thread has died over it. */
  readonly deaths: number
  /** It is read and expanded, and waits for the stores. */
  readonly isPrepared: boolean
  /** What the thread died over before ends here, and is read in batches of at most `limit` records. */
  readonly suspects: { readonly until: SpoolPosition; readonly limit: number | null } | null
  /** Records that were set aside since one was digested. */
  readonly inARow: number
}

/** Notes of all digests of one data folder. Written without a sync: a process that dies leaves them, and only that matters. */
export interface UnderWayFile {
  get(spool: string): UnderWayNote | null
  set(spool: string, note: UnderWayNote | null): void
}

export const openUnderWayFile = (path: string, logger: Logger): UnderWayFile => {
  const notes = readNotes(path)
  let hasFailed = false
  return {
    get: (spool) => notes.get(spool) ?? null,
    set: (spool, note) => {
      if (note === null) notes.delete(spool)
      else notes.set(spool, note)
      try {
        writeFileSync(path, JSON.stringify(Object.fromEntries(notes)), { mode: 0o600 })
        hasFailed = false
      } catch (error) {
        // The disk is full. The digest goes on, which is what makes room.
        if (!hasFailed) logger.warn('digest: what is under way cannot be noted', { path, error: String(error) })
        hasFailed = true
      }
    },
  }
}

/** Nothing where the file is missing or torn. */
const readNotes = (path: string): Map<string, UnderWayNote> => {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return new Map(
      Object.entries(isObject(read) ? read : {}).filter((entry): entry is [string, UnderWayNote] => isNote(entry[1])),
    )
  } catch {
    return new Map()
  }
}

const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

const isPosition = (value: unknown): boolean => isObject(value) && isCount(value['segment']) && isCount(value['offset'])

const isNote = (value: unknown): boolean =>
  isObject(value) &&
  isPosition(value['from']) &&
  isPosition(value['until']) &&
  isCount(value['records']) &&
  isCount(value['deaths']) &&
  isCount(value['inARow']) &&
  typeof value['isPrepared'] === 'boolean' &&
  (value['suspects'] === null ||
    (isObject(value['suspects']) &&
      isPosition(value['suspects']['until']) &&
      (value['suspects']['limit'] === null || isCount(value['suspects']['limit']))))

/**
 * Finds the record that kills the thread: by its memory, by a fault in native code, by a kind that ends the thread. What
 * was under way when a thread died is digested once more as it was, because most deaths are a machine's; then in ever
 * smaller batches; and the one record over which it dies alone is set aside. A whole process that ends while a batch waits
 * for the stores says nothing about its records: stores that hang make people restart it.
 */
export class UnderWay {
  readonly #file: UnderWayFile
  readonly #spool: string
  readonly #logger: Logger
  #suspects: UnderWayNote['suspects'] = null
  /** Deaths that the batch from here on has to answer for. */
  #known: { readonly from: SpoolPosition; readonly deaths: number } | null = null
  #refused: SpoolPosition | null = null
  #noted: UnderWayNote | null = null
  #inARow = 0

  constructor(parts: { readonly file: UnderWayFile; readonly spool: string; readonly logger: Logger }) {
    this.#file = parts.file
    this.#spool = parts.spool
    this.#logger = parts.logger
  }

  /**
   * Once, before the first batch is read.
   *
   * @param position everything before it is stored
   * @param isThread the thread before this one died, and its process lives
   * @returns where the record starts that is to be set aside
   */
  begin(position: SpoolPosition, isThread: boolean): SpoolPosition | null {
    const note = this.#file.get(this.#spool)
    const until = note?.suspects?.until ?? note?.until
    if (note === null || until === undefined || comparePositions(position, until) >= 0) return null
    this.#inARow = note.inARow
    if (note.isPrepared && !isThread) {
      this.#suspects = note.suspects
      this.#known = note
      return null
    }
    const deaths = note.deaths + 1
    const before = note.suspects?.limit ?? null
    const isAlone = note.records === 1 && comparePositions(note.from, position) === 0
    const narrows = !isAlone && (before !== null || deaths >= LIMITS.DIGEST_DEATHS)
    const limit = narrows ? Math.max(1, Math.ceil(note.records / LIMITS.DIGEST_DEATH_PARTS)) : before
    this.#suspects = { until, limit }
    this.#known = { from: position, deaths: narrows ? 0 : deaths }
    const about = { position: formatPosition(position), deaths }
    if (isAlone && deaths >= LIMITS.DIGEST_DEATHS && note.inARow < LIMITS.DIGEST_ASIDE_IN_A_ROW) {
      this.#refused = position
      this.#inARow += 1
      this.#logger.error('digest: its thread dies over a record; its items are counted as invalid', about)
    } else if (limit !== null) {
      this.#logger.warn('digest: its thread died before; looking for the record', { ...about, records: limit })
    }
    return this.#refused
  }

  /** Whether the thread died before over what begins here. */
  isSuspect(position: SpoolPosition): boolean {
    return this.#suspects !== null && comparePositions(position, this.#suspects.until) < 0
  }

  /** How many records are read at once. */
  limitAt(position: SpoolPosition): number {
    return this.isSuspect(position) ? (this.#suspects?.limit ?? Infinity) : Infinity
  }

  /** Before anything is made of these records. */
  note(from: SpoolPosition, until: SpoolPosition, records: number): void {
    if (!this.isSuspect(from)) this.#suspects = null
    const known = this.#known !== null && comparePositions(this.#known.from, from) === 0 ? this.#known.deaths : 0
    const [suspects, inARow] = [this.#suspects, this.#inARow]
    this.#noted = { from, until, records, deaths: known, isPrepared: false, suspects, inARow }
    this.#file.set(this.#spool, this.#noted)
  }

  /** What was noted is expanded. */
  prepared(): void {
    if (this.#noted !== null) this.#file.set(this.#spool, { ...this.#noted, isPrepared: true })
  }

  /** A batch is stored. */
  stored(): void {
    if (this.#refused === null) this.#inARow = 0
    this.#refused = null
  }

  /** The digest ends in order: nothing is under way. */
  end(): void {
    this.#file.set(this.#spool, null)
  }
}
