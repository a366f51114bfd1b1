import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** How the pages of repositories are addressed, and which files of stacks are in them. */
export const codeMappings = (dialect: LedgerDialect): readonly string[] => {
  const { id, int } = columnTypes(dialect)
  return [
    `ALTER TABLE repositories ADD COLUMN host text`,
    `ALTER TABLE repositories ADD COLUMN commit_url text`,
    `ALTER TABLE repositories ADD COLUMN line_url text`,
    `CREATE TABLE code_mappings (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      repository_id ${int} NOT NULL REFERENCES repositories (id) ON DELETE CASCADE,
      stack_root text NOT NULL,
      source_root text NOT NULL,
      default_branch text NOT NULL,
      created_at ${int} NOT NULL,
      UNIQUE (project_id, stack_root)
    )`,
    `CREATE INDEX code_mappings_of_organization ON code_mappings (organization_id, id)`,
    `CREATE INDEX code_mappings_of_repository ON code_mappings (repository_id)`,
  ]
}
