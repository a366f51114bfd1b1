import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { ProjectLookup } from '../../accounts/settings.ts'
import type { Clock } from '../../lib/clock.ts'
import { collectWhenQuiet } from '../../lib/collect-when-quiet.ts'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import type { SpoolPosition } from '../road.ts'
import { comparePositions } from '../spool/position.ts'
import { openHeavyReader } from '../spool/heavy-reader.ts'
import { createSpoolReader } from '../spool/spool-reader.ts'
import type { SpoolHandle } from '../spool/spool-reader.ts'
import type { DigestLedger } from './digest-ledger.ts'
import { runBackfills } from './backfill.ts'
import type { Backfill } from './backfill.ts'
import { createDigest } from './digest.ts'
import type { DigestDependencies } from './digest.ts'
import type { OutcomeStore } from './outcome-store.ts'
import type { ItemKind } from './item-kind.ts'
import type { DigestConfig, DigestPart, DigestWorkerData, FromWorker, ToWorker } from './messages.ts'
import { createQuarantine } from './quarantine.ts'
import { DigestStopped, createRetry } from './retry.ts'
import type { DigestState } from './retry.ts'
import type { Announcement } from './settle-batch.ts'
import { openUnderWayFile } from './under-way.ts'

/** What the worker thread works with: its own connections, because connections do not cross threads. */
export interface DigestComposition {
  readonly ledger: DigestLedger
  readonly kinds: readonly ItemKind[]
  readonly outcomes: OutcomeStore
  /** Items that were kept before and can be digested now. */
  readonly backfills?: () => Promise<readonly Backfill[]>
  readonly projects: Pick<ProjectLookup, 'byProjectId'>
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
  const { config, spool, part, followsDeath } = workerData as DigestWorkerData
  const post = (message: FromWorker): void => port.postMessage(message)
  const stopping = new AbortController()
  port.on('message', (message: ToWorker) => {
    if (message.type === 'drain') stopping.abort()
  })

  const { signal } = stopping
  const batchDone = collectWhenQuiet({
    uncollectedBytes: LIMITS.UNCOLLECTED_BYTES,
    quietMs: LIMITS.COLLECT_QUIET_MS,
  })
  const retry = createRetry({
    logger: logger(config),
    clock,
    signal,
    onState: (state) => post({ type: 'state', state }),
  })
  try {
    const composition = await retry('open the stores', () => compose(config))
    try {
      const quarantine = createQuarantine({
        directory: join(config.dataDir, 'quarantine'),
        logger: composition.logger,
      })
      const begun = Promise.withResolvers<void>()
      const common = {
        ...composition,
        quarantine,
        followsDeath,
        underWay: openUnderWayFile(join(spool.directory, UNDER_WAY[part]), composition.logger),
        onNews: (news: readonly Announcement[]): void => post({ type: 'news', news }),
      }
      const parts = {
        ...common,
        onBegun: begun.resolve,
        onState: (state: DigestState) => post({ type: 'state', state }),
      }
      if (part === 'heavy') {
        await runHeavyDigest(parts, { spool, post, batchDone }, signal)
        return
      }
      const reader = createSpoolReader({ spool, logger: composition.logger })
      let passed: SpoolPosition | null = null
      const digest = createDigest({
        ...parts,
        spoolId: spool.id,
        reader,
        receiptShare: 1 - HEAVY_RECEIPT_SHARE,
        onSettled: (position, bytes) => {
          passed = position
          post({ type: 'settled', position })
          batchDone(bytes)
        },
        onPassed: (position) => {
          if (passed !== null && comparePositions(position, passed) <= 0) return
          passed = position
          post({ type: 'passed', position })
        },
      })
      const backfilled =
        composition.backfills === undefined
          ? null
          : runBackfills(
              composition.backfills,
              {
                ...common,
                begun: begun.promise,
                isBehind: () => passed === null || comparePositions(reader.end(), passed) > 0,
                onFound: (waiting) => post({ type: 'backfills', waiting }),
                onProgress: (progress) => post({ type: 'backfill', progress }),
              },
              signal,
            )
      await digest.run(signal)
      begun.resolve()
      await backfilled
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

const HEAVY_RECEIPT_SHARE = 1 / LIMITS.HEAVY_RECEIPT_PARTS

const UNDER_WAY: Readonly<Record<DigestPart, string>> = { light: 'under-way.json', heavy: 'under-way-heavy.json' }

/** The same digest, on records whose order is its own. */
const runHeavyDigest = async (
  parts: Omit<DigestDependencies, 'spoolId' | 'reader' | 'onSettled'>,
  to: {
    readonly spool: SpoolHandle
    readonly post: (message: FromWorker) => void
    readonly batchDone: (bytes: number) => void
  },
  signal: AbortSignal,
): Promise<void> => {
  const { spool, post, batchDone } = to
  const reader = await openHeavyReader({
    spool,
    logger: parts.logger,
    onPassed: (position) => post({ type: 'passed', position }),
    onCrowded: (projects) => post({ type: 'crowded', projects }),
  })
  const digest = createDigest({
    ...parts,
    spoolId: `${spool.id}:heavy`,
    reader,
    receiptShare: HEAVY_RECEIPT_SHARE,
    limits: { batchBytes: LIMITS.HEAVY_BATCH_BYTES, batchMs: LIMITS.HEAVY_BATCH_MS },
    onSettled: (position, bytes) => {
      reader.settled(position)
      post({ type: 'settled', position: reader.passed() })
      batchDone(bytes)
    },
  })
  await digest.run(signal)
}
