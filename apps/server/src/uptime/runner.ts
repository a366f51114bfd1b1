import type { OutgoingAnswer, OutgoingFailure } from '../lib/outgoing.ts'
import type { Result } from '../lib/result.ts'
import type { Failure, UptimeCheck } from './check.ts'
import { failureOf, judge } from './judge.ts'
import { LIMITS } from './limits.ts'

/** What came of asking once. */
export interface Outcome {
  readonly failure: Failure | null
  readonly answer: OutgoingAnswer | null
}

export interface CallOptions {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly maxRedirects: number
  readonly cut: true
  readonly signal: AbortSignal
}

export type Send = (url: string, call: CallOptions) => Promise<Result<OutgoingAnswer, OutgoingFailure>>

/** Asks once. */
export const askOnce = async (send: Send, check: UptimeCheck, signal: AbortSignal): Promise<Outcome> => {
  const answer = await send(check.url, {
    method: check.method,
    headers: { 'cache-control': 'no-cache', ...Object.fromEntries(check.headers) },
    ...(check.body !== '' && { body: check.body }),
    timeoutMs: check.timeoutMs,
    maxBytes: LIMITS.UPTIME_ANSWER_BYTES,
    maxRedirects: LIMITS.UPTIME_REDIRECTS,
    cut: true,
    signal,
  })
  if (!answer.ok) return { failure: failureOf(answer.error), answer: null }
  return { failure: judge(check, answer.value), answer: answer.value }
}

/**
 * Asks, and when that fails twice more after pauses: one packet that is lost is no failure. What hangs is not asked for
 * again when it would be due by then.
 */
export const askWithPatience = async (
  send: Send,
  check: UptimeCheck,
  {
    elapsed,
    failed = () => {},
    pause,
    signal,
    withinMs,
  }: {
    readonly signal: AbortSignal
    readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
    /** Told of the first failure, before it is asked for again. */
    readonly failed?: (failure: Failure) => void
    /** Until it is due again. */
    readonly withinMs: number
    /** Milliseconds of a clock that is never set. */
    readonly elapsed: () => number
  },
): Promise<Outcome> => {
  const until = elapsed() + withinMs
  let outcome = await askOnce(send, check, signal)
  if (outcome.failure !== null) failed(outcome.failure)
  for (const ms of [LIMITS.UPTIME_FIRST_RETRY_MS, LIMITS.UPTIME_SECOND_RETRY_MS]) {
    const isLate = until - elapsed() - ms < LIMITS.UPTIME_LEAST_TRY_MS
    if (outcome.failure === null || signal.aborted || isLate) return outcome
    await pause(ms, signal)
    outcome = await askOnce(send, { ...check, timeoutMs: Math.min(check.timeoutMs, until - elapsed()) }, signal)
  }
  return outcome
}
