import { until } from './until.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * Rate limits count in windows that begin at the full hour. A test that needs one window for all that it sends lets the
 * next one begin when the hour is nearly over.
 */
export const withinOneHour = (needsMs = 3 * MINUTE_MS): Promise<unknown> =>
  until(
    'the next hour',
    () => Promise.resolve(HOUR_MS - (Date.now() % HOUR_MS) > needsMs ? true : null),
    needsMs + MINUTE_MS,
  )
