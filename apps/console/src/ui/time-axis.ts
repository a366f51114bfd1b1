import { formatMoment, isMidnight } from '../lib/moments.ts'

export interface TimeScale {
  /** Seconds since the epoch. */
  readonly min: number
  readonly max: number
  /** CSS pixels. */
  readonly width: number
  /** The axis ends in the present, which stands at its end. */
  readonly endsNow: boolean
}

/** What "now" takes at the end of an axis, with half of the text beside it. */
const NOW_ROOM = 48

/** Hours as `14:00`, what is closer than minutes as `14:00:30`, midnights and days as `20 Nov`; none where "now" stands. */
export function timeTexts(splits: readonly number[], { min, max, width, endsNow }: TimeScale): string[] {
  const clock = splits.some((seconds) => seconds % 60 !== 0) ? 'seconds' : 'clock'
  const lastBeforeNow = endsNow && width > 0 ? max - ((max - min) * NOW_ROOM) / width : max
  return splits.map((seconds) => {
    if (seconds > lastBeforeNow) return ''
    const timeMs = seconds * 1000
    return formatMoment(clock === 'clock' && isMidnight(timeMs) ? 'date' : clock, timeMs)
  })
}
