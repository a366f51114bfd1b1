import type { Insertable } from 'kysely'
import { HOUR_MS } from '../../lib/durations.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import type { AlertEvaluationTable } from './schema.ts'

/**
 * How many more evaluations of rules are kept within an hour. Beyond that, those that tell nobody are counted at one that
 * came to the same: what arrives by the thousand fills no ledger.
 */

type Row = Insertable<AlertEvaluationTable>

/** Of one rule: how many are kept, and the newest of each decision, of any group and of each. */
interface Kept {
  count: number
  readonly newest: Map<string, number | Row>
}

const keyOf = (decision: string, group: string | null): string => (group === null ? decision : `${decision} ${group}`)

/** The first of the last hour; ids rise with time. */
const firstOfHour = async (transaction: LedgerTransaction, now: number): Promise<number | null> => {
  const row = await transaction
    .selectFrom('alert_evaluations')
    .select('id')
    .where('evaluated_at', '>', now - HOUR_MS)
    .orderBy('evaluated_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

const readKept = async (
  transaction: LedgerTransaction,
  ruleIds: readonly number[],
  now: number,
): Promise<Map<number, Kept>> => {
  const kept = new Map<number, Kept>()
  const first = await firstOfHour(transaction, now)
  if (first === null) return kept
  for (const part of chunks([...new Set(ruleIds)], ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('alert_evaluations')
      .select(({ fn }) => ['rule_id', 'decision', 'group_values', fn.countAll().as('count'), fn.max('id').as('newest')])
      .where('rule_id', 'in', part)
      .where('id', '>=', first)
      .groupBy(['rule_id', 'decision', 'group_values'])
      .orderBy('newest')
      .execute()
    for (const { count, decision, group_values: group, newest, rule_id: ruleId } of rows) {
      const own = kept.get(ruleId) ?? { count: 0, newest: new Map() }
      kept.set(ruleId, own)
      own.count += Number(count)
      for (const key of [keyOf(decision, null), keyOf(decision, group)]) own.newest.set(key, newest)
    }
  }
  return kept
}

/** It told somebody: there are as many of them as incidents have messages. */
const isTold = ({ decision, incident_id: incident }: Row): boolean =>
  incident !== null && decision !== 'held' && decision !== 'still'

/** What fired is counted at its own group: there are no more of them than incidents. Of the rest, any group is like another. */
const ownGroup = ({ group_values: group, incident_id: incident }: Row): string | null =>
  incident === null || incident === undefined ? null : group

export const readRoom = async (transaction: LedgerTransaction, ruleIds: readonly number[], now: number) => {
  const kept = await readKept(transaction, ruleIds, now)
  const more = new Map<number, number>()
  return {
    /** @returns whether it is kept by itself; otherwise it is counted */
    take: (row: Row): boolean => {
      const own = kept.get(row.rule_id) ?? { count: 0, newest: new Map<string, number | Row>() }
      kept.set(row.rule_id, own)
      const like = own.newest.get(keyOf(row.decision, ownGroup(row)))
      if (own.count < LIMITS.ALERT_EVALUATIONS_AN_HOUR || like === undefined || isTold(row)) {
        own.count += 1
        for (const key of [keyOf(row.decision, null), keyOf(row.decision, row.group_values)]) own.newest.set(key, row)
        return true
      }
      if (typeof like === 'number') more.set(like, (more.get(like) ?? 0) + 1)
      else like.repeated += 1
      return false
    },
    /** Writes down what was counted at rows that are there already. */
    note: async (noting: LedgerTransaction): Promise<void> => {
      for (const [times, some] of Map.groupBy(more, ([, count]) => count)) {
        for (const part of chunks(some, ROWS_PER_STATEMENT)) {
          await noting
            .updateTable('alert_evaluations')
            .set((expression) => ({ repeated: expression('repeated', '+', times) }))
            .where(
              'id',
              'in',
              part.map(([id]) => id),
            )
            .execute()
        }
      }
    },
  }
}
