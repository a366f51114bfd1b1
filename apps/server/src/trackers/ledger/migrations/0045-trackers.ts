import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Issue trackers, the tickets in them, and which of their webhooks came. */
export const trackerTables = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, flag, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE trackers (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      kind text NOT NULL,
      name text NOT NULL,
      settings text NOT NULL,
      sealed text NOT NULL,
      hook_key text NOT NULL UNIQUE,
      last_heard_at ${int},
      last_error text,
      created_by ${int} REFERENCES users (id) ON DELETE SET NULL,
      created_at ${int} NOT NULL,
      deleted_at ${int}
    )`,
    `CREATE INDEX trackers_by_organization ON trackers (organization_id, id)`,
    `CREATE TABLE tickets (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      tracker_id ${int} NOT NULL REFERENCES trackers (id) ON DELETE CASCADE,
      issue_id ${int} REFERENCES issues (id) ON DELETE CASCADE,
      feedback_id ${int} REFERENCES feedback (id) ON DELETE CASCADE,
      marker text NOT NULL UNIQUE,
      draft text NOT NULL,
      is_linked ${flag} NOT NULL,
      remote_id text NOT NULL,
      key text NOT NULL,
      url text NOT NULL,
      title text NOT NULL,
      state text NOT NULL,
      wanted text,
      asked ${int} NOT NULL,
      turn ${int} NOT NULL,
      due_at ${int},
      taken_until ${int},
      attempts ${int} NOT NULL,
      first_tried_at ${int},
      error text,
      created_by ${int} REFERENCES users (id) ON DELETE SET NULL,
      created_at ${int} NOT NULL,
      deleted_at ${int}
    )`,
    `CREATE INDEX tickets_by_issue ON tickets (issue_id) WHERE issue_id IS NOT NULL`,
    `CREATE INDEX tickets_by_report ON tickets (feedback_id) WHERE feedback_id IS NOT NULL`,
    `CREATE INDEX tickets_by_remote ON tickets (tracker_id, remote_id)`,
    `CREATE INDEX tickets_due ON tickets (due_at) WHERE due_at IS NOT NULL`,
    // However often it is asked for: one of each tracker is made.
    `CREATE UNIQUE INDEX tickets_made_of_issue ON tickets (tracker_id, issue_id)
      WHERE is_linked = 0 AND issue_id IS NOT NULL AND deleted_at IS NULL`,
    `CREATE UNIQUE INDEX tickets_made_of_report ON tickets (tracker_id, feedback_id)
      WHERE is_linked = 0 AND feedback_id IS NOT NULL AND deleted_at IS NULL`,
    `CREATE TABLE tracker_hooks (
      tracker_id ${int} NOT NULL REFERENCES trackers (id) ON DELETE CASCADE,
      hash text NOT NULL,
      received_at ${int} NOT NULL,
      PRIMARY KEY (tracker_id, hash)
    )${clustered}`,
    `CREATE INDEX tracker_hooks_by_age ON tracker_hooks (received_at)`,
  ]
}
