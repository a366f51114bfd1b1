import type { ClickHouseClient } from '@clickhouse/client'
import { createAccountRetention } from '../../src/accounts/ledger/expiry.ts'
import { CAPABILITIES } from '../../src/capabilities.ts'
import { ledgerMigrationsOf, telemetryMigrationsOf } from '../../src/compose-stores.ts'
import { createReportRetention } from '../../src/feedback/ledger/expiry.ts'
import { createIssueRetention } from '../../src/issues/retention.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Logger } from '../../src/lib/logger.ts'
import type { BlobStore } from '../../src/storage/blobs/blobs.store.ts'
import {
  createRetention as createRetentionOf,
  openLedger as openLedgerAt,
  openTelemetry as openTelemetryAt,
} from '../../src/storage/index.ts'
import type { Ledger, LedgerLocation, Retention, Telemetry, TelemetryLocation } from '../../src/storage/index.ts'

/** The stores with the tables of all capabilities, as the server opens them. */

export const ledgerMigrations = ledgerMigrationsOf(CAPABILITIES)
export const telemetryMigrations = telemetryMigrationsOf(CAPABILITIES)

export const openLedger = (
  location: LedgerLocation,
  context: Omit<Parameters<typeof openLedgerAt>[1], 'migrations'>,
): Promise<Ledger> => openLedgerAt(location, { ...context, migrations: ledgerMigrations })

export const openTelemetry = (
  location: TelemetryLocation,
  context: Omit<Parameters<typeof openTelemetryAt>[1], 'migrations'>,
): Promise<Telemetry> => openTelemetryAt(location, { ...context, migrations: telemetryMigrations })

export const createRetention = (parts: {
  readonly ledger: Ledger
  readonly client: ClickHouseClient
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly logger: Logger
}): Retention =>
  createRetentionOf({
    ...parts,
    tables: CAPABILITIES.flatMap(({ agingTables = [] }) => agingTables),
    parts: [createAccountRetention(parts), createIssueRetention(parts), createReportRetention(parts)],
  })
