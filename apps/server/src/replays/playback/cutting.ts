import { Worker } from 'node:worker_threads'
import { errorOf } from '../../lib/error-text.ts'
import { LIMITS } from '../limits.ts'
import type { CutChunk, CuttingRequest } from './cutting-thread.ts'

/** Of the thread's heap: room for the largest segment and the page that is drawn from it. */
const HEAP = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 }

/** It ended before it had done what it was asked. */
export class CuttingEnded extends Error {
  override readonly name = 'CuttingEnded'
  /** The replay is not to blame: the server stops, or the thread was gone before it was asked. */
  readonly isOver: boolean

  constructor(reason: string, isOver: boolean) {
    super(`The thread that cuts replays ended: ${reason}`)
    this.isOver = isOver
  }
}

interface Pending {
  readonly resolve: (chunks: readonly CutChunk[]) => void
  readonly reject: (error: Error) => void
}

/** Cuts one replay after the other into chunks, on a thread of its own: it is started when it is needed, and ends when not. */
export interface Cutting {
  /** @returns the chunks that are finished with it. @throws CuttingEnded */
  ask(request: CuttingRequest): Promise<readonly CutChunk[]>
  /** To be called when a replay is done, or given up: the thread may end. */
  leave(): void
  close(): void
}

export const createCutting = (): Cutting => {
  let thread: Worker | null = null
  let pending: Pending | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const settle = (): Pending | null => {
    const settled = pending
    pending = null
    clearTimeout(timer)
    return settled
  }

  const end = (reason: string): void => {
    const ended = thread
    thread = null
    settle()?.reject(new CuttingEnded(reason, isClosed))
    // Nobody waits for its answers any more.
    ended?.removeAllListeners()
    ended?.on('error', () => undefined)
    void ended?.terminate()
  }

  const start = (): Worker => {
    const started = new Worker(new URL('./cutting-thread.ts', import.meta.url), {
      name: 'replays',
      resourceLimits: HEAP,
    })
    started.unref()
    started.on('message', (chunks: readonly CutChunk[]) => {
      settle()?.resolve(chunks)
    })
    started.on('error', (error) => end(errorOf(error).message))
    started.on('exit', (code) => end(`with code ${code}`))
    return started
  }

  return {
    ask(request) {
      if (pending !== null) throw new Error('The thread that cuts replays was asked twice at once')
      if (isClosed) return Promise.reject(new CuttingEnded('the server stops', true))
      // A new thread knows nothing of the replay that the one before it was cutting.
      if (thread === null && request.kind !== 'begin') return Promise.reject(new CuttingEnded('before that', true))
      thread ??= start()
      const { promise, resolve, reject } = Promise.withResolvers<readonly CutChunk[]>()
      pending = { resolve, reject }
      clearTimeout(timer)
      timer = setTimeout(() => end('it took too long'), LIMITS.REPLAY_SEGMENT_CUT_MS).unref()
      thread.postMessage(request, [])
      return promise
    },
    leave: () => {
      clearTimeout(timer)
      timer = setTimeout(() => end('nobody needed it'), LIMITS.REPLAY_THREAD_IDLE_MS).unref()
    },
    close: () => {
      isClosed = true
      end('the server stops')
    },
  }
}
