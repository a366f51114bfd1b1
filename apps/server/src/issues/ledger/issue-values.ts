import type { Level } from '../../event/event.ts'
import type { LedgerEvent } from '../issues.store.ts'
import type { Flag } from '../../storage/ledger/schema.ts'

/** Pure: what an event makes of the columns of its issue. */

const LEVEL_RANKS: Readonly<Record<Level, number>> = { debug: 10, info: 20, warning: 30, error: 40, fatal: 50 }

export const levelRank = (level: Level): number => LEVEL_RANKS[level]

/** Sentry's rule for issues nobody has ranked: by level alone. */
export const initialPriority = (level: Level): 'high' | 'medium' | 'low' => {
  if (level === 'fatal' || level === 'error') return 'high'
  return level === 'warning' ? 'medium' : 'low'
}

/** Milliseconds since the epoch. */
export const timestampOf = ({ grouped }: LedgerEvent): number => Math.round(grouped.event.timestamp * 1000)

/** What lists show of an issue; taken from its newest event. */
export interface IssueFace {
  readonly title: string
  readonly culprit: string
  readonly metadata: string
  readonly level: string
  readonly level_rank: number
  readonly platform: string
  readonly logger: string
  readonly is_unhandled: Flag
}

export const faceOf = ({ grouped }: LedgerEvent): IssueFace => ({
  title: grouped.title.title,
  culprit: grouped.title.culprit,
  metadata: JSON.stringify(grouped.title.metadata),
  level: grouped.event.level,
  level_rank: levelRank(grouped.event.level),
  platform: grouped.event.platform,
  logger: grouped.event.logger,
  is_unhandled: grouped.unhandled ? 1 : 0,
})
