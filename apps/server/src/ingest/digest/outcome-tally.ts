import { LIMITS } from '../../limits.ts'
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
}

const MINUTE_MS = 60_000

const cut = (word: string): string =>
  word.length <= LIMITS.OUTCOME_WORD_LENGTH ? word : word.slice(0, LIMITS.OUTCOME_WORD_LENGTH).toWellFormed()

export const createOutcomeTally = (): OutcomeTally => {
  const sums = new Map<string, { row: OutcomeRow; quantity: number; bytes: number }>()
  return {
    add: (row) => {
      const timestamp = row.timestamp - (row.timestamp % MINUTE_MS)
      const sdk = cut(row.sdk)
      const itemType = cut(row.itemType)
      const key = `${row.projectId} ${row.keyId} ${timestamp} ${row.outcome} ${row.reason}\n${itemType}\n${row.category}\n${sdk}`
      const sum = sums.get(key)
      if (sum === undefined) {
        sums.set(key, { row: { ...row, timestamp, sdk, itemType }, quantity: row.quantity, bytes: row.bytes })
        return
      }
      sum.quantity += row.quantity
      sum.bytes += row.bytes
    },
    rows: () => [...sums.values()].map(({ row, quantity, bytes }) => ({ ...row, quantity, bytes })),
    size: () => sums.size,
  }
}
