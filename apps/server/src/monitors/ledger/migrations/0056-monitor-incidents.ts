import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** How many incidents a monitor had on a day, so that one that flaps is told of so often and no more. */
export const monitorIncidents = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  return [
    `ALTER TABLE monitor_environments ADD COLUMN incident_day ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE monitor_environments ADD COLUMN incident_count ${int} NOT NULL DEFAULT 0`,
  ]
}
