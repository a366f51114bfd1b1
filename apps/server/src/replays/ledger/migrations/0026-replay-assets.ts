import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Pictures, fonts and style sheets of recorded pages that are fetched and kept. */
export const replayAssetTables = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, flag, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE replay_asset_settings (
      project_id ${int} NOT NULL PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
      is_on ${flag} NOT NULL,
      hosts text NOT NULL
    )`,
    `CREATE TABLE replay_assets (
      id ${id},
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      url text NOT NULL,
      url_hash text NOT NULL,
      depth ${int} NOT NULL,
      state text NOT NULL,
      reason text NOT NULL,
      attempts ${int} NOT NULL,
      due_at ${int} NOT NULL,
      ended_at ${int},
      type text NOT NULL,
      bytes ${int} NOT NULL,
      blob_key text,
      imports text NOT NULL
    )`,
    `CREATE INDEX replay_assets_by_url ON replay_assets (project_id, url_hash, id)`,
    `CREATE INDEX replay_assets_to_do ON replay_assets (project_id, due_at) WHERE state = 'waiting'`,
    `CREATE TABLE replay_asset_uses (
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      replay_id text NOT NULL,
      asset_id ${int} NOT NULL,
      noted_at ${int} NOT NULL,
      PRIMARY KEY (project_id, replay_id, asset_id)
    )${clustered}`,
    `CREATE INDEX replay_asset_uses_by_asset ON replay_asset_uses (asset_id)`,
    `CREATE TABLE replay_asset_parts (
      asset_id ${int} NOT NULL REFERENCES replay_assets (id) ON DELETE CASCADE,
      part_id ${int} NOT NULL,
      PRIMARY KEY (asset_id, part_id)
    )${clustered}`,
    `CREATE INDEX replay_asset_parts_by_part ON replay_asset_parts (part_id)`,
    `CREATE TABLE replay_asset_days (
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      day ${int} NOT NULL,
      requests ${int} NOT NULL,
      bytes ${int} NOT NULL,
      PRIMARY KEY (project_id, day)
    )${clustered}`,
  ]
}
