import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Which chunks a replay was cut into. */
export const replayPackTable = (dialect: LedgerDialect): readonly string[] => {
  const { int, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE replay_packs (
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      replay_id text NOT NULL,
      version ${int} NOT NULL,
      segments ${int} NOT NULL,
      last_at ${int} NOT NULL,
      chunks text NOT NULL,
      PRIMARY KEY (project_id, replay_id)
    )${clustered}`,
    `CREATE INDEX replay_packs_by_age ON replay_packs (project_id, last_at)`,
  ]
}
