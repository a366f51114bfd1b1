import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import { createReceiptBounds } from '../receipt-bounds.ts'
import type { OutcomeRow } from '../road.ts'
import type { Spool } from '../spool/spool.ts'
import { createOutcomeTally } from './outcome-tally.ts'

/** Outcomes of items that were refused at the door: summed in memory and written to the spool in small batches. */
export interface Refusals {
  count(row: OutcomeRow): void
  /** Writes what is counted; at shutdown, before the spool is closed. */
  close(): Promise<void>
}

/** Stands for whatever came beyond the bound. */
const OTHER = { reason: 'other', itemType: '', category: 'default', sdk: '' } as const

export const createRefusals = (dependencies: {
  readonly spool: Pick<Spool, 'append'>
  readonly clock: Clock
  readonly logger: Logger
  readonly flushMs?: number
  readonly maxKeys?: number
  readonly maxRowsPerKey?: number
}): Refusals => {
  const { spool, clock, logger } = dependencies
  const maxKeys = dependencies.maxKeys ?? LIMITS.REFUSALS_KEYS
  const maxRowsPerKey = dependencies.maxRowsPerKey ?? LIMITS.REFUSALS_ROWS_PER_KEY
  const bounds = createReceiptBounds()
  let tally = createOutcomeTally(bounds)
  let warned = false

  const count = (row: OutcomeRow): void => {
    // A flood of different refusals must not grow the memory: beyond the bound a key has one row per outcome. The bound of
    // one key comes long before that of all, so that its flood takes no reason from the others.
    const isRoom = tally.size() < maxKeys && tally.sizeOf(row.keyId) < maxRowsPerKey
    tally.add(isRoom ? row : { ...row, ...OTHER })
  }

  const flush = async (): Promise<void> => {
    const outcomes = tally.rows()
    if (outcomes.length === 0) return
    tally = createOutcomeTally(bounds)
    try {
      await spool.append({ kind: 'outcomes', receivedAt: clock.now(), outcomes })
      warned = false
    } catch (error) {
      // The disk is full, which is when the most is refused: keep counting, bounded as above.
      for (const row of outcomes) count(row)
      if (!warned)
        logger.warn('receipts: refusals cannot be written now and are counted on in memory', { error: String(error) })
      warned = true
    }
  }

  let flushing: Promise<void> | null = null
  const tick = (): Promise<void> => {
    flushing ??= flush().finally(() => {
      flushing = null
    })
    return flushing
  }
  const timer = setInterval(() => void tick(), dependencies.flushMs ?? LIMITS.REFUSALS_FLUSH_MS)
  timer.unref()

  return {
    count,
    close: async () => {
      clearInterval(timer)
      await tick()
      await flush()
    },
  }
}
