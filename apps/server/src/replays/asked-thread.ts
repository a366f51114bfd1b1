import { Worker } from 'node:worker_threads'
import { errorOf } from '../lib/error-text.ts'
import { LIMITS } from './limits.ts'

/**
 * Of a thread's heap: room for the largest segment and the page that is drawn from it, and for garbage. Cutting an hour of
 * 100 MB takes 4.4 ms of processor time a segment and 130 MB with 32 for what is young; 5.1 ms and 115 MB with 16; 4.2 ms
 * and 170 MB with 64.
 */
const HEAP = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 512 }

/**
 * `beyond`: it took more time or memory than it may; `stopped`: what was asked is not to blame, the server stops or the
 * thread was gone before; `failed`: nobody expected it.
 */
export type EndOfThread = 'beyond' | 'stopped' | 'failed'

/** It ended before it had done what it was asked. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
  readonly why: EndOfThread

  constructor(does: string, reason: string, why: EndOfThread) {
    super(`The thread that ${does} ended: ${reason}`)
    this.why = why
  }
}

/** It took more time or memory than it may. */
export const isBeyond = (thrown: unknown): thrown is ThreadEnded =>
  thrown instanceof ThreadEnded && thrown.why === 'beyond'

interface ThreadOptions<Request> {
  readonly entry: URL
  /** Such as `cuts replays`. */
  readonly does: string
  /** For one answer. */
  readonly answerMs: number
  /** For all answers since something began, together. */
  readonly wholeMs?: number
  /** Whether it goes on from nothing that was asked before, as all do that have no such function. */
  begins?(request: Request): boolean
  /** Whether it asks for the rest of an answer, which has no time of its own. */
  goesOn?(request: Request): boolean
  /** Milliseconds of a clock that is never set. */
  now?(): number
}

/** Does one thing after the other that takes long, on a thread of its own: it is started when it is needed, and ends when not. */
export interface AskedThread<Request, Answer> {
  /** @throws ThreadEnded */
  ask(request: Request): Promise<Answer>
  /** To be called when what was begun is done, or given up: the thread may end. */
  leave(): void
  close(): void
}

interface Pending<Answer> {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

const isOutOfMemory = (error: Error): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'

export const createAskedThread = <Request, Answer>(options: ThreadOptions<Request>): AskedThread<Request, Answer> => {
  const {
    answerMs,
    begins = () => true,
    does,
    entry,
    goesOn,
    now = () => performance.now(),
    wholeMs = Infinity,
  } = options
  let thread: Worker | null = null
  let pending: Pending<Answer> | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let answerEnds = 0
  let wholeEnds = Infinity

  const settle = (): Pending<Answer> | null => {
    const settled = pending
    pending = null
    clearTimeout(timer)
    return settled
  }

  const end = (reason: string, why: EndOfThread): void => {
    const ended = thread
    thread = null
    settle()?.reject(new ThreadEnded(does, reason, why))
    // Nobody waits for its answers any more.
    ended?.removeAllListeners()
    ended?.on('error', () => undefined)
    void ended?.terminate()
  }

  const start = (): Worker => {
    const started = new Worker(entry, { name: 'replays', resourceLimits: HEAP })
    started.unref()
    started.on('message', (answer: Answer) => {
      settle()?.resolve(answer)
    })
    started.on('error', (thrown) => {
      const error = errorOf(thrown)
      end(error.message, isOutOfMemory(error) ? 'beyond' : 'failed')
    })
    started.on('exit', (code) => end(`with code ${code}`, 'failed'))
    return started
  }

  return {
    ask(request) {
      if (pending !== null) throw new Error(`The thread that ${does} was asked twice at once`)
      if (isClosed) return Promise.reject(new ThreadEnded(does, 'the server stops', 'stopped'))
      // A new thread knows nothing of what the one before it was doing.
      if (thread === null && !begins(request)) return Promise.reject(new ThreadEnded(does, 'before that', 'stopped'))
      thread ??= start()
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      pending = { resolve, reject }
      clearTimeout(timer)
      const at = now()
      if (begins(request)) wholeEnds = at + wholeMs
      if (goesOn?.(request) !== true) answerEnds = at + answerMs
      const left = Math.min(answerEnds, wholeEnds) - at
      if (left <= 0) {
        end('it took too long', 'beyond')
        return promise
      }
      timer = setTimeout(() => end('it took too long', 'beyond'), left).unref()
      thread.postMessage(request, [])
      return promise
    },
    leave: () => {
      clearTimeout(timer)
      timer = setTimeout(() => end('nobody needed it', 'stopped'), LIMITS.REPLAY_THREAD_IDLE_MS).unref()
    },
    close: () => {
      isClosed = true
      end('the server stops', 'stopped')
    },
  }
}
