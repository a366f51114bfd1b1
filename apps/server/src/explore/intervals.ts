import { createBuckets, parseDuration, type Buckets, type Period } from '../search/index.ts'
import { LIMITS } from './limits.ts'

/** Steps of series, in seconds. */
const STEPS = [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 43_200, 86_400]

/** So many steps at most where nobody says how long one is. */
const USUAL_STEPS = 300

/** `30m`, `1h`, `3600` → seconds; null when it cannot be read. */
const readSeconds = (text: string): number | null => {
  const milliseconds = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : parseDuration(text)
  return milliseconds === null || milliseconds < 1000 ? null : milliseconds / 1000
}

const stepsOf = ({ from, to }: Period, seconds: number): number => Math.ceil((to - from) / 1000 / seconds) + 1

/** The steps that are asked for; the usual ones where that cannot be read, or makes more than `SERIES_POINTS`. */
export const readSteps = (text: string | undefined, period: Period): Buckets => {
  const asked = text === undefined ? null : readSeconds(text)
  if (asked !== null && stepsOf(period, asked) <= LIMITS.SERIES_POINTS) return createBuckets(period, asked)
  const usual = STEPS.find((seconds) => stepsOf(period, seconds) <= USUAL_STEPS + 1)
  const days = Math.ceil((period.to - period.from) / 86_400_000 / USUAL_STEPS)
  return createBuckets(period, usual ?? days * 86_400)
}
