import type { Insertable } from 'kysely'
import type { AlertDecision, AlertReason } from '@firsthand/contract'
import { chunks } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
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

const ROWS_AT_ONCE = 400

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

/** What was evaluated before, at the same occasion, stays as it was. */
export const keepEvaluations = async (
  transaction: LedgerTransaction,
  evaluations: readonly Evaluation[],
  now: number,
): Promise<void> => {
  const rows = evaluations.map((evaluation) => toRow(evaluation, now))
  for (const part of chunks(rows, ROWS_AT_ONCE)) {
    await transaction
      .insertInto('alert_evaluations')
      .values(part)
      .onConflict((conflict) => conflict.columns(['rule_id', 'occasion']).doNothing())
      .execute()
  }
}
