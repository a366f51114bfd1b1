import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Whose what is in a project, and whose each issue was found to be. */
export const ownershipTables = (dialect: LedgerDialect): readonly string[] => {
  const { int, flag, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE ownership (
      project_id ${int} PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
      rules text NOT NULL,
      codeowners text,
      names text NOT NULL,
      walk text NOT NULL,
      auto_assignment ${flag} NOT NULL,
      fallthrough ${flag} NOT NULL,
      created_at ${int} NOT NULL,
      changed_at ${int} NOT NULL,
      codeowners_created_at ${int},
      codeowners_changed_at ${int}
    )`,
    `CREATE TABLE issue_owners (
      issue_id ${int} NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
      owner text NOT NULL,
      place ${int} NOT NULL,
      source text NOT NULL,
      rule text NOT NULL,
      found_at ${int} NOT NULL,
      PRIMARY KEY (issue_id, owner)
    )${clustered}`,
  ]
}
