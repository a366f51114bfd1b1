import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Questions to datasets that people keep under a name, for themselves or for all of the organisation. */
export const savedQueries = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, flag } = columnTypes(dialect)
  return [
    `CREATE TABLE saved_queries (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      user_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      shared ${flag} NOT NULL,
      name text NOT NULL,
      query text NOT NULL,
      created_at ${int} NOT NULL,
      updated_at ${int} NOT NULL
    )`,
    `CREATE INDEX saved_queries_organization ON saved_queries (organization_id, user_id)`,
    `CREATE INDEX saved_queries_user ON saved_queries (user_id) WHERE user_id IS NOT NULL`,
  ]
}
