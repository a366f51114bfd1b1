import { Worker } from 'node:worker_threads'
import { stackOf } from '../../lib/error-text.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import type { SpoolPosition } from '../road.ts'
import { comparePositions } from '../spool/position.ts'
import type { Spool } from '../spool/spool.ts'
import type { BackfillBoard } from './backfill-board.ts'
import type { DigestConfig, DigestWorkerData, FromWorker, ToWorker } from './messages.ts'
import type { DigestState } from './retry.ts'
import type { Announcement } from './settle-batch.ts'

/** The digest as the main thread sees it. */
export interface DigestHandle {
  state(): DigestState
  /** Batches that were stored since this process began. */
  settledBatches(): number
  /**
   * SIGTERM: no new batch is begun, the one under way is stored, the stores are closed. After `DIGEST_DRAIN_MS` the
   * thread is ended as it is; its batch is repeated at the next start.
   */
  drain(): Promise<void>
}

/**
 * Of the thread's heap. On a large machine V8 would let garbage pile up to hundreds of megabytes before it collects; a
 * smaller bound makes it collect sooner. A batch needs a few dozen; the rest is room for the largest items.
 */
const HEAP = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 512 }

/** What the thread tells those who watch it. */
const passOn = (
  message: Exclude<FromWorker, { readonly type: 'settled' }>,
  to: {
    readonly onNews: (news: readonly Announcement[]) => void
    readonly onState: (state: DigestState) => void
    readonly backfills?: Pick<BackfillBoard, 'found' | 'note'>
  },
): void => {
  switch (message.type) {
    case 'news':
      to.onNews(message.news)
      return
    case 'state':
      to.onState(message.state)
      return
    case 'backfills':
      to.backfills?.found(message.waiting)
      return
    case 'backfill':
      to.backfills?.note(message.progress)
      return
  }
}

/** Starts the worker thread, and starts it again with growing pauses when it dies. */
export const createDigestHandle = (dependencies: {
  readonly config: DigestConfig
  readonly spool: Pick<Spool, 'handle' | 'settled'>
  readonly logger: Logger
  readonly clock: Clock
  readonly onNews: (news: readonly Announcement[]) => void
  readonly onState?: (state: DigestState) => void
  readonly backfills?: Pick<BackfillBoard, 'found' | 'note'>
  /** Module of the thread. */
  readonly worker?: URL
  readonly drainMs?: number
  readonly restartFirstMs?: number
}): DigestHandle => {
  const { config, spool, logger, clock } = dependencies
  const module = dependencies.worker ?? new URL('../../digest-worker.ts', import.meta.url)
  const drainMs = dependencies.drainMs ?? LIMITS.DIGEST_DRAIN_MS
  const firstMs = dependencies.restartFirstMs ?? LIMITS.STORE_RETRY_FIRST_MS
  let state: DigestState = { status: 'starting', detail: null, since: clock.now() }
  let pauseMs = firstMs
  let draining = false
  let batches = 0
  let settled: SpoolPosition | null = null
  let restart: NodeJS.Timeout | null = null
  let worker: Worker | null = null
  let ended: Promise<void> = Promise.resolve()

  const setState = (next: DigestState): void => {
    state = next
    dependencies.onState?.(next)
  }

  const receive = (message: FromWorker): void => {
    if (message.type !== 'settled') {
      passOn(message, { ...dependencies, onState: setState })
      return
    }
    // Only a thread that got something done is worth starting again at once.
    if (settled !== null && comparePositions(message.position, settled) > 0) pauseMs = firstMs
    batches += 1
    settled = message.position
    spool.settled(message.position)
  }

  const start = (followsDeath: boolean): void => {
    const data: DigestWorkerData = { config, spool: spool.handle, followsDeath }
    const thread = new Worker(module, { workerData: data, name: 'digest', resourceLimits: HEAP })
    worker = thread
    let fault: string | null = null
    thread.on('message', receive)
    thread.on('error', (error) => {
      fault = stackOf(error)
    })
    ended = new Promise((resolve) => {
      thread.on('exit', (code) => {
        worker = null
        if (!draining) scheduleRestart(fault ?? `the thread ended with code ${code}`)
        resolve()
      })
    })
  }

  const scheduleRestart = (reason: string): void => {
    logger.error('digest: its thread died and is started again. Nothing is lost: accepted data waits in the spool', {
      error: reason,
      nextTryInMs: pauseMs,
    })
    setState({ status: 'retrying', detail: `The digest died: ${reason.split('\n', 1)[0]}`, since: clock.now() })
    restart = setTimeout(() => start(true), pauseMs)
    pauseMs = Math.min(pauseMs * 2, LIMITS.STORE_RETRY_LONGEST_MS)
  }

  const end = async (thread: Worker): Promise<void> => {
    thread.postMessage({ type: 'drain' } satisfies ToWorker, [])
    const timer = setTimeout(() => {
      logger.warn('digest: not drained in time; its batch is repeated at the next start', { afterMs: drainMs })
      void thread.terminate()
    }, drainMs)
    await ended
    clearTimeout(timer)
  }

  start(false)
  return {
    state: () => state,
    settledBatches: () => batches,
    drain: async () => {
      draining = true
      if (restart !== null) clearTimeout(restart)
      if (worker !== null) await end(worker)
      setState({ status: 'stopped', detail: null, since: clock.now() })
    },
  }
}
