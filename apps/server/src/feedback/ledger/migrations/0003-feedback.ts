import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** What visitors said: reports, their tags, what happened to them, mails that are to be sent. */
export const feedback = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, flag, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE feedback (
      id ${id},
      organization_id ${int} NOT NULL,
      project_id ${int} NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
      event_id text NOT NULL,
      batch ${int} NOT NULL,
      key_id ${int} NOT NULL,
      source text NOT NULL,
      status text NOT NULL,
      is_read ${flag} NOT NULL,
      message text NOT NULL,
      name text NOT NULL,
      email text NOT NULL,
      url text NOT NULL,
      browser text NOT NULL,
      os text NOT NULL,
      environment text NOT NULL,
      release text NOT NULL,
      words text NOT NULL,
      details text NOT NULL,
      trace_id text,
      replay_id text,
      associated_event_id text,
      issue_id ${int} REFERENCES issues (id) ON DELETE SET NULL,
      assigned_user_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      assigned_team_id ${int} REFERENCES teams (id) ON DELETE SET NULL,
      spam_score ${int} NOT NULL,
      spam_reasons text NOT NULL,
      spam_decided_by text NOT NULL,
      attachments ${int} NOT NULL,
      address_hash text NOT NULL,
      message_hash text NOT NULL,
      merged_into_id ${int} REFERENCES feedback (id) ON DELETE SET NULL,
      awaits_reply ${flag} NOT NULL,
      created_at ${int} NOT NULL,
      last_activity_at ${int} NOT NULL,
      UNIQUE (project_id, event_id)
    )`,
    `CREATE INDEX feedback_inbox ON feedback (organization_id, status, created_at)`,
    `CREATE INDEX feedback_lately ON feedback (project_id, created_at)`,
    `CREATE INDEX feedback_merged ON feedback (merged_into_id) WHERE merged_into_id IS NOT NULL`,
    `CREATE INDEX feedback_issue ON feedback (issue_id) WHERE issue_id IS NOT NULL`,
    `CREATE INDEX feedback_user ON feedback (assigned_user_id) WHERE assigned_user_id IS NOT NULL`,
    `CREATE INDEX feedback_team ON feedback (assigned_team_id) WHERE assigned_team_id IS NOT NULL`,

    `CREATE TABLE feedback_tags (
      feedback_id ${int} NOT NULL REFERENCES feedback (id) ON DELETE CASCADE,
      key text NOT NULL,
      value text NOT NULL,
      PRIMARY KEY (feedback_id, key)
    )${clustered}`,
    `CREATE INDEX feedback_tags_value ON feedback_tags (key, value)`,

    `CREATE TABLE feedback_activity (
      id ${id},
      feedback_id ${int} NOT NULL REFERENCES feedback (id) ON DELETE CASCADE,
      user_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      type text NOT NULL,
      data text NOT NULL,
      created_at ${int} NOT NULL
    )`,
    `CREATE INDEX feedback_activity_feedback ON feedback_activity (feedback_id, id)`,
    `CREATE INDEX feedback_activity_user ON feedback_activity (user_id) WHERE user_id IS NOT NULL`,

    `CREATE TABLE feedback_settings (
      project_id ${int} NOT NULL PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
      settings text NOT NULL
    )`,
  ]
}
