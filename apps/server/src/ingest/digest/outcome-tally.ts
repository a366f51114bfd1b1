import { MINUTE_MS } from '../../lib/durations.ts'
import type { ReceiptBounds } from '../receipt-bounds.ts'
import type { OutcomeRow } from '../road.ts'

/**
 * Sums outcomes with equal keys inside one minute, as storage would do anyway: at thousands of items per second a batch
 * has a handful of rows. Quantities are kept: items in = outcomes out.
 */
export interface OutcomeTally {
  add(row: OutcomeRow): void
  rows(): OutcomeRow[]
  /** Number of different rows. */
  size(): number
  /** Number of different rows of one key. */
  sizeOf(keyId: number): number
  /** Another tally that starts with the same sums. */
  copy(): OutcomeTally
}

interface Sum {
  readonly row: OutcomeRow
  quantity: number
  bytes: number
}

/** @param bounds for the words of senders; they are shared by all tallies of one road */
export const createOutcomeTally = (bounds: Pick<ReceiptBounds, 'words'>): OutcomeTally => tallyOf(bounds, [])

const tallyOf = (bounds: Pick<ReceiptBounds, 'words'>, start: readonly Sum[]): OutcomeTally => {
  const sums = new Map<string, Sum>()
  const sizes = new Map<number, number>()

  const put = (row: OutcomeRow, quantity: number, bytes: number): void => {
    const { projectId, keyId, timestamp, outcome, reason, itemType, category, sdk } = row
    const key = `${projectId} ${keyId} ${timestamp} ${outcome} ${reason}\n${itemType}\n${category}\n${sdk}`
    const sum = sums.get(key)
    if (sum === undefined) {
      sums.set(key, { row, quantity, bytes })
      sizes.set(keyId, (sizes.get(keyId) ?? 0) + 1)
      return
    }
    sum.quantity += quantity
    sum.bytes += bytes
  }
  for (const { row, quantity, bytes } of start) put(row, quantity, bytes)

  return {
    add: (row) => {
      const timestamp = row.timestamp - (row.timestamp % MINUTE_MS)
      put({ ...bounds.words(row), timestamp }, row.quantity, row.bytes)
    },
    rows: () => [...sums.values()].map(({ row, quantity, bytes }) => ({ ...row, quantity, bytes })),
    size: () => sums.size,
    sizeOf: (keyId) => sizes.get(keyId) ?? 0,
    copy: () => tallyOf(bounds, [...sums.values()]),
  }
}
