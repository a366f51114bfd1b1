import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/**
 * How far the removal of what is old ever reached. How far it reached before that was noted down, nobody knows; but it
 * reaches into the past only, so the moment of this step is beyond all of it.
 */
export const reachOfRetention = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  const now =
    dialect === 'sqlite'
      ? `CAST(strftime('%s', 'now') AS integer) * 1000`
      : `CAST(extract(epoch FROM now()) AS bigint) * 1000`
  return [
    `ALTER TABLE organizations ADD COLUMN removed_before ${int}`,
    `UPDATE organizations SET removed_before = ${now}`,
  ]
}
