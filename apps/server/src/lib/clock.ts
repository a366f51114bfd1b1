/** Time is passed in, so that tests can hold it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/**
 * True while a window is open that began at `startedAt`. A time before its beginning is outside as well: then the clock was
 * set back, and nobody shall wait, or be believed, until it has come around again.
 *
 * @param startedAt milliseconds since the epoch, as `now`
 */
export const isWithin = (startedAt: number, lengthMs: number, now: number): boolean =>
  now >= startedAt && now < startedAt + lengthMs
