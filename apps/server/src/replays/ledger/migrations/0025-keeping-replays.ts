import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Keys of the chunks that packs have, which stand in a list of lists. */
const chunkKeys = (dialect: LedgerDialect): string =>
  dialect === 'sqlite'
    ? `SELECT DISTINCT 'chunks of ' || project_id || '/' || replay_id, json_extract(chunk.value, '$[4]')
        FROM replay_packs, json_each(replay_packs.chunks) AS chunk`
    : `SELECT DISTINCT 'chunks of ' || project_id || '/' || replay_id, chunk.value ->> 4
        FROM replay_packs, jsonb_array_elements(replay_packs.chunks::jsonb) AS chunk(value)`

/** How long replays are kept and which ones, and deletions of many at once. */
export const keepingReplays = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE replay_stars (
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      replay_id text NOT NULL,
      user_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      starred_at ${int} NOT NULL,
      PRIMARY KEY (project_id, replay_id)
    )${clustered}`,
    `CREATE INDEX replay_stars_by_user ON replay_stars (user_id)`,
    `CREATE TABLE replay_keeping (
      project_id ${int} NOT NULL PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
      days ${int},
      max_bytes ${int},
      freed_at ${int},
      freed_replays ${int} NOT NULL,
      freed_bytes ${int} NOT NULL
    )`,
    `CREATE TABLE replay_deletion_jobs (
      id ${id},
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      user_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      created_at ${int} NOT NULL,
      updated_at ${int} NOT NULL,
      range_start ${int},
      range_end ${int},
      environments text NOT NULL,
      query text NOT NULL,
      visitor text,
      status text NOT NULL,
      count_deleted ${int} NOT NULL,
      freed_bytes ${int} NOT NULL,
      error text NOT NULL
    )`,
    `CREATE INDEX replay_deletion_jobs_by_project ON replay_deletion_jobs (project_id, id)`,
    `CREATE INDEX replay_deletion_jobs_by_user ON replay_deletion_jobs (user_id)`,
    `CREATE INDEX replay_deletion_jobs_to_do ON replay_deletion_jobs (id) WHERE status IN ('pending', 'in-progress')`,
    `ALTER TABLE replay_packs ADD COLUMN stored_bytes ${int}`,
    `CREATE INDEX replay_packs_sizes ON replay_packs (project_id, replay_id, stored_bytes)`,
    `CREATE INDEX replay_packs_unmeasured ON replay_packs (project_id, replay_id) WHERE stored_bytes IS NULL`,
    `INSERT INTO blob_holders (holder, key) ${chunkKeys(dialect)}`,
  ]
}
