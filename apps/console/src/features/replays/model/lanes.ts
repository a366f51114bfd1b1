import type { ReplayPlayback } from '@firsthand/contract'
import { missingOf } from '@firsthand/recording'
import type { Axis } from './axis.ts'
import { pathOf, requestTone, type Row, titleOf } from './rows.ts'
import { withoutJudgedClicks } from './verdicts.ts'

/** What the score draws; places are shares of its width. */
export interface Lanes {
  readonly pages: readonly {
    readonly at: number
    readonly start: number
    readonly end: number
    readonly path: string
  }[]
  /** Of each step, a share of the busiest. */
  readonly activity: readonly number[]
  readonly marks: readonly { readonly place: number; readonly kind: LaneMark; readonly title: string }[]
  readonly requests: readonly { readonly start: number; readonly end: number; readonly tone: Row['tone'] }[]
  readonly missing: readonly { readonly start: number; readonly end: number }[]
  readonly counts: Readonly<Record<LaneMark | 'slow', number>>
}

export const LANE_MARKS = ['click', 'dead', 'rage', 'error', 'feedback'] as const
export type LaneMark = (typeof LANE_MARKS)[number]

const KINDS: Readonly<Record<string, LaneMark>> = {
  click: 'click',
  dead_click: 'dead',
  rage_click: 'rage',
  error: 'error',
  hydration_error: 'error',
  feedback: 'feedback',
}

const ACTIVITY_STEPS = 160
/** Marks of one kind that are nearer than this, of the width, are one. */
const SAME_PLACE = 0.004
const MAX_REQUESTS = 400

export function readLanes(playback: ReplayPlayback, axis: Axis): Lanes {
  const { pages } = playback
  const marks = withoutJudgedClicks(playback.marks)
  const { placeOf } = axis
  const counts = { click: 0, dead: 0, rage: 0, error: 0, feedback: 0, slow: 0 }
  const drawn: { place: number; kind: LaneMark; title: string }[] = []
  const last = new Map<LaneMark, number>()
  const steps = Array.from({ length: ACTIVITY_STEPS }, () => 0)
  const requests: { start: number; end: number; tone: Row['tone'] }[] = []
  for (const mark of marks) {
    const place = placeOf(mark.at)
    if (mark.kind !== 'memory') {
      const step = Math.min(ACTIVITY_STEPS - 1, Math.floor(place * ACTIVITY_STEPS))
      steps[step] = (steps[step] ?? 0) + 1
    }
    const kind = KINDS[mark.kind]
    if (kind !== undefined) {
      counts[kind] += 1
      if (place - (last.get(kind) ?? -1) >= SAME_PLACE) {
        drawn.push({ place, kind, title: titleOf(mark, mark.at - axis.from) })
        last.set(kind, place)
      }
    }
    if (mark.kind === 'request') {
      const tone = requestTone(mark)
      if (tone === 'warning') counts.slow += 1
      if (requests.length < MAX_REQUESTS || tone !== null)
        requests.push({ start: place, end: placeOf(mark.at + (mark.duration ?? 0)), tone })
    }
  }
  const most = Math.max(1, ...steps)
  const stretch = ({ from, to }: { readonly from: number; readonly to: number }) => ({
    start: placeOf(from),
    end: placeOf(to),
  })
  return {
    pages: pages.map(({ at, url }, index) => ({
      at,
      // It was there before it was recorded.
      start: index === 0 ? 0 : placeOf(at),
      end: placeOf(pages[index + 1]?.at ?? axis.to),
      path: pathOf(url),
    })),
    activity: steps.map((count) => count / most),
    // The rarer a kind, the later it is drawn: it must not be hidden.
    marks: drawn.toSorted((one, other) => LANE_MARKS.indexOf(one.kind) - LANE_MARKS.indexOf(other.kind)),
    requests,
    missing: missingOf(playback).map(stretch),
    counts: { ...counts, ...inVain(playback, counts) },
  }
}

/**
 * As lists count them: a rage click is a dead one, too, and those that are not told one by one count as well. People without
 * an account are told no sums.
 */
function inVain(
  { replay }: ReplayPlayback,
  { dead, rage }: { readonly dead: number; readonly rage: number },
): { readonly dead: number; readonly rage: number } {
  return { dead: replay.count_dead_clicks ?? dead + rage, rage: replay.count_rage_clicks ?? rage }
}
