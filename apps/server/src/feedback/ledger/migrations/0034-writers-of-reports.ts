import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/**
 * Who wrote a report, whom the page knew them as, and by what it came to its issue. Of reports from before, who wrote is told
 * by their address alone. Whoever wants no more mails about repairs is kept as a keyed hash of their address.
 */
export const writersOfReports = (dialect: LedgerDialect): readonly string[] => {
  const { int, clustered } = columnTypes(dialect)
  const userId = dialect === 'sqlite' ? `json_extract(details, '$.user.id')` : `details::json -> 'user' ->> 'id'`
  return [
    `ALTER TABLE feedback ADD COLUMN writer text NOT NULL DEFAULT ''`,
    `ALTER TABLE feedback ADD COLUMN user_key text NOT NULL DEFAULT ''`,
    `ALTER TABLE feedback ADD COLUMN linked_by text`,
    `UPDATE feedback SET
      user_key = coalesce('id:' || substr(${userId}, 1, 250), ''),
      writer = CASE
        WHEN email != '' THEN 'email:' || lower(email)
        WHEN ${userId} IS NOT NULL THEN 'id:' || substr(${userId}, 1, 250)
        WHEN sender_hash != '' THEN 'sender:' || sender_hash
        ELSE 'report:' || event_id
      END,
      linked_by = CASE
        WHEN issue_id IS NULL THEN NULL
        WHEN associated_event_id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM feedback_activity a WHERE a.feedback_id = feedback.id AND a.type = 'linked'
        ) THEN 'event'
        ELSE 'person'
      END`,
    `CREATE INDEX feedback_writers ON feedback (organization_id, issue_id, status, merged_into_id, writer)`,
    `CREATE INDEX feedback_by_user ON feedback (organization_id, user_key, created_at) WHERE user_key != ''`,
    `CREATE INDEX feedback_by_email ON feedback (organization_id, lower(email), created_at) WHERE email != ''`,
    `CREATE TABLE reporter_unsubscribes (
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      address_hash text NOT NULL,
      created_at ${int} NOT NULL,
      PRIMARY KEY (organization_id, address_hash)
    )${clustered}`,
  ]
}
