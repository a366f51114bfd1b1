import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** By which rules transactions are called, and what is known of their names. */
export const nameTables = (dialect: LedgerDialect): readonly string[] => {
  const { int, flag, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE name_rules (
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      pattern text NOT NULL,
      is_own ${flag} NOT NULL,
      is_refused ${flag} NOT NULL,
      made_at ${int} NOT NULL,
      last_at ${int},
      uses text NOT NULL,
      PRIMARY KEY (project_id, pattern)
    )${clustered}`,
    `CREATE INDEX name_rules_by_age ON name_rules (last_at)`,
    `CREATE TABLE known_names (
      project_id ${int} PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
      tree text NOT NULL,
      seen text NOT NULL,
      changed_at ${int} NOT NULL
    )`,
  ]
}
