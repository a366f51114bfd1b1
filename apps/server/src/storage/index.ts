/**
 * The stores, as `compose.ts` opens them.
 *
 * - `openLedger({ path } | { postgresUrl }, { logger, clock })` → `Ledger { db, dialect, description, transaction, close }`
 * - `openTelemetry({ dataDir } | { url }, { logger })` → `Telemetry { client, endpoint, description, state, enginePid, close }`;
 *   `endpoint` is plain data: hand it to a worker thread and call `connectTelemetry(endpoint)` there.
 * - `createFileBlobs(folder)` or `createS3Blobs(readS3Url(url))` → `BlobStore`
 * - `createIssueJobs({ ledger, client, clock })` → `ageIssues()`, `reviewArchived()`; `createRetention({ ledger, client, blobs,
 *   clock, logger })` → `run()`, `purge()`, `close()`
 *
 * `createIssueStore` and `createTelemetryStore` have files of their own, which the digest's thread loads without the rest.
 *
 * Free text: `search_text LIKE {pattern:String}` on `events`, the pattern in lower case (it has an index; `message ILIKE`
 * has none). `issues.status_details` is a `StatusDetails`.
 *
 * All of them throw `StorageVersionError` (data newer than the program), `StorageCorruptError` or
 * `StorageUnavailableError`, each with one sentence for the person who starts the server.
 */
export { StorageUnavailableError } from './errors.ts'
export { openLedger } from './ledger/ledger.ts'
export type { Ledger, LedgerLocation, LedgerTransaction } from './ledger/ledger.ts'
export { connectTelemetry, openTelemetry } from './telemetry/telemetry.ts'
export type { Telemetry, TelemetryEndpoint, TelemetryLocation, TelemetryState } from './telemetry/telemetry.ts'
export { createFileBlobs } from './blobs/file-blobs.ts'
export { createIssueJobs } from './ledger/issue-jobs.ts'
export type { IssueJobs } from './ledger/issue-jobs.ts'
export { createS3Blobs, readS3Url } from './blobs/s3-blobs.ts'
export { createRetention } from './retention/retention.ts'
export type { PurgeReport, Retention, RetentionReport } from './retention/retention.ts'
