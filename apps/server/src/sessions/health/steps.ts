import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/durations.ts'
import type { Buckets } from '../../search/index.ts'

const LENGTHS = [15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS, DAY_MS] as const

/** As many as a chart shows well. */
const MOST = 80

/** The shortest length of a step by which a time has not too many. */
export const stepLength = (time: number): number => LENGTHS.find((length) => time / length <= MOST) ?? DAY_MS

/** Whole steps that cover a time. */
export const stepsOver = (from: number, length: number, time: number): Buckets => ({
  start: Math.floor(from / 1000),
  interval: length / 1000,
  count: Math.max(1, Math.ceil(time / length)),
})
