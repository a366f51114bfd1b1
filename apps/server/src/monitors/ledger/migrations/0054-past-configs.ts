import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Configurations of monitors that were replaced: what runs of their time were judged by. */
export const pastConfigs = (dialect: LedgerDialect): readonly string[] => {
  const { int, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE monitor_past_configs (
      monitor_id ${int} NOT NULL REFERENCES monitors (id) ON DELETE CASCADE,
      until_at ${int} NOT NULL,
      config text NOT NULL,
      PRIMARY KEY (monitor_id, until_at)
    )${clustered}`,
  ]
}
