import { MINUTE_MS } from '../lib/durations.ts'
import type { OutcomeRow, OutcomeStore } from '../ingest/index.ts'
import { encodeLines } from '../storage/telemetry/row-writer.ts'
import type { RowWriter } from '../storage/telemetry/row-writer.ts'
import { line, text } from '../storage/telemetry/tab-separated.ts'

/** Columns of `outcomes` in the order in which `outcomeLine` writes them. */
const OUTCOME_COLUMNS = [
  'organization_id',
  'project_id',
  'key_id',
  'timestamp',
  'outcome',
  'reason',
  'item_type',
  'category',
  'sdk',
  'quantity',
  'bytes',
] as const

const outcomeLine = (outcome: OutcomeRow): string =>
  line([
    outcome.organizationId,
    outcome.projectId,
    outcome.keyId,
    Math.floor(outcome.timestamp / MINUTE_MS) * 60,
    text(outcome.outcome),
    text(outcome.reason),
    text(outcome.itemType),
    text(outcome.category),
    text(outcome.sdk),
    outcome.quantity,
    outcome.bytes,
  ])

/** Sums rows of the same minute and kind, so that one batch writes few of them. */
const sumOutcomes = (outcomes: readonly OutcomeRow[]): OutcomeRow[] => {
  const sums = new Map<string, OutcomeRow>()
  for (const outcome of outcomes) {
    const { organizationId, projectId, keyId, reason, itemType, category, sdk } = outcome
    const minute = Math.floor(outcome.timestamp / MINUTE_MS)
    const key = [organizationId, projectId, keyId, minute, outcome.outcome, reason, itemType, category, sdk].join(
      '\u0000',
    )
    const known = sums.get(key)
    sums.set(
      key,
      known === undefined
        ? outcome
        : { ...known, quantity: known.quantity + outcome.quantity, bytes: known.bytes + outcome.bytes },
    )
  }
  return [...sums.values()]
}

export const createOutcomeRows = (writer: RowWriter): OutcomeStore => ({
  write: (rows, token) =>
    writer.insert('outcomes', OUTCOME_COLUMNS, encodeLines(sumOutcomes(rows), outcomeLine), token),
})
