import type { Limits } from './door.ts'
import { refuse, type Refusal } from './refusal.ts'

/**
 * Watches how long a body takes: `BODY_TIMEOUT_MS`, and a second more for each `BODY_BYTES_PER_SECOND` that have come.
 *
 * @param received bytes so far
 * @param late called once, unless the watch was stopped before
 * @returns stops it
 */
export const watchBodyTime = (
  limits: Limits,
  received: () => number,
  late: (refusal: Refusal) => void,
): (() => void) => {
  const begun = performance.now()
  const allowedMs = (): number => limits.BODY_TIMEOUT_MS + (received() / limits.BODY_BYTES_PER_SECOND) * 1000
  let timer: NodeJS.Timeout
  const look = (): void => {
    const leftMs = begun + allowedMs() - performance.now()
    if (leftMs >= 1) {
      timer = setTimeout(look, leftMs)
      return
    }
    const seconds = Math.round(allowedMs() / 1000)
    late(refuse(408, 'body_timeout', `request body did not arrive within ${seconds} seconds`))
  }
  timer = setTimeout(look, limits.BODY_TIMEOUT_MS)
  return () => clearTimeout(timer)
}
