import { minuteOfDay } from '../../../lib/moments.ts'

/** Marks of a time line that ends now: at round times by the reader's clock, so that a bar's time can be read off. */
interface AxisMark {
  /** From 0, the beginning, to 1, now. */
  readonly at: number
  readonly time: number
}

const HOUR_MS = 3_600_000
const DAY_MINUTES = 24 * 60
/** Every zone's hours begin at one of these. */
const QUARTER_MS = HOUR_MS / 4
/** Nearer to an end than this, a mark would run into "now", or over the edge. */
const LEAST_FROM_BEGINNING = 0.02
const LEAST_FROM_NOW = 0.08
/** Of a month, every so many days has a mark. */
const DAYS_BETWEEN = 5

export function axisMarks(hours: number, now: number): readonly AxisMark[] {
  const length = hours * HOUR_MS
  const everyMinutes = hours <= 24 ? 4 * 60 : DAY_MINUTES
  const marks: AxisMark[] = []
  for (let time = Math.ceil((now - length) / QUARTER_MS) * QUARTER_MS; time < now; time += QUARTER_MS) {
    if (minuteOfDay(time) % everyMinutes === 0) marks.push({ at: 1 - (now - time) / length, time })
  }
  return marks
    .filter((_, index) => hours <= 7 * 24 || index % DAYS_BETWEEN === 0)
    .filter(({ at }) => at >= LEAST_FROM_BEGINNING && at <= 1 - LEAST_FROM_NOW)
}
