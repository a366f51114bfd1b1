import { playTime } from '../model/time.ts'

/** Of a replay that is shared, in milliseconds since the epoch; null for its beginning and its end. */
export interface SharedStretch {
  readonly from: number | null
  readonly to: number | null
}

export const WHOLE: SharedStretch = { from: null, to: null }

interface Bounds {
  readonly startedAt: number
  readonly finishedAt: number
}

/** A beginning and an end as they are typed. */
interface TypedStretch {
  readonly from: string
  readonly to: string
}

interface ReadStretch {
  /** Null where something is wrong. */
  readonly stretch: SharedStretch | null
  readonly problems: Partial<TypedStretch>
}

const SHORTEST_MS = 1000
const TENTH_MS = 100
const TIME = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,5}(?:\.\d{1,3})?)$/
const NO_TIME = 'Write minutes and seconds, like 1:49 or 1:49.6.'

/** From a moment to the end; from the beginning where hardly anything follows. */
export function stretchFrom(at: number, { startedAt, finishedAt }: Bounds): TypedStretch {
  const from = finishedAt - at < SHORTEST_MS ? startedAt : at
  const length = Math.ceil((finishedAt - startedAt) / TENTH_MS) * TENTH_MS
  return { from: playTime(from - startedAt, 1), to: playTime(length, 1) }
}

/** Milliseconds after the beginning; null for what is no time. */
function readTime(text: string): number | null {
  const found = TIME.exec(text.trim())
  if (found === null) return null
  const [, hours = '0', minutes = '0', seconds = '0'] = found
  return Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000)
}

/** What was typed as a stretch of the replay, or what is wrong with it. */
export function readStretch(typed: TypedStretch, { startedAt, finishedAt }: Bounds): ReadStretch {
  const [from, to] = [readTime(typed.from), readTime(typed.to)]
  if (from === null || to === null) {
    return { stretch: null, problems: { ...(from === null && { from: NO_TIME }), ...(to === null && { to: NO_TIME }) } }
  }
  const end = Math.min(startedAt + to, finishedAt)
  if (end - (startedAt + from) < SHORTEST_MS) {
    return {
      stretch: null,
      problems: {
        to: `Less than a second of the replay lies between: it ends at ${playTime(finishedAt - startedAt, 1)}.`,
      },
    }
  }
  return { stretch: { from: startedAt + from, to: end }, problems: {} }
}

/** What a link shows, in words. */
export function stretchWords({ from, to }: SharedStretch, { startedAt, finishedAt }: Bounds): string {
  if (from === null && to === null) return 'Whole replay'
  return `From ${playTime((from ?? startedAt) - startedAt, 1)} to ${playTime((to ?? finishedAt) - startedAt, 1)}`
}
