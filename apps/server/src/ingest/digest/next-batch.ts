import { messageOf } from '../../lib/error-text.ts'
import type { ProjectLookup } from '../../accounts/settings.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ReceiptBounds } from '../receipt-bounds.ts'
import type { SpoolPosition } from '../road.ts'
import { comparePositions, formatPosition } from '../spool/position.ts'
import type { SpoolReader } from '../spool/spool-reader.ts'
import type { ItemKind } from './item-kind.ts'
import { itemKinds, prepareBatch } from './prepare-batch.ts'
import type { Preparation, PreparedBatch } from './prepare-batch.ts'
import { pause } from './retry.ts'
import type { Retry } from './retry.ts'
import { createSpoolGrowth } from './spool-growth.ts'
import type { SpoolGrowth } from './spool-growth.ts'
import type { UnderWay } from './under-way.ts'

export interface BatchLimits {
  readonly batchBytes: number
  readonly batchRecords: number
  /** Backlog from which on the next batch is prepared while one is being stored; below, it waits and grows. */
  readonly aheadBytes: number
  /** Time between two batches that are smaller than `aheadBytes`. After a longer rest a record is digested at once. */
  readonly intervalMs: number
  /** A batch ends with the record that makes it take longer, in processor time. */
  readonly batchMs: number
}

export interface BatchSource {
  readonly spoolId: string
  readonly reader: SpoolReader
  readonly kinds: readonly ItemKind[]
  readonly projects: Pick<ProjectLookup, 'byProjectId'>
  readonly bounds: ReceiptBounds
  readonly logger: Logger
  readonly limits: BatchLimits
  readonly retry: Retry
  readonly signal: AbortSignal
  readonly underWay: UnderWay
  /** Nothing before it waits here, stored or not of this digest; a start may come back behind it. */
  readonly onPassed?: (position: SpoolPosition) => void
  /** The thread before this one died, and its process lives. */
  readonly followsDeath: boolean
}

/**
 * Spool → prepared batches. Knows how much to read, and when: a batch that the ledger refused is read again in halves,
 * until the one record is found that it cannot take.
 */
export class BatchReader {
  readonly #source: BatchSource
  readonly #preparation: Preparation
  readonly #growth: SpoolGrowth
  /** Shrinks while a record is looked for that the ledger refuses. */
  #batchRecords: number
  /** Start of that record, once it is found; or of one over which the thread dies. */
  #refusedRecord: SpoolPosition | null = null
  /** Reading of the monotonic clock when the last batch was read. */
  #lastRead = -Infinity
  /** The batch that was read last, while it is being stored. */
  #storing: { readonly from: SpoolPosition; readonly records: number } | null = null

