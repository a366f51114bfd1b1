import { MINUTE_MS } from '../lib/durations.ts'
import { TrackerFailure } from './kinds/failure.ts'
import { LIMITS } from './limits.ts'
import type { TrackerRecord } from './tracker.ts'

/** For how long a tracker is left alone, and why. */
export interface Rest {
  readonly until: number
  /** Calls in a row that it did not answer; 0 where it did, and wants fewer of them. */
  readonly failures: number
  readonly error: string
}

/** What follows from a call that came to nothing; null where it says nothing of the calls after it. */
export const restAfter = (
  { failures: before }: Pick<TrackerRecord, 'failures'>,
  { isFinal, afterMs, message: error }: TrackerFailure,
  now: number,
): Rest | null => {
  if (afterMs > 0) return { until: now + Math.min(afterMs, LIMITS.TRACKER_LONGEST_QUIET_MS), failures: 0, error }
  if (isFinal) return null
  const until = now + Math.min(LIMITS.TRACKER_REST_MS * 2 ** before, LIMITS.TRACKER_LONGEST_REST_MS)
  return { until, failures: before + 1, error }
}

/** It was not called, because it is to be left alone. */
export class TrackerRests extends TrackerFailure {
  readonly until: number

  constructor({ failures, until }: Pick<Rest, 'failures' | 'until'>, now: number) {
    const minutes = Math.max(1, Math.ceil((until - now) / MINUTE_MS))
    const why = failures === 0 ? 'The tracker wants fewer calls for a while.' : 'The tracker did not answer lately.'
    super(`${why} It is called again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`, {
      afterMs: until - now,
    })
    this.until = until
  }
}

/** @param despiteRest what does not answer is called all the same: somebody wants to know whether it does by now */
export const throwWhileResting = (
  { quietUntil, failures }: Pick<TrackerRecord, 'quietUntil' | 'failures'>,
  { now, despiteRest }: { readonly now: number; readonly despiteRest: boolean },
): void => {
  if (quietUntil === null || quietUntil <= now || (despiteRest && failures > 0)) return
  throw new TrackerRests({ failures, until: quietUntil }, now)
}
