import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** What makes frames of native code and of the JVM readable, by project. */
export const debugFileTable = (dialect: LedgerDialect): readonly string[] => {
  const { id, int } = columnTypes(dialect)
  return [
    `CREATE TABLE debug_files (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      checksum text NOT NULL,
      said_id text NOT NULL,
      name text NOT NULL,
      state text NOT NULL,
      error text,
      chunks text NOT NULL,
      attempts ${int} NOT NULL,
      kind text,
      symbol_type text,
      architecture text,
      debug_id text,
      code_id text,
      features text NOT NULL,
      blob_key text,
      bytes ${int} NOT NULL,
      index_key text,
      index_bytes ${int} NOT NULL,
      uploaded_at ${int} NOT NULL,
      ended_at ${int},
      UNIQUE (project_id, checksum, said_id)
    )`,
    `CREATE INDEX debug_files_by_debug_id ON debug_files (project_id, debug_id) WHERE debug_id IS NOT NULL`,
    `CREATE INDEX debug_files_by_upload ON debug_files (project_id, uploaded_at)`,
    `CREATE INDEX debug_files_at_work ON debug_files (state, ended_at) WHERE state <> 'ok'`,
    `CREATE INDEX debug_files_by_organization ON debug_files (organization_id)`,
  ]
}
