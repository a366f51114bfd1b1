import type { Ledger } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { LIMITS } from '../limits.ts'

/** What evaluating rules takes. One with a search of its own that takes too much is evaluated less often, and says so. */
export interface Cost {
  readonly rows: number
  readonly milliseconds: number
  readonly everyMinutes: number
  readonly slowedAt: number | null
  /** Of the last hour, as far as this process was there. */
  readonly evaluations: number
}

export const FREE: Cost = { rows: 0, milliseconds: 0, everyMinutes: 1, slowedAt: null, evaluations: 0 }

/** The last evaluations weigh most. */
const WEIGHT = 0.25

const averaged = (before: number, now: number): number => (before === 0 ? now : before + (now - before) * WEIGHT)

export interface Spent {
  readonly rows: number
  readonly milliseconds: number
  readonly isStopped: boolean
  /** Only what a rule does not share with others can be its own fault. */
  readonly isOwn: boolean
}

/** What a rule costs after one more evaluation. */
export const afterSpending = (cost: Cost, spent: Spent, now: number): Cost => {
  const evaluations = Math.min(cost.evaluations + 1, Math.floor(60 / cost.everyMinutes))
  const rows = averaged(cost.rows, spent.rows)
  const milliseconds = averaged(cost.milliseconds, spent.milliseconds)
  const isOver =
    spent.isOwn && (spent.isStopped || rows > LIMITS.MEASURE_BUDGET_ROWS || milliseconds > LIMITS.MEASURE_BUDGET_MS)
  if (isOver) {
    const slowedAt = cost.slowedAt ?? now
    return { rows, milliseconds, evaluations, everyMinutes: LIMITS.MEASURE_SLOWED_MINUTES, slowedAt }
  }
  const isCheap = rows < LIMITS.MEASURE_BUDGET_ROWS / 2 && milliseconds < LIMITS.MEASURE_BUDGET_MS / 2
  return isCheap
    ? { rows, milliseconds, evaluations, everyMinutes: 1, slowedAt: null }
    : { ...cost, rows, milliseconds, evaluations }
}

export const createCosts = ({ ledger }: { readonly ledger: Ledger }) => {
  const known = new Map<number, Cost>()
  /** Those whose pace changed since they were kept. */
  const changed = new Map<number, number>()
  return {
    load: async (): Promise<void> => {
      const rows = await ledger.db.selectFrom('measured_costs').selectAll().execute()
      for (const { every_minutes: everyMinutes, milliseconds, rule_id: id, rows: read, slowed_at: slowedAt } of rows) {
        known.set(id, { rows: read, milliseconds, everyMinutes, slowedAt, evaluations: 0 })
      }
    },
    of: (ruleId: number): Cost => known.get(ruleId) ?? FREE,
    /** @returns what it is from now on */
    spend: (rule: { readonly id: number; readonly organizationId: number }, spent: Spent, now: number): Cost => {
      const before = known.get(rule.id) ?? FREE
      const after = afterSpending(before, spent, now)
      known.set(rule.id, after)
      if (after.everyMinutes !== before.everyMinutes) changed.set(rule.id, rule.organizationId)
      return after
    },
    /** Keeps the pace of those that change it. */
    save: async (): Promise<void> => {
      const rows = [...changed].map(([id, organizationId]) => {
        const { everyMinutes, milliseconds, rows: read, slowedAt } = known.get(id) ?? FREE
        return {
          rule_id: id,
          organization_id: organizationId,
          rows: Math.round(read),
          milliseconds: Math.round(milliseconds),
          every_minutes: everyMinutes,
          slowed_at: slowedAt,
        }
      })
      changed.clear()
      for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
        await ledger.db
          .insertInto('measured_costs')
          .values(part)
          .onConflict((conflict) =>
            conflict.column('rule_id').doUpdateSet(({ ref }) => ({
              rows: ref('excluded.rows'),
              milliseconds: ref('excluded.milliseconds'),
              every_minutes: ref('excluded.every_minutes'),
              slowed_at: ref('excluded.slowed_at'),
            })),
          )
          .execute()
      }
    },
    forget: (ruleIds: ReadonlySet<number>): void => {
      for (const id of known.keys()) if (!ruleIds.has(id)) known.delete(id)
    },
  }
}

export type Costs = ReturnType<typeof createCosts>
