import { columnTypes, type ColumnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** What people are told, as each of them wants it. */
export const noticeTables = (dialect: LedgerDialect): readonly string[] => [
  ...inboxTables(columnTypes(dialect)),
  ...mailTables(columnTypes(dialect)),
]

const inboxTables = ({ id, int, flag, clustered }: ColumnTypes): readonly string[] => [
  `CREATE TABLE notice_settings (
      user_id ${int} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      settings text NOT NULL,
      changed_at ${int} NOT NULL
    )`,
  `CREATE TABLE notice_entries (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      cause text NOT NULL,
      kind text NOT NULL,
      project_id ${int} REFERENCES projects (id) ON DELETE SET NULL,
      issue_id ${int} REFERENCES issues (id) ON DELETE SET NULL,
      report_id ${int} REFERENCES feedback (id) ON DELETE SET NULL,
      actor_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      level text NOT NULL,
      title text NOT NULL,
      reason text NOT NULL,
      message text NOT NULL,
      waits ${flag} NOT NULL,
      told ${int} NOT NULL,
      first_at ${int} NOT NULL,
      last_at ${int} NOT NULL,
      read_at ${int},
      done_at ${int},
      snooze text,
      snooze_until ${int},
      snooze_release text,
      snooze_events ${int},
      woken text NOT NULL,
      UNIQUE (user_id, organization_id, cause)
    )`,
  `CREATE INDEX notice_entries_inbox ON notice_entries (user_id, organization_id, last_at)`,
  `CREATE INDEX notice_entries_unread ON notice_entries (user_id, organization_id)
      WHERE read_at IS NULL AND done_at IS NULL AND snooze IS NULL`,
  `CREATE INDEX notice_entries_asleep ON notice_entries (snooze, snooze_until) WHERE snooze IS NOT NULL`,
  `CREATE INDEX notice_entries_age ON notice_entries (organization_id, last_at)`,
  `CREATE INDEX notice_entries_project ON notice_entries (project_id) WHERE project_id IS NOT NULL`,
  `CREATE INDEX notice_entries_issue ON notice_entries (issue_id) WHERE issue_id IS NOT NULL`,
  `CREATE INDEX notice_entries_report ON notice_entries (report_id) WHERE report_id IS NOT NULL`,
  `CREATE INDEX notice_entries_actor ON notice_entries (actor_id) WHERE actor_id IS NOT NULL`,

  `CREATE TABLE notice_items (
      id ${id},
      user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      key text NOT NULL,
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      entry_id ${int} REFERENCES notice_entries (id) ON DELETE CASCADE,
      kind text NOT NULL,
      actor_id ${int} REFERENCES users (id) ON DELETE SET NULL,
      level text NOT NULL,
      title text NOT NULL,
      detail text NOT NULL,
      path text NOT NULL,
      at ${int} NOT NULL,
      UNIQUE (user_id, key)
    )`,
  `CREATE INDEX notice_items_entry ON notice_items (entry_id, id) WHERE entry_id IS NOT NULL`,
  `CREATE INDEX notice_items_actor ON notice_items (actor_id) WHERE actor_id IS NOT NULL`,
  `CREATE INDEX notice_items_age ON notice_items (organization_id, at)`,

  `CREATE TABLE notice_subscriptions (
      user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      issue_id ${int} NOT NULL REFERENCES issues (id) ON DELETE CASCADE,
      reason text NOT NULL,
      since ${int} NOT NULL,
      PRIMARY KEY (user_id, issue_id)
    )${clustered}`,
  `CREATE INDEX notice_subscriptions_issue ON notice_subscriptions (issue_id)`,
]

const mailTables = ({ id, int, clustered }: ColumnTypes): readonly string[] => [
  `CREATE TABLE notice_mails (
      id ${id},
      user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      key text NOT NULL,
      kind text NOT NULL,
      cause text NOT NULL,
      message text NOT NULL,
      due_at ${int} NOT NULL,
      created_at ${int} NOT NULL,
      UNIQUE (user_id, key)
    )`,
  `CREATE INDEX notice_mails_due ON notice_mails (due_at)`,
  `CREATE INDEX notice_mails_cause ON notice_mails (user_id, organization_id, cause)`,

  `CREATE TABLE notice_mailing (
      user_id ${int} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
      last_at ${int} NOT NULL
    )`,

  `CREATE TABLE notice_addresses (
      address text PRIMARY KEY,
      failures text NOT NULL,
      paused_at ${int},
      said text NOT NULL
    )${clustered}`,

  `CREATE TABLE notice_weeks (
      user_id ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      week text NOT NULL,
      PRIMARY KEY (user_id, organization_id)
    )${clustered}`,
]
