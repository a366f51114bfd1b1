import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Status pages, and what people say on them. */
export const statusPageTables = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, flag } = columnTypes(dialect)
  return [
    `CREATE TABLE status_pages (
      id ${id},
      organization_id ${int} NOT NULL UNIQUE REFERENCES organizations (id) ON DELETE CASCADE,
      slug text NOT NULL UNIQUE,
      title text NOT NULL,
      is_on ${flag} NOT NULL,
      is_public ${flag} NOT NULL,
      components text NOT NULL,
      link_version ${int} NOT NULL
    )`,
    `CREATE TABLE status_incidents (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      kind text NOT NULL,
      title text NOT NULL,
      impact text NOT NULL,
      status text NOT NULL,
      components text NOT NULL,
      starts_at ${int} NOT NULL,
      ends_at ${int},
      is_published ${flag} NOT NULL,
      changed_at ${int} NOT NULL
    )`,
    `CREATE INDEX status_incidents_by_organization ON status_incidents (organization_id, starts_at)`,
    `CREATE TABLE status_updates (
      id ${id},
      incident_id ${int} NOT NULL REFERENCES status_incidents (id) ON DELETE CASCADE,
      user_id ${int},
      status text NOT NULL,
      text text NOT NULL,
      at ${int} NOT NULL
    )`,
    `CREATE INDEX status_updates_by_incident ON status_updates (incident_id, at)`,
  ]
}
