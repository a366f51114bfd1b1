import { DAY_MS, HOUR_MS } from '../lib/durations.ts'
import { LIMITS } from './limits.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** Between one try and the next. */
const WAITS: readonly number[] = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  20 * HOUR_MS,
]

/** A mail server that is away comes back for all mails at once: it is asked more often, and for longer. */
const MAIL_LONGEST_WAIT = 30 * MINUTE_MS

/** A fifth more or less, so that what failed together does not come back together. */
const SPREAD = 0.2

/**
 * When a message that failed is tried again; null for never.
 *
 * @param attempts that there were
 * @param retryAfterMs what the other side asked for
 * @param chance from 0 to 1
 */
export const retryAt = (
  now: number,
  attempts: number,
  {
    way,
    retryAfterMs = 0,
    chance = Math.random(),
  }: { readonly way: 'mail' | 'call'; readonly retryAfterMs?: number; readonly chance?: number },
): number | null => {
  if (attempts >= (way === 'mail' ? LIMITS.DELIVERY_MAIL_ATTEMPTS : LIMITS.DELIVERY_ATTEMPTS)) return null
  const scheduled = WAITS[attempts - 1] ?? MAIL_LONGEST_WAIT
  const wait = way === 'mail' ? Math.min(scheduled, MAIL_LONGEST_WAIT) : scheduled
  const spread = Math.round(wait * (1 - SPREAD + 2 * SPREAD * chance))
  return now + Math.max(spread, Math.min(retryAfterMs, LIMITS.DELIVERY_RETRY_AFTER_MS))
}

/** `Retry-After`, in seconds or as a date; 0 where it says nothing. */
export const readRetryAfter = (value: string | undefined, now: number): number => {
  if (value === undefined) return 0
  const text = value.trim()
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Math.ceil(Number(text) * SECOND_MS)
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : Math.min(Math.max(0, at - now), 30 * DAY_MS)
}
