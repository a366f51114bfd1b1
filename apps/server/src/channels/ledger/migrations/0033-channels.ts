import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Places to which messages go, the messages on their way, and what became of each. */
export const channelTables = (dialect: LedgerDialect): readonly string[] => {
  const { id, int, flag, clustered } = columnTypes(dialect)
  return [
    `CREATE TABLE channels (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      kind text NOT NULL,
      name text NOT NULL,
      settings text NOT NULL,
      sealed text NOT NULL,
      version ${int} NOT NULL,
      is_on ${flag} NOT NULL,
      off_reason text NOT NULL,
      failing_since ${int},
      last_sent_at ${int},
      last_error text,
      created_by ${int} REFERENCES users (id) ON DELETE SET NULL,
      created_at ${int} NOT NULL,
      deleted_at ${int}
    )`,
    `CREATE INDEX channels_by_organization ON channels (organization_id, id)`,
    `CREATE TABLE outbox (
      id ${id},
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      key text NOT NULL,
      lane text NOT NULL,
      way text NOT NULL,
      channel_id ${int} REFERENCES channels (id) ON DELETE CASCADE,
      user_id ${int},
      unsubscribe text,
      address text,
      name text,
      message text NOT NULL,
      thread text NOT NULL,
      stage text NOT NULL,
      state text NOT NULL,
      due_at ${int},
      expires_at ${int},
      attempts ${int} NOT NULL,
      within_id ${int},
      rule_id ${int},
      incident_id ${int},
      error text,
      created_at ${int} NOT NULL,
      sent_at ${int},
      UNIQUE (organization_id, key)
    )`,
    `CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL`,
    `CREATE INDEX outbox_in_order ON outbox (lane, thread, id) WHERE due_at IS NOT NULL`,
    `CREATE INDEX outbox_sent ON outbox (lane, sent_at) WHERE sent_at IS NOT NULL`,
    `CREATE INDEX outbox_sent_of_organization ON outbox (organization_id, sent_at) WHERE sent_at IS NOT NULL AND channel_id IS NOT NULL`,
    `CREATE INDEX outbox_within ON outbox (within_id) WHERE within_id IS NOT NULL`,
    `CREATE INDEX outbox_by_channel ON outbox (channel_id, id) WHERE channel_id IS NOT NULL`,
    `CREATE INDEX outbox_by_age ON outbox (created_at)`,
    `CREATE TABLE outbox_attempts (
      outbox_id ${int} NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
      number ${int} NOT NULL,
      started_at ${int} NOT NULL,
      duration_ms ${int},
      request text NOT NULL,
      status ${int},
      answer text,
      remote_address text,
      error text,
      PRIMARY KEY (outbox_id, number)
    )${clustered}`,
    `CREATE TABLE outbox_threads (
      organization_id ${int} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
      lane text NOT NULL,
      thread text NOT NULL,
      remote text NOT NULL,
      changed_at ${int} NOT NULL,
      PRIMARY KEY (lane, thread)
    )${clustered}`,
    `CREATE INDEX outbox_threads_by_age ON outbox_threads (changed_at)`,
  ]
}
