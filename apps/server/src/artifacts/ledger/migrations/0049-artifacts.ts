import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Pieces of uploads, bundles that are made of them, and the files of these. */
export const artifactTables = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE artifact_chunks (
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      checksum text NOT NULL,
      blob_key text NOT NULL,
      bytes ${int} NOT NULL,
      used_at ${int} NOT NULL,
      PRIMARY KEY (organization_id, checksum)
    )${clustered}`,
    `CREATE INDEX artifact_chunks_by_use ON artifact_chunks (used_at)`,
    `CREATE TABLE artifact_bundles (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      checksum text NOT NULL,
      release_version text NOT NULL,
      dist text NOT NULL,
      state text NOT NULL,
      error text,
      chunks text NOT NULL,
      bytes ${int} NOT NULL,
      files ${int} NOT NULL,
      attempts ${int} NOT NULL,
      uploaded_at ${int} NOT NULL,
      ended_at ${int},
      UNIQUE (organization_id, checksum, release_version, dist)
    )`,
    `CREATE INDEX artifact_bundles_by_release ON artifact_bundles (organization_id, release_version, uploaded_at)`,
    `CREATE INDEX artifact_bundles_at_work ON artifact_bundles (state, ended_at) WHERE state <> 'ok'`,
    `CREATE TABLE artifact_bundle_projects (
      bundle_id ${int} NOT NULL REFERENCES artifact_bundles (id) ON DELETE CASCADE,
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      PRIMARY KEY (bundle_id, project_id)
    )${clustered}`,
    `CREATE INDEX artifact_bundle_projects_by_project ON artifact_bundle_projects (project_id, bundle_id)`,
    `CREATE TABLE artifact_files (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      bundle_id ${int} NOT NULL REFERENCES artifact_bundles (id) ON DELETE CASCADE,
      kind text NOT NULL,
      type text NOT NULL,
      url text NOT NULL,
      debug_id text,
      source_map text,
      headers text NOT NULL,
      blob_key text NOT NULL,
      bytes ${int} NOT NULL,
      sha1 text NOT NULL
    )`,
    `CREATE INDEX artifact_files_by_debug_id ON artifact_files (organization_id, debug_id) WHERE debug_id IS NOT NULL`,
    `CREATE INDEX artifact_files_by_bundle ON artifact_files (bundle_id, url)`,
  ]
}
