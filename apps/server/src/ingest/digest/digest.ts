import type { ProjectLookup } from '../../accounts/settings.ts'
import { LIMITS } from '../limits.ts'
import { createReceiptBounds } from '../receipt-bounds.ts'
import type { SpoolPosition } from '../road.ts'
import type { SpoolReader } from '../spool/spool-reader.ts'
import { BatchReader } from './next-batch.ts'
import type { BatchLimits } from './next-batch.ts'
import { DigestStopped, createRetry } from './retry.ts'
import type { DigestState, Retry } from './retry.ts'
import { storeBatch } from './store-batch.ts'
import type { BatchStores } from './store-batch.ts'
import { UnderWay } from './under-way.ts'
import type { UnderWayFile } from './under-way.ts'

/**
 * The digest: spool → kinds of items → ledger, telemetry → settled. It knows no kind by name. Exactly once, by this order
 * for every batch:
 *
 * 1. `ledger.apply` does what each kind changes and notes the batch's end as pending, in one transaction.
 * 2. Each kind writes its rows to telemetry under the token `<spool>:<batch>`; how the items ended is written last.
 * 3. `ledger.settle` moves the position.
 *
 * Whoever dies between 1 and 3 finds the pending end at the next start and repeats exactly these records: the ledger
 * then answers from what it has, telemetry drops what it has and is asked whether it has everything. While one batch is
 * being stored, the next is already read and expanded, when there is enough to do.
 */
export interface Digest {
  /**
   * Runs until the signal fires, or a finite reader has no more; the batch under way is finished first, unless its store
   * fails. Never rejects but for faults of ours.
   */
  run(signal: AbortSignal): Promise<void>
}

export interface DigestDependencies extends BatchStores {
  readonly reader: SpoolReader
  readonly projects: Pick<ProjectLookup, 'byProjectId'>
  readonly onState: (state: DigestState) => void
  /** What an earlier process left under way is stored, and what it died over is passed; from here on everything is new. */
  readonly onBegun?: () => void
  /** Nothing before it waits for this digest, though it may not have stored what is before it: that was not its own. */
  readonly onPassed?: (position: SpoolPosition) => void
  /** Where what is under way is noted. */
  readonly underWay: UnderWayFile
  /** The thread before this one died, and its process lives. */
  readonly followsDeath: boolean
  readonly limits?: Partial<DigestLimits>
  /** What of the limits of receipts is this digest's, where there is another one. */
  readonly receiptShare?: number
}

export interface DigestLimits extends BatchLimits {
  readonly retryFirstMs: number
  readonly retryLongestMs: number
}

const DEFAULT_LIMITS: DigestLimits = {
  batchBytes: LIMITS.DIGEST_BATCH_BYTES,
  batchRecords: LIMITS.DIGEST_BATCH_RECORDS,
  aheadBytes: LIMITS.DIGEST_AHEAD_BYTES,
  intervalMs: LIMITS.DIGEST_INTERVAL_MS,
  batchMs: LIMITS.DIGEST_BATCH_MS,
  retryFirstMs: LIMITS.STORE_RETRY_FIRST_MS,
  retryLongestMs: LIMITS.STORE_RETRY_LONGEST_MS,
}

export const createDigest = (dependencies: DigestDependencies): Digest => {
  const { clock, logger, onState, reader, spoolId } = dependencies
  const limits = { ...DEFAULT_LIMITS, ...dependencies.limits }
  const bounds = createReceiptBounds(dependencies.receiptShare)
  return {
    run: async (signal) => {
      const { retryFirstMs: firstMs, retryLongestMs: longestMs } = limits
      const retry = createRetry({ logger, clock, signal, onState, firstMs, longestMs })
      const underWay = new UnderWay({ file: dependencies.underWay, spool: spoolId, logger })
      const batches = new BatchReader({ ...dependencies, bounds, limits, retry, signal, underWay })
      try {
        await digestAll(batches, dependencies, retry, signal)
        underWay.end()
      } catch (error) {
        if (!(error instanceof DigestStopped)) throw error
        underWay.end()
        logger.warn('digest: stopped before its batch was stored; it is repeated at the next start', {
          error: error.message,
        })
      } finally {
        await reader.close()
        onState({ status: 'stopped', detail: null, since: clock.now() })
      }
    },
  }
}

/** One batch after the other, until the digest is stopped or there will be no more. */
const digestAll = async (
  batches: BatchReader,
  dependencies: DigestDependencies,
  retry: Retry,
  signal: AbortSignal,
): Promise<void> => {
  const { clock, ledger, onSettled, onState, spoolId } = dependencies
  const progress = await retry('read the progress', () => ledger.progress(spoolId))
  onState({ status: 'running', detail: null, since: clock.now() })
  let { batch: number, position } = progress
  onSettled(position, 0)
  if (progress.pending !== null) {
    const repeated = await batches.repeated(position, progress.pending, number, progress.waitingTypes)
    await storeBatch(repeated, number, dependencies, retry, true)
    position = progress.pending
  }
  batches.begin(position)
  let hasBegun = false
  const begin = (): void => {
    if (hasBegun || batches.isSuspect(position)) return
    hasBegun = true
    dependencies.onBegun?.()
  }
  begin()
  let next = await batches.next(position)
  while (next !== null) {
    const batch = next
    const storing = storeBatch(batch, number + 1, dependencies, retry)
    const [stored, ahead] = await Promise.allSettled([storing, batches.ahead(batch, storing)])
    if (stored.status === 'fulfilled') {
      number += 1
      position = batch.end
      batches.widen()
      begin()
      if (ahead.status === 'rejected') throw ahead.reason
      next = signal.aborted ? null : (ahead.value ?? (await batches.next(position)))
    } else if (stored.reason instanceof DigestStopped || batches.hasFoundRefused) {
      throw stored.reason
    } else {
      batches.narrow(batch, ahead.status === 'fulfilled' ? ahead.value : null, stored.reason)
      next = await batches.next(position)
    }
  }
}
