/**
 * The stores, as `compose.ts` opens them.
 *
 * - `openLedger({ path } | { postgresUrl }, { logger, clock, migrations })` → `Ledger { db, dialect, description, transaction, close }`
 * - `openTelemetry({ dataDir } | { url }, { logger, findings, migrations })` → `Telemetry { client, endpoint, description, state, enginePid, close }`;
 *   `endpoint` is plain data: hand it to a worker thread and call `connectTelemetry(endpoint)` there.
 * - `createFileBlobs(folder)` or `createS3Blobs(readS3Url(url))` → `BlobStore`
 * - `createRetention({ ledger, client, blobs, tables, parts, clock, logger })` → `run()`, `purge()`, `close()`
 *
 * No table of its own beside the digest's progress, blobs and the installation's secrets: each capability brings the
 * tables, rows and statements of its own. `ledger/digest-ledger.ts` and `telemetry/row-writer.ts` are loaded by the
 * digest's thread without the rest.
 *
 * All of them throw `StorageVersionError` (data newer than the program), `StorageCorruptError` or
 * `StorageUnavailableError`, each with one sentence for the person who starts the server.
 */
export { StorageUnavailableError } from './errors.ts'
export { watchLedgerFile } from './ledger/file-watch.ts'
export { tellLedgerFaults } from './ledger/ledger-faults.ts'
export { openLedger } from './ledger/ledger.ts'
export type { Ledger, LedgerLocation, LedgerTransaction } from './ledger/ledger.ts'
export { connectTelemetry, openTelemetry } from './telemetry/telemetry.ts'
export type { Telemetry, TelemetryEndpoint, TelemetryLocation, TelemetryState } from './telemetry/telemetry.ts'
export { createFileBlobs } from './blobs/file-blobs.ts'
export { createS3Blobs } from './blobs/s3-blobs.ts'
export { readS3Url } from './blobs/s3-requests.ts'
export { createClockGuard, trustClock } from './retention/clock-guard.ts'
export { createRetention } from './retention/retention.ts'
export type { Expiring, PurgeReport, Retention, RetentionPart, RetentionReport } from './retention/retention.ts'
export { deleteRowsOfTable } from './retention/telemetry-retention.ts'
export type { AgingTable } from './retention/telemetry-retention.ts'
export { countRows, erasedHashes, erasedParams, ofErasedPerson, personalRows } from './retention/personal-data.ts'
export type { ErasedPerson, PersonalData } from './retention/personal-data.ts'
export type { LedgerDialect } from './ledger/dialect.ts'
export { inOrder } from './migration.ts'
export type { Migration } from './migration.ts'
