import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/**
 * Every token has a maker and every invitation somebody who gave it. Tokens from before were bound to nobody: they become
 * those of the owner who has been in the organisation for longest, and say that their maker is not known; those of an
 * organisation without one end. A token that was made by a token ends with it.
 */
export const makersOfTokens = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  return [
    `ALTER TABLE members ADD COLUMN invited_by ${int} REFERENCES users (id) ON DELETE SET NULL`,
    `CREATE INDEX members_invited_by ON members (invited_by) WHERE invited_by IS NOT NULL`,
    `ALTER TABLE api_tokens ADD COLUMN maker_known ${int} NOT NULL DEFAULT 1`,
    `UPDATE api_tokens SET maker_known = 0, user_id = (
      SELECT members.user_id FROM members
      WHERE members.organization_id = api_tokens.organization_id AND members.role = 'owner' AND members.user_id IS NOT NULL
      ORDER BY members.created_at, members.id LIMIT 1
    ) WHERE user_id IS NULL`,
    `DELETE FROM api_tokens WHERE user_id IS NULL`,
    ...(dialect === 'sqlite' ? WITH_MAKER_ON_SQLITE : WITH_MAKER_ON_POSTGRES),
    `CREATE INDEX api_tokens_made_by_token ON api_tokens (made_by_token) WHERE made_by_token IS NOT NULL`,
  ]
}

/** What the log says when this is done. */
export const MAKERS_COUNTED = {
  tokensOfUnknownMakers: 'SELECT count(*) AS count FROM api_tokens WHERE maker_known = 0',
}

const WITH_MAKER_ON_POSTGRES = [
  `ALTER TABLE api_tokens ALTER COLUMN user_id SET NOT NULL`,
  `ALTER TABLE api_tokens ADD COLUMN made_by_token bigint REFERENCES api_tokens (id) ON DELETE CASCADE`,
]

/** SQLite cannot add the condition to a column that is there. */
const WITH_MAKER_ON_SQLITE = [
  `CREATE TABLE api_tokens_with_maker (
    id integer PRIMARY KEY AUTOINCREMENT,
    organization_id integer NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL,
    token_hash text NOT NULL UNIQUE,
    token_tail text NOT NULL,
    scopes text NOT NULL,
    created_at integer NOT NULL,
    last_used_at integer,
    expires_at integer,
    maker_known integer NOT NULL DEFAULT 1,
    made_by_token integer REFERENCES api_tokens_with_maker (id) ON DELETE CASCADE
  )`,
  `INSERT INTO api_tokens_with_maker SELECT
    id, organization_id, user_id, name, token_hash, token_tail, scopes, created_at, last_used_at, expires_at, maker_known, NULL
    FROM api_tokens`,
  `DROP TABLE api_tokens`,
  `ALTER TABLE api_tokens_with_maker RENAME TO api_tokens`,
  `CREATE INDEX api_tokens_organization ON api_tokens (organization_id)`,
  `CREATE INDEX api_tokens_user ON api_tokens (user_id)`,
]
