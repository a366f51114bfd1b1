import { columnTypes } from '../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../storage/ledger/dialect.ts'

/**
 * When blobs came, so that they go by the days that their organisation keeps data now, not by those of then; and until when
 * those stay that something is about to name.
 */
export const agesOfBlobs = (dialect: LedgerDialect): readonly string[] => {
  const { int } = columnTypes(dialect)
  const days = 'SELECT retention_days FROM organizations WHERE organizations.id = blobs.organization_id'
  return [
    `ALTER TABLE blobs ADD COLUMN received_at ${int} NOT NULL DEFAULT 0`,
    `UPDATE blobs SET received_at = expires_at - coalesce((${days}), 0) * 86400000`,
    `DROP INDEX blobs_expiry`,
    `ALTER TABLE blobs RENAME COLUMN expires_at TO needed_until`,
    `UPDATE blobs SET needed_until = 0`,
    `DROP INDEX blobs_organization`,
    `CREATE INDEX blobs_age ON blobs (organization_id, received_at)`,
  ]
}
