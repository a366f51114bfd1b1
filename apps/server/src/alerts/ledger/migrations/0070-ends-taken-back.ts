import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Incidents that somebody ended by what they did to an issue, until it is told, and for as long as it can be taken back. */
export const endsTakenBack = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  return [
    `ALTER TABLE alert_incidents ADD COLUMN over_by ${int}`,
    `ALTER TABLE alert_incidents ADD COLUMN over_due_at ${int}`,
    `ALTER TABLE alert_incidents ADD COLUMN over_from text`,
    `CREATE INDEX alert_incidents_over ON alert_incidents (issue_id) WHERE over_by IS NOT NULL`,
    `CREATE INDEX alert_incidents_over_due ON alert_incidents (over_due_at) WHERE over_due_at IS NOT NULL`,
  ]
}
