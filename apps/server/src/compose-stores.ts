import { join } from 'node:path'
import type { Config } from './config.ts'
import type { Clock } from './lib/clock.ts'
import type { Logger } from './lib/logger.ts'
import { createFileBlobs, createS3Blobs, openLedger, readS3Url } from './storage/index.ts'
import type { Ledger } from './storage/index.ts'
import type { BlobStore } from './storage/blobs/blobs.store.ts'

/** Which engine stands behind a store: the data folder, unless a URL says otherwise. */

export const openLedgerOf = (
  config: Config,
  context: { logger: Logger; clock: Clock; readOnly?: boolean },
): Promise<Ledger> =>
  openLedger(
    config.postgresUrl === null ? { path: join(config.dataDir, 'ledger.sqlite') } : { postgresUrl: config.postgresUrl },
    context,
  )

export const blobsOf = (config: Config): BlobStore =>
  config.s3Url === null ? createFileBlobs(join(config.dataDir, 'blobs')) : createS3Blobs(readS3Url(config.s3Url))

/** For the line at start. */
export const describeBlobs = (config: Config): string =>
  config.s3Url === null ? 'files' : `S3 at ${new URL(config.s3Url).host}`
