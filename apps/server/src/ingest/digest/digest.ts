import type { TelemetryStore } from '../../issues/events.store.ts'
import type { IssueStore, LedgerBatch, LedgerResult } from '../../issues/issues.store.ts'
import type { ProjectLookup } from '../../accounts/settings.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../../limits.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { SpoolPosition } from '../road.ts'
import { comparePositions, formatPosition } from '../spool/position.ts'
import type { SpoolReader } from '../spool/spool-reader.ts'
import { isDataFault } from './data-fault.ts'
import { keepItems } from './keep.ts'
import type { Kept } from './keep.ts'
import { prepareBatch } from './prepare-batch.ts'
import type { PoisonItem, Preparation, PreparedBatch } from './prepare-batch.ts'
import type { Processor } from './processor.ts'
import type { Quarantine } from './quarantine.ts'
import { DigestStopped, createRetry, pause } from './retry.ts'
import type { DigestState } from './retry.ts'
import { factsOf, refusedItems, telemetryRows } from './settle-batch.ts'
import type { SettledFacts } from './settle-batch.ts'

/**
 * The digest: spool → processors → ledger, telemetry → settled. Exactly once, by this order for every batch:
 *
 * 1. `ledger.apply` counts the events and notes the batch's end as pending, in one transaction.
 * 2. `telemetry.write` appends under the token `<spool>:<batch>`.
 * 3. `ledger.settle` moves the position.
 *
 * Whoever dies between 1 and 3 finds the pending end at the next start and repeats exactly these records: the ledger
 * then answers from what it has, telemetry drops what it has. While one batch is being stored, the next is already read
 * and expanded, when there is enough to do.
 */
export interface Digest {
  /** Runs until the signal fires; the batch under way is finished first, unless its store fails. Never rejects but for faults of ours. */
  run(signal: AbortSignal): Promise<void>
}

export interface DigestDependencies {
  readonly spoolId: string
  readonly reader: SpoolReader
  readonly ledger: Pick<IssueStore, 'apply' | 'settle' | 'progress'>
  readonly telemetry: TelemetryStore
  readonly blobs: BlobStore
  readonly projects: Pick<ProjectLookup, 'byProjectId'>
  readonly processors: readonly Processor[]
  readonly quarantine: Quarantine
  readonly logger: Logger
  readonly clock: Clock
  /** At the start and after each batch: the spool may forget what is before. */
  readonly onSettled: (position: SpoolPosition) => void
  readonly onFacts: (facts: readonly SettledFacts[]) => void
  readonly onState: (state: DigestState) => void
  readonly limits?: Partial<DigestLimits>
}

export interface DigestLimits {
  readonly batchBytes: number
  readonly batchRecords: number
  /** Backlog from which on the next batch is prepared while one is being stored; below, it waits and grows. */
  readonly aheadBytes: number
  /** Time between two batches that are smaller than `aheadBytes`. After a longer rest a record is digested at once. */
  readonly intervalMs: number
  readonly retryFirstMs: number
  readonly retryLongestMs: number
}

const DEFAULT_LIMITS: DigestLimits = {
  batchBytes: LIMITS.DIGEST_BATCH_BYTES,
  batchRecords: LIMITS.DIGEST_BATCH_RECORDS,
  aheadBytes: LIMITS.DIGEST_AHEAD_BYTES,
  intervalMs: LIMITS.DIGEST_INTERVAL_MS,
  retryFirstMs: LIMITS.STORE_RETRY_FIRST_MS,
  retryLongestMs: LIMITS.STORE_RETRY_LONGEST_MS,
}

/** Bounds the wait for new records only against a lost wake-up, which is not known to happen. */
const WAKE_MS = 1000

