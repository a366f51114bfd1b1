import { messageOf } from '../../lib/error-text.ts'
import { isWithin } from '../../lib/clock.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'

const COMPLAINT_INTERVAL_MS = 10_000

/** A full disk refuses every request; the log needs one line about it. */
export const createComplaint = (clock: Clock, logger: Logger): ((reason: unknown) => void) => {
  let complainedAt = Number.NEGATIVE_INFINITY
  return (reason) => {
    const now = clock.now()
    if (isWithin(complainedAt, COMPLAINT_INTERVAL_MS, now)) return
    complainedAt = now
    logger.error('an envelope could not be written to the spool; senders get 503 until it can', {
      error: messageOf(reason),
    })
  }
}
