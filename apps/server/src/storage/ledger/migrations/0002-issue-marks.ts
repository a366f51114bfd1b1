import type { LedgerDialect } from '../dialect.ts'

/** What each person has noted about issues: seen, bookmarked, followed. */
export const issueMarks = (dialect: LedgerDialect): readonly string[] => {
  const sqlite = dialect === 'sqlite'
  const int = sqlite ? 'integer' : 'bigint'
  const flag = sqlite ? 'integer' : 'smallint'
  return [
    `CREATE TABLE issue_marks (
      user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      issue_id ${int} NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
      seen_at ${int},
      is_bookmarked ${flag} NOT NULL,
      is_subscribed ${flag} NOT NULL,
      PRIMARY KEY (user_id, issue_id)
    )${sqlite ? ' WITHOUT ROWID' : ''}`,
    `CREATE INDEX issue_marks_issue ON issue_marks (issue_id)`,
  ]
}
