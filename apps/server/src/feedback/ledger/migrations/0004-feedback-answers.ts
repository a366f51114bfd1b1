import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Answers to reporters: the thread of a report, its private link, mails that are to be sent. */
export const feedbackAnswers = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, flag } = columnTypes(dialect)
  return [
    // Its place is the project's settings; nothing ever wrote to it.
    `DROP TABLE feedback_settings`,
    `ALTER TABLE feedback ADD COLUMN thread_token text`,
    `ALTER TABLE feedback ADD COLUMN is_unlinked ${flag} NOT NULL DEFAULT 0`,
    `ALTER TABLE feedback ADD COLUMN told_resolved_at ${int}`,
    `CREATE UNIQUE INDEX feedback_thread ON feedback (thread_token) WHERE thread_token IS NOT NULL`,
    `CREATE INDEX feedback_associated ON feedback (project_id, associated_event_id) WHERE associated_event_id IS NOT NULL`,

    `CREATE TABLE feedback_messages (
      id ${id},
      feedback_id ${int} NOT NULL REFERENCES feedback (id) ON DELETE CASCADE,
      author text NOT NULL,
      user_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      text text NOT NULL,
      delivery text,
      attempts ${int} NOT NULL,
      error text,
      due_at ${int},
      sent_at ${int},
      created_at ${int} NOT NULL
    )`,
    `CREATE INDEX feedback_messages_feedback ON feedback_messages (feedback_id, id)`,
    `CREATE INDEX feedback_messages_due ON feedback_messages (due_at) WHERE due_at IS NOT NULL`,
    `CREATE INDEX feedback_messages_user ON feedback_messages (user_id) WHERE user_id IS NOT NULL`,
  ]
}
