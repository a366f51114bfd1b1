import { Worker } from 'node:worker_threads'
import { stackOf } from '../../lib/error-text.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { LIMITS } from '../limits.ts'
import type { SpoolPosition } from '../road.ts'
import { comparePositions, createDurableEnd, earlier, SPOOL_START } from '../spool/position.ts'
import type { Spool } from '../spool/spool.ts'
import type { BackfillBoard } from './backfill-board.ts'
import type { DigestConfig, DigestPart, DigestWorkerData, FromWorker, ToWorker } from './messages.ts'
import type { DigestState } from './retry.ts'
import type { Announcement } from './settle-batch.ts'

/** The digest as the main thread sees it. */
export interface DigestHandle {
  state(): DigestState
  /** How each of its threads gets on. */
  threads(): readonly ThreadProgress[]
  /**
   * SIGTERM: no new batch is begun, the one under way is stored, the stores are closed. After `DIGEST_DRAIN_MS` the
   * thread is ended as it is; its batch is repeated at the next start.
   */
  drain(): Promise<void>
}

export interface ThreadProgress {
  readonly part: DigestPart
  readonly status: DigestState['status']
  /** Batches that it stored since this process began. */
  readonly batches: number
  /** Nothing before it waits for this thread. */
  readonly passed: SpoolPosition
  /** Something waits for it, or was not looked through yet. */
  readonly isBehind: boolean
}

/**
 * Of the thread's heap. On a large machine V8 would let garbage pile up to hundreds of megabytes before it collects; a
 * smaller bound makes it collect sooner. A batch needs a few dozen; the rest is room for the largest items.
 */
const HEAP = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 512 }

/** What the thread tells those who watch it. */
const passOn = (
  message: Exclude<FromWorker, { readonly type: 'settled' | 'passed' | 'crowded' | 'state' }>,
  to: {
    readonly onNews: (news: readonly Announcement[]) => void
    readonly backfills?: Pick<BackfillBoard, 'found' | 'note'>
  },
): void => {
  switch (message.type) {
    case 'news':
      to.onNews(message.news)
      return
    case 'backfills':
      to.backfills?.found(message.waiting)
      return
    case 'backfill':
      to.backfills?.note(message.progress)
      return
  }
}

/** One of the digest's threads. */
interface DigestThread {
  state(): DigestState
  drain(): Promise<void>
}

interface ThreadParts {
  readonly config: DigestConfig
  readonly spool: Pick<Spool, 'handle'>
  readonly logger: Logger
  readonly clock: Clock
  readonly module: URL
  readonly drainMs: number
  readonly restartFirstMs: number
  readonly onState: () => void
  readonly onSettled: (position: SpoolPosition) => void
  readonly onPassed: (position: SpoolPosition) => void
  readonly onCrowded: (projects: readonly number[]) => void
  readonly onMessage: (
    message: Exclude<FromWorker, { readonly type: 'settled' | 'passed' | 'crowded' | 'state' }>,
  ) => void
}

/** Starts the thread, and starts it again with growing pauses when it dies. */
const startThread = (part: DigestPart, parts: ThreadParts): DigestThread => {
  const { clock, config, drainMs, logger, spool } = parts
  let state: DigestState = { status: 'starting', detail: null, since: clock.now() }
  let pauseMs = parts.restartFirstMs
  let draining = false
  let settled: SpoolPosition | null = null
  let restart: NodeJS.Timeout | null = null
  let worker: Worker | null = null
  let ended: Promise<void> = Promise.resolve()

  const setState = (next: DigestState): void => {
    state = next
    parts.onState()
  }

  const receive = (message: FromWorker): void => {
    switch (message.type) {
      case 'settled':
        // Only a thread that got something done is worth starting again at once.
        if (settled !== null && comparePositions(message.position, settled) > 0) pauseMs = parts.restartFirstMs
        settled = message.position
        parts.onSettled(message.position)
        return
      case 'passed':
        parts.onPassed(message.position)
        return
      case 'crowded':
        parts.onCrowded(message.projects)
        return
      case 'state':
        setState(message.state)
        return
      case 'news':
      case 'backfills':
      case 'backfill':
        parts.onMessage(message)
        return
    }
  }

  const start = (followsDeath: boolean): void => {
    const data: DigestWorkerData = { config, spool: spool.handle, part, followsDeath }
    const thread = new Worker(parts.module, { workerData: data, name: THREAD_NAMES[part], resourceLimits: HEAP })
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
    drain: async () => {
      draining = true
      if (restart !== null) clearTimeout(restart)
      if (worker !== null) await end(worker)
      setState({ status: 'stopped', detail: null, since: clock.now() })
    },
  }
}

const THREAD_NAMES: Readonly<Record<DigestPart, string>> = { light: 'digest', heavy: 'digest, heavy' }

/**
 * Starts the thread that digests, and a second one for heavy records as soon as there are any. The spool may forget what
 * both have passed.
 */
export const createDigestHandle = (dependencies: {
  readonly config: DigestConfig
  readonly spool: Pick<Spool, 'handle' | 'settled'> & Partial<Pick<Spool, 'whenHeavy' | 'crowded'>>
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
  const threads = new Map<DigestPart, DigestThread>()
  const passed = new Map<DigestPart, SpoolPosition>()
  const batches: Record<DigestPart, number> = { light: 0, heavy: 0 }
  const durable = createDurableEnd(spool.handle.durableEnd)
  let isDraining = false
  let told: DigestState | null = null

  /** Of the first thread, unless it is the other one that does not get on. */
  const state = (): DigestState => {
    const light = threads.get('light')?.state() ?? { status: 'starting', detail: null, since: clock.now() }
    const heavy = threads.get('heavy')?.state()
    return heavy?.status === 'retrying' && light.status === 'running' ? heavy : light
  }

  const start = (part: DigestPart): void => {
    if (isDraining) return
    passed.set(part, SPOOL_START)
    const pass = (position: SpoolPosition): void => {
      passed.set(part, position)
      spool.settled([...passed.values()].reduce(earlier))
    }
    const thread = startThread(part, {
      config,
      spool,
      logger,
      clock,
      module: dependencies.worker ?? new URL('../../digest-worker.ts', import.meta.url),
      drainMs: dependencies.drainMs ?? LIMITS.DIGEST_DRAIN_MS,
      restartFirstMs: dependencies.restartFirstMs ?? LIMITS.STORE_RETRY_FIRST_MS,
      onState: () => {
        const next = state()
        if (next === told) return
        told = next
        dependencies.onState?.(next)
      },
      onSettled: (position) => {
        batches[part] += 1
        pass(position)
      },
      onPassed: pass,
      onCrowded: (projects) => spool.crowded?.(projects),
      onMessage: (message) => passOn(message, dependencies),
    })
    threads.set(part, thread)
  }

  start('light')
  spool.whenHeavy?.(() => start('heavy'))
  return {
    state,
    threads: () =>
      [...threads].map(([part, thread]) => {
        const until = passed.get(part) ?? SPOOL_START
        const isBehind = comparePositions(until, durable.get()) < 0
        return { part, status: thread.state().status, batches: batches[part], passed: until, isBehind }
      }),
    drain: async () => {
      isDraining = true
      await Promise.all([...threads.values()].map((thread) => thread.drain()))
    },
  }
}
