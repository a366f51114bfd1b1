import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** What people and programs say of releases; that events named them is in `releases` itself. */
export const releaseTables = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, clustered } = columnTypes(dialect)
  return [
    `ALTER TABLE releases ADD COLUMN url text`,
    `ALTER TABLE releases ADD COLUMN ref text`,
    `ALTER TABLE releases ADD COLUMN status text NOT NULL DEFAULT 'open'`,
    `ALTER TABLE releases ADD COLUMN date_started ${int}`,
    `ALTER TABLE release_projects ADD COLUMN is_seen ${int} NOT NULL DEFAULT 1`,
    `CREATE TABLE release_commits (
      release_id ${int} NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
      place ${int} NOT NULL,
      commit_id text NOT NULL,
      repository text,
      message text,
      author_name text,
      author_email text,
      committed_at ${int},
      files text NOT NULL,
      PRIMARY KEY (release_id, place)
    )${clustered}`,
    `CREATE TABLE release_deploys (
      id ${id},
      release_id ${int} NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
      environment text NOT NULL,
      name text,
      url text,
      started_at ${int},
      finished_at ${int} NOT NULL
    )`,
    `CREATE INDEX release_deploys_by_release ON release_deploys (release_id, finished_at)`,
    `CREATE TABLE repositories (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      name text NOT NULL,
      url text,
      created_at ${int} NOT NULL,
      UNIQUE (organization_id, name)
    )`,
  ]
}
