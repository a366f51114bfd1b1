import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Searches for issues that people keep under a name, for themselves or for all of the organisation. */
export const savedSearches = (dialect: LedgerDialect): readonly string[] => {
  const { id, int } = columnTypes(dialect)
  return [
    `CREATE TABLE saved_searches (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      user_id ${int} REFERENCES users (id) ON DELETE CASCADE,
      name text NOT NULL,
      query text NOT NULL,
      sort text NOT NULL,
      created_at ${int} NOT NULL
    )`,
    `CREATE INDEX saved_searches_organization ON saved_searches (organization_id, user_id)`,
    `CREATE INDEX saved_searches_user ON saved_searches (user_id) WHERE user_id IS NOT NULL`,
  ]
}
