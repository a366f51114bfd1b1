import { messageOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Clock } from '../../lib/clock.ts'
import { LIMITS } from '../limits.ts'

/** What `/_health/` and the console's banner say about the digest. */
export interface DigestState {
  readonly status: 'starting' | 'running' | 'retrying' | 'stopped'
  /** A sentence, while it is not running. */
  readonly detail: string | null
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** Thrown out of a retry when the digest is asked to stop. What was under way is repeated at the next start. */
export class DigestStopped extends Error {
  override readonly name = 'DigestStopped'
}

export interface Retry {
  /** Tries until it succeeds, or until `giveUp` says that this error will never go away (then it is thrown). */
  <Value>(
    what: string,
    attempt: () => Promise<Value>,
    giveUp?: (error: unknown, attempts: number) => boolean,
  ): Promise<Value>
}

/** Tries for ever, with pauses that double up to `STORE_RETRY_LONGEST_MS`: a store that is away is no reason to lose data. */
export const createRetry = (dependencies: {
  readonly logger: Logger
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onState: (state: DigestState) => void
  readonly firstMs?: number
  readonly longestMs?: number
}): Retry => {
  const { logger, clock, signal, onState } = dependencies
  const firstMs = dependencies.firstMs ?? LIMITS.STORE_RETRY_FIRST_MS
  const longestMs = dependencies.longestMs ?? LIMITS.STORE_RETRY_LONGEST_MS
  return async (what, attempt, giveUp = () => false) => {
    const since = clock.now()
    let pauseMs = firstMs
    for (let attempts = 1; ; attempts += 1) {
      try {
        const value = await attempt()
        if (attempts > 1) {
          logger.info('digest: works again', { step: what, attempts, afterMs: clock.now() - since })
          onState({ status: 'running', detail: null, since: clock.now() })
        }
        return value
      } catch (error) {
        if (error instanceof DigestStopped || giveUp(error, attempts)) throw error
        if (signal.aborted) throw new DigestStopped(`stopped while trying to ${what}`, { cause: error })
        const reason = messageOf(error)
        logger.error('digest: a store failed. Nothing is lost: accepted data waits in the spool until it works again', {
          step: what,
          attempts,
          nextTryInMs: pauseMs,
          error: reason,
        })
        onState({ status: 'retrying', detail: `Cannot ${what}: ${reason}`, since })
        await pause(pauseMs, signal)
        pauseMs = Math.min(pauseMs * 2, longestMs)
      }
    }
  }
}

/** Ends early when the signal fires. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
