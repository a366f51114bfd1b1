import type { Insertable } from 'kysely'
import type { AlertDecision, AlertReason } from '@firsthand/contract'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { readRoom } from './evaluation-room.ts'
import type { AlertEvaluationTable } from './schema.ts'

/** What a rule came to, and why. */
export interface Evaluation {
  readonly organizationId: number
  readonly ruleId: number
  readonly ruleVersion: number
  readonly occasion: string
  readonly at: number
  readonly issueId: number | null
  readonly decision: AlertDecision
  readonly reason: AlertReason
  readonly sentence: string
  readonly incidentId: number | null
  /** Of rules about how much. */
  readonly measured?: MeasuredNumbers
}

export interface MeasuredNumbers {
  readonly group: readonly { readonly name: string; readonly value: string }[]
  readonly value: number | null
  readonly limit: number | null
  readonly unit: string | null
  readonly windowMinutes: number
  readonly rows: number
  readonly milliseconds: number
}

const SENTENCE_CHARACTERS = 1000

const toRow = (evaluation: Evaluation, now: number): Insertable<AlertEvaluationTable> => ({
  organization_id: evaluation.organizationId,
  rule_id: evaluation.ruleId,
  rule_version: evaluation.ruleVersion,
  occasion: evaluation.occasion,
  at: evaluation.at,
  evaluated_at: now,
  issue_id: evaluation.issueId,
  group_values: JSON.stringify(evaluation.measured?.group ?? []),
  decision: evaluation.decision,
  reason: evaluation.reason,
  sentence: evaluation.sentence.slice(0, SENTENCE_CHARACTERS),
  value: evaluation.measured?.value ?? null,
  value_limit: evaluation.measured?.limit ?? null,
  unit: evaluation.measured?.unit ?? null,
  window_minutes: evaluation.measured?.windowMinutes ?? null,
  incident_id: evaluation.incidentId,
  repeated: 0,
  rows_read: evaluation.measured?.rows ?? null,
  milliseconds: evaluation.measured?.milliseconds ?? null,
})

/** What was evaluated before, at the same occasion, stays as it was. What a rule has no room for is counted. */
export const keepEvaluations = async (
  transaction: LedgerTransaction,
  evaluations: readonly Evaluation[],
  now: number,
): Promise<void> => {
  if (evaluations.length === 0) return
  const room = await readRoom(
    transaction,
    evaluations.map(({ ruleId }) => ruleId),
    now,
  )
  const rows: Insertable<AlertEvaluationTable>[] = []
  for (const evaluation of evaluations) {
    const row = toRow(evaluation, now)
    if (room.take(row)) rows.push(row)
  }
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('alert_evaluations')
      .values(part)
      .onConflict((conflict) => conflict.columns(['rule_id', 'occasion']).doNothing())
      .execute()
  }
  await room.note(transaction)
}

/** How often kept evaluations were so again. */
export const noteRepeated = async (
  transaction: LedgerTransaction,
  repeated: readonly { readonly ruleId: number; readonly occasion: string; readonly times: number }[],
): Promise<void> => {
  // Most of an hour were so equally often.
  for (const [times, some] of Map.groupBy(repeated, (one) => one.times)) {
    for (const part of chunks(some, PAIRS_PER_STATEMENT)) {
      await transaction
        .updateTable('alert_evaluations')
        .set({ repeated: times })
        .where((where) =>
          where.or(
            part.map(({ occasion, ruleId }) =>
              where.and([where('rule_id', '=', ruleId), where('occasion', '=', occasion)]),
            ),
          ),
        )
        .execute()
    }
  }
}

/** Each is looked up by itself in the index; expressions of SQLite are at most 1000 deep. */
const PAIRS_PER_STATEMENT = 200