  constructor(source: BatchSource) {
    const { spoolId, reader, kinds, projects, bounds, logger, limits, signal } = source
    this.#source = source
    this.#batchRecords = limits.batchRecords
    this.#growth = createSpoolGrowth(reader, signal)
    this.#preparation = {
      spool: spoolId,
      kinds: itemKinds(kinds),
      projects,
      logger,
      bounds,
      isRefused: (position) => this.#refusedRecord !== null && comparePositions(position, this.#refusedRecord) === 0,
    }
  }

  /** Once, before the first batch is read: what an earlier thread died over is looked for. */
  begin(position: SpoolPosition): void {
    const { underWay, followsDeath } = this.#source
    this.#refusedRecord = underWay.begin(position, followsDeath)
  }

  /** Whether an earlier thread died over what begins here. */
  isSuspect(position: SpoolPosition): boolean {
    return this.#source.underWay.isSuspect(position)
  }

  /** The next records, or null when the digest is stopped or there will be no more. Waits for them. */
  async next(from: SpoolPosition): Promise<PreparedBatch | null> {
    const { limits, reader, retry, signal, underWay } = this.#source
    let position = from
    while (!signal.aborted) {
      const end = reader.end()
      if (comparePositions(end, position) <= 0) {
        if (reader.isFinite === true) return null
        if (this.#storing === null) this.#source.onPassed?.(position)
        await this.#growth(end)
        continue
      }
      const restMs = this.#lastRead + limits.intervalMs - performance.now()
      if (restMs > 0 && !this.#isEnough(position, end)) await pause(restMs, signal)
      this.#lastRead = performance.now()
      const at = position
      const read = await retry('read the spool', () =>
        reader.read(at, { bytes: limits.batchBytes, records: Math.min(this.#batchRecords, underWay.limitAt(at)) }),
      )
      position = read.end
      // Where all of a segment is passed over, the ledger has to know it before the segment goes.
      if (read.records.length > 0 || position.segment > from.segment) {
        const storing = this.#storing ?? { from: at, records: 0 }
        const note = (): void => underWay.note(storing.from, read.end, storing.records + read.records.length)
        const prepare = () => prepareBatch(read.records, read.end, this.#timed(), note)
        const batch = await retry('read project settings', prepare)
        underWay.prepared()
        if (comparePositions(batch.end, read.end) < 0) await retry('put the rest back', () => this.#giveBack(batch.end))
        return batch
      }
    }
    return null
  }

  /** Prepares the next batch while one is being stored, as soon as there is enough of it. */
  async ahead(batch: PreparedBatch, stored: Promise<unknown>): Promise<PreparedBatch | null> {
    const { reader, signal, underWay } = this.#source
    // Of two batches under way nobody could tell over which one the thread dies.
    if (underWay.isSuspect(batch.start)) return null
    const from = batch.end
    this.#storing = { from: batch.start, records: batch.records }
    const storing = new AbortController()
    void stored
      .catch(() => undefined)
      .finally(() => {
        this.#storing = null
        storing.abort()
        this.#growth.wake()
      })
    while (!storing.signal.aborted && !signal.aborted) {
      const end = reader.end()
      if (this.#isEnough(from, end)) return this.next(from)
      // Nothing follows, and who waited for it would ask at once, again and again, and let nobody else have this thread.
      if (reader.isFinite === true) return null
      await this.#growth(end)
    }
    return null
  }

  /**
   * The batch that was under way when the process before this one ended: exactly the records up to its end, and what
   * waited for its capability then is kept once more, though its capability may be there by now: the ledger has taken it
   * so. A backfill finds it.
   *
   * @param waiting `DigestProgress.waitingTypes`; a program that did not note them knew no capability that ever waited
   */
  async repeated(
    from: SpoolPosition,
    until: SpoolPosition,
    number: number,
    waiting: readonly string[] | null,
  ): Promise<PreparedBatch> {
    const { kinds, logger, reader, retry } = this.#source
    const types = waiting ?? kinds.flatMap(({ takesUntilOthersDo = [] }) => takesUntilOthersDo)
    const preparation = { ...this.#preparation, kinds: itemKinds(kinds, types) }
    const read = await retry('read the spool', () => reader.readUntil(from, until))
    logger.info('digest: repeating the batch that was under way', { batch: number, records: read.records.length })
    return retry('read project settings', () => prepareBatch(read.records, until, preparation))
  }

  /** A batch is stored: nothing in it was refused, and the next may be larger again. */
  widen(): void {
    this.#source.underWay.stored()
    this.#refusedRecord = null
    this.#batchRecords = Math.min(this.#batchRecords * 2, this.#source.limits.batchRecords)
  }

  /** The refused record was found, and is in the batch under way. */
  get hasFoundRefused(): boolean {
    return this.#refusedRecord !== null
  }

  /**
   * The ledger refuses something in this batch: look for it by halves, down to one record, which then goes aside.
   *
   * @param ahead prepared meanwhile; it is read again as well
   */
  narrow(batch: PreparedBatch, ahead: PreparedBatch | null, error: unknown): void {
    const { bounds, logger } = this.#source
    bounds.giveBack(batch.discards)
    if (ahead !== null) bounds.giveBack(ahead.discards)
    const reason = messageOf(error)
    if (batch.records > 1) {
      this.#batchRecords = Math.ceil(batch.records / 2)
      logger.warn('digest: the ledger refuses a batch; looking for the record', {
        records: batch.records,
        error: reason,
      })
      return
    }
    this.#refusedRecord = batch.start
    logger.error('digest: the ledger refuses a record; its items are counted as invalid', {
      position: formatPosition(batch.start),
      error: reason,
    })
  }

  /** Tells the reader what each record takes, and ends a batch that takes too long. */
  #timed(): Preparation {
    const { limits, reader } = this.#source
    let spentMs = 0
    return {
      ...this.#preparation,
      isEnough: (position, ms) => {
        reader.spent?.(position, ms)
        spentMs += ms
        return spentMs >= limits.batchMs
      },
    }
  }

  async #giveBack(from: SpoolPosition): Promise<void> {
    await this.#source.reader.giveBack?.(from)
  }

  #isEnough(from: SpoolPosition, end: SpoolPosition): boolean {
    return end.segment > from.segment || end.offset - from.offset >= this.#source.limits.aheadBytes
  }
}
