import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Who is told that an issue is resolved, and who was: each person once, as long as they do not write again. */
export const tellingTables = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE tellings (
      id ${id},
      organization_id ${int} NOT NULL,
      project_id ${int} NOT NULL,
      issue_id ${int} NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
      user_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      state text NOT NULL,
      waits_for text NOT NULL,
      release text NOT NULL,
      texts text NOT NULL,
      left_out text NOT NULL,
      told ${int} NOT NULL,
      due_at ${int},
      created_at ${int} NOT NULL,
      ended_at ${int}
    )`,
    `CREATE UNIQUE INDEX tellings_planned ON tellings (issue_id) WHERE state = 'planned'`,
    `CREATE INDEX tellings_waiting ON tellings (due_at) WHERE state = 'planned'`,
    `CREATE INDEX tellings_issue ON tellings (issue_id)`,
    `CREATE INDEX tellings_user ON tellings (user_id) WHERE user_id IS NOT NULL`,
    `CREATE TABLE told_people (
      issue_id ${int} NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
      writer_hash text NOT NULL,
      told_at ${int} NOT NULL,
      PRIMARY KEY (issue_id, writer_hash)
    )${clustered}`,
  ]
}
