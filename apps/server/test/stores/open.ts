import { copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { createAccountRetention } from '../../src/accounts/ledger/expiry.ts'
import { CAPABILITIES } from '../../src/capabilities.ts'
import { ledgerMigrationsOf, telemetryMigrationsOf } from '../../src/compose-stores.ts'
import { createReportRetention } from '../../src/feedback/ledger/expiry.ts'
import { createIssueRetention } from '../../src/issues/retention.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createLogger } from '../../src/lib/logger.ts'
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

/** The file of a ledger that has its tables and no rows: its migrations take longer than most tests, so a worker runs them once. */
let migratedFile: Promise<string> | null = null

const migrate = async (): Promise<string> => {
  const path = join(mkdtempSync(join(tmpdir(), 'fh-migrated-')), 'ledger.sqlite')
  const ledger = await openLedger({ path }, { logger: createLogger('error', () => {}, Date.now), clock: systemClock })
  // The last connection to close writes everything from the log into the file.
  await ledger.close()
  return path
}

/** Opens a new ledger in SQLite without rows. What is about the migrations themselves takes `openLedger`. */
export const openEmptyLedger = async (
  path: string,
  context: Omit<Parameters<typeof openLedgerAt>[1], 'migrations'>,
): Promise<Ledger> => {
  migratedFile ??= migrate()
  copyFileSync(await migratedFile, path)
  return openLedger({ path }, context)
}

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
