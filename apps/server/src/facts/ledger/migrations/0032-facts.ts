import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** What happened, and how far those are who follow it. What a fact is about takes it along when it goes. */
export const factTables = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  return [
    `CREATE TABLE facts (
      id ${int} PRIMARY KEY,
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      project_id ${int} REFERENCES projects (id) ON DELETE CASCADE,
      kind text NOT NULL,
      issue_id ${int} REFERENCES issues (id) ON DELETE CASCADE,
      report_id ${int} REFERENCES feedback (id) ON DELETE CASCADE,
      actor_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      received_at ${int} NOT NULL,
      noted_at ${int} NOT NULL,
      data text NOT NULL
    )`,
    `CREATE INDEX facts_by_organization ON facts (organization_id, id)`,
    `CREATE INDEX facts_by_age ON facts (noted_at)`,
    `CREATE INDEX facts_by_project ON facts (project_id, id)`,
    `CREATE INDEX facts_by_issue ON facts (issue_id, id) WHERE issue_id IS NOT NULL`,
    `CREATE INDEX facts_by_report ON facts (report_id) WHERE report_id IS NOT NULL`,
    `CREATE INDEX facts_by_actor ON facts (actor_id) WHERE actor_id IS NOT NULL`,
    `CREATE TABLE fact_count (
      id ${int} PRIMARY KEY,
      last ${int} NOT NULL
    )`,
    `CREATE TABLE fact_readers (
      name text PRIMARY KEY,
      position ${int} NOT NULL,
      moved_at ${int} NOT NULL
    )`,
  ]
}
