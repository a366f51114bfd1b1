import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** A token of no organisation is a person's own: it acts for them wherever they have a part. */
export const personalTokens = (dialect: LedgerDialect): readonly string[] =>
  dialect === 'sqlite' ? ON_SQLITE : [`ALTER TABLE api_tokens ALTER COLUMN organization_id DROP NOT NULL`]

/** SQLite cannot take the condition from a column. The count of ids goes along, so that none is used twice. */
const ON_SQLITE = [
  `CREATE TABLE api_tokens_of_all (
    id integer PRIMARY KEY AUTOINCREMENT,
    organization_id integer REFERENCES organizations (id) ON DELETE CASCADE,
    user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name text NOT NULL,
    token_hash text NOT NULL UNIQUE,
    token_tail text NOT NULL,
    scopes text NOT NULL,
    created_at integer NOT NULL,
    last_used_at integer,
    expires_at integer,
    maker_known integer NOT NULL DEFAULT 1,
    made_by_token integer REFERENCES api_tokens_of_all (id) ON DELETE CASCADE
  )`,
  `INSERT INTO api_tokens_of_all SELECT
    id, organization_id, user_id, name, token_hash, token_tail, scopes, created_at, last_used_at, expires_at, maker_known,
    made_by_token
    FROM api_tokens ORDER BY id`,
  `DELETE FROM sqlite_sequence WHERE name = 'api_tokens_of_all'`,
  `UPDATE sqlite_sequence SET name = 'api_tokens_of_all' WHERE name = 'api_tokens'`,
  `DROP TABLE api_tokens`,
  `ALTER TABLE api_tokens_of_all RENAME TO api_tokens`,
  `CREATE INDEX api_tokens_organization ON api_tokens (organization_id)`,
  `CREATE INDEX api_tokens_user ON api_tokens (user_id)`,
  `CREATE INDEX api_tokens_made_by_token ON api_tokens (made_by_token) WHERE made_by_token IS NOT NULL`,
]
