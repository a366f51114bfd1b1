import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** What each person has noted about issues: seen, bookmarked, followed. */
export const issueMarks = (dialect: LedgerDialect): readonly string[] => {
  const { int, flag, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE issue_marks (
      user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      issue_id ${int} NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
      seen_at ${int},
      is_bookmarked ${flag} NOT NULL,
      is_subscribed ${flag} NOT NULL,
      PRIMARY KEY (user_id, issue_id)
    )${clustered}`,
    `CREATE INDEX issue_marks_issue ON issue_marks (issue_id)`,
  ]
}
