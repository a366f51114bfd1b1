import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Which days have spans, and of which the sums are true. */
export const spanDays = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  return [
    `CREATE TABLE span_days (
      day ${int} PRIMARY KEY,
      spans ${int} NOT NULL,
      changed_at ${int} NOT NULL,
      summed ${int}
    )`,
  ]
}
