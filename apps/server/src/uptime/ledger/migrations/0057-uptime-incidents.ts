import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** How many incidents a check had on a day, so that one that flaps is told of so often and no more. */
export const uptimeIncidents = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  return [
    `ALTER TABLE uptime_checks ADD COLUMN incident_day ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE uptime_checks ADD COLUMN incident_count ${int} NOT NULL DEFAULT 0`,
  ]
}
