import type { IssueRecord } from './issues.view.ts'

/** Orders of the ledger: `date` by last seen, `new` by first seen, `priority` high to low and then by last seen. */
export type IssueOrder = 'date' | 'new' | 'priority'

/** Longer than any moment in milliseconds: the last sighting decides only between issues of one priority. */
export const PRIORITY_STEP = 10_000_000_000_000

const RANKS: Readonly<Record<string, number>> = { high: 3, medium: 2 }

/** The number by which an issue is sorted, highest first. */
export const orderOf = (
  order: IssueOrder,
  { firstSeen, lastSeen, priority }: Pick<IssueRecord, 'firstSeen' | 'lastSeen' | 'priority'>,
): number => {
  switch (order) {
    case 'date':
      return lastSeen
    case 'new':
      return firstSeen
    case 'priority':
      return (RANKS[priority] ?? 1) * PRIORITY_STEP + lastSeen
  }
}
