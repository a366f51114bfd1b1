import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** How runs ended, until telemetry has it: alerts count them there. */
export const monitorResults = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, flag } = columnTypes(dialect)
  return [
    `CREATE TABLE monitor_results (
      id ${id},
      environment_id ${int} NOT NULL REFERENCES monitor_environments (id) ON DELETE CASCADE,
      status text NOT NULL,
      decided_at ${int} NOT NULL,
      is_late ${flag} NOT NULL,
      duration_ms ${int},
      release text NOT NULL
    )`,
    `CREATE INDEX monitor_results_by_environment ON monitor_results (environment_id)`,
  ]
}
