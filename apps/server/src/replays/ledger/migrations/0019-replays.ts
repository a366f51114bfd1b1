import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Who opened a replay, and which ones were deleted. */
export const replayTables = (dialect: LedgerDialect): readonly string[] => {
  const { int, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE replay_views (
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      replay_id text NOT NULL,
      user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      viewed_at ${int} NOT NULL,
      PRIMARY KEY (project_id, replay_id, user_id)
    )${clustered}`,
    `CREATE INDEX replay_views_by_user ON replay_views (user_id)`,
    `CREATE INDEX replay_views_by_age ON replay_views (project_id, viewed_at)`,
    `CREATE TABLE replay_deletions (
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      replay_id text NOT NULL,
      deleted_at ${int} NOT NULL,
      done_at ${int},
      PRIMARY KEY (project_id, replay_id)
    )${clustered}`,
    `CREATE INDEX replay_deletions_to_do ON replay_deletions (deleted_at) WHERE done_at IS NULL`,
  ]
}
