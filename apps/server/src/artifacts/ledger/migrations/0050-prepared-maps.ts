import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** What source maps were made into for looking things up, or why not. */
export const preparedMaps = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  return [
    `ALTER TABLE artifact_files ADD COLUMN prepared_key text`,
    `ALTER TABLE artifact_files ADD COLUMN prepared_form ${int}`,
    `ALTER TABLE artifact_files ADD COLUMN map_error text`,
    `CREATE INDEX artifact_files_to_prepare ON artifact_files (id) WHERE kind = 'source_map' AND prepared_form IS NULL`,
  ]
}