export const createDigest = (dependencies: DigestDependencies): Digest => {
  const { spoolId, reader, ledger, telemetry, blobs, projects, quarantine, logger, clock } = dependencies
  const limits = { ...DEFAULT_LIMITS, ...dependencies.limits }
  const processors = new Map<string, Processor>()
  for (const processor of dependencies.processors) for (const type of processor.takes) processors.set(type, processor)

  /** Start of a record that the ledger refuses. */
  let poison: SpoolPosition | null = null
  const preparation: Preparation = {
    spool: spoolId,
    processors,
    projects,
    telemetry,
    logger,
    isPoison: (position) => poison !== null && comparePositions(position, poison) === 0,
  }

  const run = async (signal: AbortSignal): Promise<void> => {
    const retry = createRetry({
      logger,
      clock,
      signal,
      onState: dependencies.onState,
      firstMs: limits.retryFirstMs,
      longestMs: limits.retryLongestMs,
    })
    const untilChange = createWait(reader, signal)
    /** Shrinks while a record is looked for that the ledger refuses. */
    let batchRecords = limits.batchRecords
    /** Reading of the monotonic clock when the last batch was read. */
    let lastRead = -Infinity

    const isEnough = (from: SpoolPosition, end: SpoolPosition): boolean =>
      end.segment > from.segment || end.offset - from.offset >= limits.aheadBytes

    /** The next records, or null when the digest is stopped. Waits for them. */
    const prepareNext = async (from: SpoolPosition): Promise<PreparedBatch | null> => {
      let position = from
      while (!signal.aborted) {
        const end = reader.end()
        if (comparePositions(end, position) <= 0) {
          await untilChange(end)
          continue
        }
        const restMs = lastRead + limits.intervalMs - performance.now()
        if (restMs > 0 && !isEnough(position, end)) await pause(restMs, signal)
        lastRead = performance.now()
        const at = position
        const read = await retry('read the spool', () =>
          reader.read(at, { bytes: limits.batchBytes, records: batchRecords }),
        )
        position = read.end
        if (read.records.length > 0) {
          return retry('read project settings', () => prepareBatch(read.records, read.end, preparation))
        }
      }
      return null
    }

    /** Prepares the next batch while one is being stored, as soon as there is enough of it. */
    const prepareAhead = async (from: SpoolPosition, stored: Promise<unknown>): Promise<PreparedBatch | null> => {
      const storing = new AbortController()
      void stored
        .catch(() => undefined)
        .finally(() => {
          storing.abort()
          untilChange.wake()
        })
      while (!storing.signal.aborted && !signal.aborted) {
        const end = reader.end()
        if (isEnough(from, end)) return prepareNext(from)
        await untilChange(end)
      }
      return null
    }

    const store = async (batch: PreparedBatch, number: number): Promise<void> => {
      const kept = await retry('store blobs', () => keepItems(batch.kept, blobs))
      const ledgerBatch = ledgerBatchOf(spoolId, number, batch, kept)
      const result = await retry('write to the ledger', () => ledger.apply(ledgerBatch), isDataFault)
      const rows = telemetryRows(`${spoolId}:${number}`, batch, kept, result)
      const refused = await retry('write to telemetry', () => telemetry.write(rows))
      await retry('settle in the ledger', () => ledger.settle(spoolId, number))
      await setAside(batch.poison, 'could not be processed')
      await setAside(refusedItems(batch, kept, result, refused), 'is refused by telemetry')
      settled(batch, result)
    }

    const setAside = async (poison: readonly PoisonItem[], what: string): Promise<void> => {
      for (const { item, id, error } of poison) {
        const { type } = item.item.header
        const about = { itemType: type, project: item.sender.projectId, eventId: item.eventId, error }
        logger.error(`digest: an item ${what}. It is in quarantine; please report this`, { id, ...about })
        await quarantine.put(id, about, item.item.payload)
      }
    }

    const settled = (batch: PreparedBatch, result: LedgerResult): void => {
      dependencies.onSettled(batch.end)
      const facts = factsOf(batch, result, clock.now())
      if (facts.length > 0) dependencies.onFacts(facts)
    }

    /** The ledger refuses something in this batch: look for it by halves, down to one record, which then goes aside. */
    const narrow = (batch: PreparedBatch, error: unknown): void => {
      const reason = error instanceof Error ? error.message : String(error)
      if (batch.records > 1) {
        batchRecords = Math.ceil(batch.records / 2)
        logger.warn('digest: the ledger refuses a batch; looking for the record', {
          records: batch.records,
          error: reason,
        })
        return
      }
      poison = batch.start
      logger.error('digest: the ledger refuses a record; its items are counted as invalid', {
        position: formatPosition(batch.start),
        error: reason,
      })
    }

    const work = async (): Promise<void> => {
      const progress = await retry('read the progress', () => ledger.progress(spoolId))
      dependencies.onState({ status: 'running', detail: null, since: clock.now() })
      let { batch: number, position } = progress
      dependencies.onSettled(position)
      if (progress.pending !== null) {
        const until = progress.pending
        const read = await retry('read the spool', () => reader.readUntil(position, until))
        logger.info('digest: repeating the batch that was under way', { batch: number, records: read.records.length })
        const repeated = await retry('read project settings', () => prepareBatch(read.records, until, preparation))
        await store(repeated, number)
        position = until
      }
      let next = await prepareNext(position)
      while (next !== null) {
        const batch = next
        const storing = store(batch, number + 1)
        const [stored, ahead] = await Promise.allSettled([storing, prepareAhead(batch.end, storing)])
        if (stored.status === 'fulfilled') {
          number += 1
          position = batch.end
          poison = null
          batchRecords = Math.min(batchRecords * 2, limits.batchRecords)
          if (ahead.status === 'rejected') throw ahead.reason
          next = signal.aborted ? null : (ahead.value ?? (await prepareNext(position)))
        } else if (stored.reason instanceof DigestStopped || poison !== null) {
          throw stored.reason
        } else {
          narrow(batch, stored.reason)
          next = await prepareNext(position)
        }
      }
    }

    try {
      await work()
    } catch (error) {
      if (!(error instanceof DigestStopped)) throw error
      logger.warn('digest: stopped before its batch was stored; it is repeated at the next start', {
        error: error.message,
      })
    } finally {
      await reader.close()
      dependencies.onState({ status: 'stopped', detail: null, since: clock.now() })
    }
  }

  return { run }
}

/** Waits for the spool to grow; ends early when woken or stopped. */
const createWait = (
  reader: SpoolReader,
  signal: AbortSignal,
): { (seen: SpoolPosition): Promise<void>; wake(): void } => {
  let wake = (): void => undefined
  signal.addEventListener('abort', () => wake())
  const wait = (seen: SpoolPosition): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        resolve()
        return
      }
      wake = resolve
      reader.changed(seen, WAKE_MS).then(resolve, reject)
    })
  return Object.assign(wait, { wake: () => wake() })
}

const ledgerBatchOf = (spool: string, number: number, batch: PreparedBatch, kept: Kept): LedgerBatch => ({
  spool,
  number,
  end: batch.end,
  events: batch.events.map(({ item, summary }) => ({
    organizationId: item.sender.organizationId,
    projectId: item.sender.projectId,
    keyId: item.sender.keyId,
    receivedAt: item.receivedAt,
    grouped: summary,
  })),
  blobs: kept.blobs,
  feedback: batch.feedback.map(({ item, ...feedback }) => ({
    organizationId: item.sender.organizationId,
    projectId: item.sender.projectId,
    keyId: item.sender.keyId,
    receivedAt: item.receivedAt,
    ...feedback,
  })),
})
