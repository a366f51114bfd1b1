import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** How many bytes a key and an organisation may send in a day; null is the installation's default. */
export const byteQuotas = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  return [
    `ALTER TABLE project_keys ADD COLUMN bytes_per_day ${int}`,
    `ALTER TABLE organizations ADD COLUMN bytes_per_day ${int}`,
  ]
}
