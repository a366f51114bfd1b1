/** Minutes since the epoch: the steps in which rules are evaluated. Minute n is from n to n + 1. */
export const MINUTE_MS = 60_000

export const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS)

/** When a minute is over. */
export const endOf = (minute: number): number => (minute + 1) * MINUTE_MS
