const SECOND_MS = 1000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

const two = (value: number): string => String(value).padStart(2, '0')

/**
 * A moment of a replay as its player says it, counted from its beginning: `1:49`, `1:02:03`; with tenths or hundredths of
 * seconds `1:49.6`, `1:49.60`.
 */
export function playTime(ms: number, digits: 0 | 1 | 2 = 0): string {
  const unit = 10 ** (3 - (digits === 0 ? 0 : digits))
  const whole = Math.max(0, digits === 0 ? Math.floor(ms / SECOND_MS) * SECOND_MS : Math.floor(ms / unit) * unit)
  const seconds = Math.floor((whole % MINUTE_MS) / SECOND_MS)
  const rest = digits === 0 ? '' : `.${String(Math.floor((whole % SECOND_MS) / unit)).padStart(digits, '0')}`
  const minutes = Math.floor((whole % HOUR_MS) / MINUTE_MS)
  if (whole >= HOUR_MS) return `${Math.floor(whole / HOUR_MS)}:${two(minutes)}:${two(seconds)}${rest}`
  return `${minutes}:${two(seconds)}${rest}`
}

/** From moment to moment, as far as these are two. */
export function playStretch(from: number, to: number): string {
  const [begins, ends] = [playTime(from), playTime(to)]
  return begins === ends ? begins : `${begins} to ${ends}`
}

const wholeSeconds = (ms: number): number => Math.floor(ms / SECOND_MS) * SECOND_MS

/** How long a replay is, from second to second as the server counts it: lists and the player say the same. */
export const playLength = (from: number, to: number): string => playTime(wholeSeconds(to) - wholeSeconds(from))
