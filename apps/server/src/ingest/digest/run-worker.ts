import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { ProjectLookup } from '../../accounts/settings.ts'
import type { TelemetryStore } from '../../issues/events.store.ts'
import type { IssueStore } from '../../issues/issues.store.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { createSpoolReader } from '../spool/spool-reader.ts'
import { createDigest } from './digest.ts'
import type { DigestConfig, DigestWorkerData, FromWorker, ToWorker } from './messages.ts'
import type { Processor } from './processor.ts'
import { createQuarantine } from './quarantine.ts'
import { DigestStopped, createRetry } from './retry.ts'

/** What the worker thread works with: its own connections, because connections do not cross threads. */
export interface DigestComposition {
  readonly ledger: Pick<IssueStore, 'apply' | 'settle' | 'progress'>
  readonly telemetry: TelemetryStore
  readonly blobs: BlobStore
  readonly projects: Pick<ProjectLookup, 'byProjectId'>
  readonly processors: readonly Processor[]
  readonly logger: Logger
  readonly clock: Clock
  close(): Promise<void>
}

/** Opens the stores from the configuration. It is tried again when it rejects (a store that is not up yet). */
export type ComposeDigest = (config: DigestConfig) => Promise<DigestComposition>

/**
 * The whole life of the digest worker: opens the stores, digests until it is told to drain, closes the stores.
 * A fault of ours rejects, which ends the thread; the handle on the main thread starts the next.
 *
 * @param logger for what happens before the stores are open
 */
export const runDigestWorker = async (
  compose: ComposeDigest,
  { logger, clock }: { readonly logger: (config: DigestConfig) => Logger; readonly clock: Clock },
): Promise<void> => {
  if (parentPort === null) throw new Error('The digest worker runs in a thread that createDigestHandle starts.')
  const port = parentPort
  const { config, spool } = workerData as DigestWorkerData
  const post = (message: FromWorker): void => port.postMessage(message)
  const stopping = new AbortController()
  port.on('message', (message: ToWorker) => {
    if (message.type === 'drain') stopping.abort()
  })

  const { signal } = stopping
  const retry = createRetry({
    logger: logger(config),
    clock,
    signal,
    onState: (state) => post({ type: 'state', state }),
  })
  try {
    const composition = await retry('open the stores', () => compose(config))
    try {
      const digest = createDigest({
        ...composition,
        spoolId: spool.id,
        reader: createSpoolReader({ spool, logger: composition.logger }),
        quarantine: createQuarantine({
          directory: join(config.dataDir, 'quarantine'),
          logger: composition.logger,
        }),
        onSettled: (position) => post({ type: 'settled', position }),
        onFacts: (facts) => post({ type: 'facts', facts }),
        onState: (state) => post({ type: 'state', state }),
      })
      await digest.run(signal)
    } finally {
      await composition.close()
    }
  } catch (error) {
    if (!(error instanceof DigestStopped)) throw error
  } finally {
    // Lets the thread end by itself, with every message delivered.
    port.close()
  }
}
