import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Links by which people without an account see a replay. */
export const replayLinkTable = (dialect: LedgerDialect): readonly string[] => {
  const { id, int } = columnTypes(dialect)
  return [
    `CREATE TABLE replay_links (
      id ${id},
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      replay_id text NOT NULL,
      token_hash text NOT NULL,
      created_by ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      created_at ${int} NOT NULL,
      expires_at ${int} NOT NULL,
      shown_from ${int},
      shown_to ${int},
      views ${int} NOT NULL,
      last_viewed_at ${int}
    )`,
    `CREATE UNIQUE INDEX replay_links_by_token ON replay_links (token_hash)`,
    `CREATE INDEX replay_links_by_replay ON replay_links (project_id, replay_id)`,
    `CREATE INDEX replay_links_by_user ON replay_links (created_by)`,
    `CREATE INDEX replay_links_by_end ON replay_links (expires_at)`,
  ]
}
