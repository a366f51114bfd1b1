import { DAY_MS } from '../../lib/durations.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'

/** What rules about how much came to when nothing was wrong: of days that are over for a while, one of each group says how many. */

const RULES_AT_ONCE = 50

interface Quiet {
  readonly id: number
  readonly rule_id: number
  readonly rule_version: number
  readonly group_values: string
  readonly reason: string
  readonly evaluated_at: number
  readonly repeated: number
}

const sameOf = ({
  evaluated_at: at,
  group_values: group,
  reason,
  rule_id: rule,
  rule_version: version,
}: Quiet): string => `${rule} ${version} ${reason} ${Math.floor(at / DAY_MS)} ${group}`

const mergeSome = async (transaction: LedgerTransaction, rows: readonly Quiet[]): Promise<number> => {
  const counted = new Map<number, number[]>()
  const gone: number[] = []
  for (const [first, ...others] of Map.groupBy(rows, sameOf).values()) {
    if (first === undefined || others.length === 0) continue
    const repeated = others.reduce((sum, one) => sum + one.repeated + 1, first.repeated)
    counted.set(repeated, [...(counted.get(repeated) ?? []), first.id])
    gone.push(...others.map(({ id }) => id))
  }
  for (const [repeated, all] of counted) {
    for (const ids of chunks(all, ROWS_PER_STATEMENT)) {
      await transaction.updateTable('alert_evaluations').set({ repeated }).where('id', 'in', ids).execute()
    }
  }
  for (const ids of chunks(gone, ROWS_PER_STATEMENT)) {
    await transaction.deleteFrom('alert_evaluations').where('id', 'in', ids).execute()
  }
  return gone.length
}

/** @returns how many are gone */
export const mergeQuietEvaluations = async (ledger: Ledger, now: number, signal: AbortSignal): Promise<number> => {
  const rules = await ledger.db.selectFrom('alert_rules').select('id').where('source', '!=', 'happened').execute()
  // Whole days: one that is merged is not begun anew.
  const before = Math.floor(now / DAY_MS - LIMITS.ALERT_QUIET_DAYS) * DAY_MS
  let merged = 0
  for (const part of chunks(rules, RULES_AT_ONCE)) {
    signal.throwIfAborted()
    merged += await ledger.transaction(async (transaction) => {
      const rows = await transaction
        .selectFrom('alert_evaluations')
        .select(['id', 'rule_id', 'rule_version', 'group_values', 'reason', 'evaluated_at', 'repeated'])
        .where(
          'rule_id',
          'in',
          part.map(({ id }) => id),
        )
        .where('decision', '=', 'quiet')
        .where('evaluated_at', '<', before)
        .orderBy('id')
        .execute()
      return mergeSome(transaction, rows)
    })
  }
  return merged
}

/** Of a rule that comes to much, the oldest go before their time. @returns how many */
export const forgetBeyondKept = async ({ db }: Ledger, signal: AbortSignal): Promise<number> => {
  const full = await db
    .selectFrom('alert_evaluations')
    .select('rule_id')
    .groupBy('rule_id')
    .having(({ fn }) => fn.countAll(), '>', LIMITS.ALERT_EVALUATIONS_KEPT)
    .execute()
  let gone = 0
  for (const { rule_id: ruleId } of full) {
    for (;;) {
      signal.throwIfAborted()
      const rows = await db
        .selectFrom('alert_evaluations')
        .select('id')
        .where('rule_id', '=', ruleId)
        .orderBy('id', 'desc')
        .offset(LIMITS.ALERT_EVALUATIONS_KEPT)
        .limit(LIMITS.ALERT_STEP_ROWS)
        .execute()
      if (rows.length === 0) break
      const ids = rows.map(({ id }) => id)
      await db.deleteFrom('alert_evaluations').where('id', 'in', ids).execute()
      gone += ids.length
    }
  }
  return gone
}
