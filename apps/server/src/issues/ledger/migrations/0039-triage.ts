import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Issues that are changed together and how each was before, and why priorities are as they are. */
export const triage = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, clustered } = columnTypes(dialect)
  return [
    `ALTER TABLE issues ADD COLUMN priority_reason text`,
    `ALTER TABLE issues ADD COLUMN priority_locked_at ${int}`,
    `CREATE TABLE issue_sets (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      issues ${int} NOT NULL,
      created_at ${int} NOT NULL,
      applied_at ${int},
      undone_at ${int}
    )`,
    `CREATE INDEX issue_sets_of_user ON issue_sets (user_id, organization_id)`,
    `CREATE TABLE issue_set_members (
      set_id ${int} NOT NULL REFERENCES issue_sets (id) ON DELETE CASCADE,
      issue_id ${int} NOT NULL,
      before text,
      after text,
      PRIMARY KEY (set_id, issue_id)
    )${clustered}`,
  ]
}
