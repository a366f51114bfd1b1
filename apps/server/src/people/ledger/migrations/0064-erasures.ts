import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Who asked that all that is kept of a person is erased, and how far that is. */
export const erasureTable = (dialect: LedgerDialect): readonly string[] => {
  const { id, int } = columnTypes(dialect)
  return [
    `CREATE TABLE erasures (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      user_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      state text NOT NULL,
      names text NOT NULL,
      counts text NOT NULL,
      asked_at ${int} NOT NULL,
      due_at ${int} NOT NULL,
      ended_at ${int}
    )`,
    `CREATE INDEX erasures_organization ON erasures (organization_id, id)`,
    `CREATE INDEX erasures_waiting ON erasures (due_at) WHERE state IN ('planned', 'running')`,
    `CREATE INDEX erasures_user ON erasures (user_id) WHERE user_id IS NOT NULL`,
  ]
}
