import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Capability } from './capability.ts'
import { CAPABILITIES } from './capabilities.ts'
import type { Config } from './config.ts'
import type { Clock } from './lib/clock.ts'
import type { Findings } from './lib/findings.ts'
import type { Logger } from './lib/logger.ts'
import { createFileBlobs, createS3Blobs, inOrder, openLedger, openTelemetry, readS3Url } from './storage/index.ts'
import type { Ledger, LedgerDialect, Migration, Telemetry } from './storage/index.ts'
import type { BlobStore } from './storage/blobs/blobs.store.ts'

/** Which engine stands behind a store: the data folder, unless a URL says otherwise. */

const ledgerFile = (config: Config): string => join(config.dataDir, 'ledger.sqlite')

/** False only of a data folder that no server and no command has used. */
export const hasLedger = (config: Config): boolean => config.postgresUrl !== null || existsSync(ledgerFile(config))

/** The steps of all capabilities. */
export const ledgerMigrationsOf =
  (capabilities: readonly Capability[]) =>
  (dialect: LedgerDialect): readonly Migration[] =>
    inOrder(capabilities.flatMap((capability) => capability.ledgerMigrations?.(dialect) ?? []))

export const telemetryMigrationsOf = (capabilities: readonly Capability[]): readonly Migration[] =>
  inOrder(capabilities.flatMap((capability) => capability.telemetryMigrations ?? []))

export const openLedgerOf = (
  config: Config,
  {
    capabilities = CAPABILITIES,
    ...context
  }: {
    logger: Logger
    clock: Clock
    readOnly?: boolean
    mustExist?: boolean
    inThreads?: boolean
    capabilities?: readonly Capability[]
  },
): Promise<Ledger> =>
  openLedger(config.postgresUrl === null ? { path: ledgerFile(config) } : { postgresUrl: config.postgresUrl }, {
    ...context,
    migrations: ledgerMigrationsOf(capabilities),
  })

export const openTelemetryOf = (
  config: Config,
  {
    capabilities = CAPABILITIES,
    ...context
  }: { logger: Logger; findings: Findings; capabilities?: readonly Capability[] },
): Promise<Telemetry> =>
  openTelemetry(config.clickhouseUrl === null ? { dataDir: config.dataDir } : { url: config.clickhouseUrl }, {
    ...context,
    migrations: telemetryMigrationsOf(capabilities),
  })

export const blobsOf = (config: Config): BlobStore =>
  config.s3Url === null ? createFileBlobs(join(config.dataDir, 'blobs')) : createS3Blobs(readS3Url(config.s3Url))

/** For the line at start. */
export const describeBlobs = (config: Config): string =>
  config.s3Url === null ? 'files' : `S3 at ${new URL(config.s3Url).host}`
