import type { ReplayMark, ReplayPlayback } from '@firsthand/contract'
import type { missingOf } from '@firsthand/recording'
import { LIMITS } from '../limits.ts'
import type { ReplayRecord, SegmentRecord } from '../replay.ts'

/** What is looked for in a replay, also where the visitor did nothing; and what the console said was an error. */
const WORTH_SEEING: ReadonlySet<ReplayMark['kind']> = new Set([
  'click',
  'dead_click',
  'error',
  'feedback',
  'hydration_error',
  'input',
  'key',
  'navigation',
  'rage_click',
])

const LEVELS_WORTH_SEEING: ReadonlySet<string | undefined> = new Set(['error', 'fatal'])

const isWorthSeeing = ({ detail, kind }: Pick<ReplayMark, 'detail' | 'kind'>): boolean =>
  WORTH_SEEING.has(kind) || (kind === 'console' && LEVELS_WORTH_SEEING.has(detail['level']))

/** By time, and apart from one another. */
type Missing = ReturnType<typeof missingOf>

/**
 * Stretches in which the visitor did nothing, and nothing happened that is worth seeing: where nothing was received, nobody
 * knows that. Screens take them as they are, so that a replay is as idle everywhere.
 */
export const idleOf = (
  segments: Parameters<typeof quietOf>[0],
  marks: Parameters<typeof quietOf>[1],
  replay: Parameters<typeof quietOf>[2],
  missing: Missing,
): ReplayPlayback['idle'] => known(quietOf(segments, marks, replay), missing)

/**
 * As if all had been received. Whoever watches a canvas that moves does nothing else: for a while after something happened
 * they are not idle.
 */
const quietOf = (
  segments: readonly Pick<SegmentRecord, 'active' | 'canvasBytes' | 'from' | 'to'>[],
  marks: readonly Pick<ReplayMark, 'at' | 'detail' | 'kind'>[],
  { startedAt, finishedAt }: Pick<ReplayRecord, 'startedAt' | 'finishedAt'>,
): ReplayPlayback['idle'] => {
  const seen = marks
    .filter((mark) => isWorthSeeing(mark) && mark.at >= startedAt && mark.at <= finishedAt)
    .map(({ at }) => [at, at] as const)
  const stretches = [...segments.flatMap(({ active }) => pairs(active)), ...seen].toSorted(
    (one, other) => one[0] - other[0],
  )
  const idle: ReplayPlayback['idle'] = []
  const moving = joined(segments.flatMap(({ canvasBytes, from, to }) => (canvasBytes > 0 ? [[from, to] as const] : [])))
  let next = 0
  let last = startedAt
  for (const [from, to] of [...stretches, [finishedAt, finishedAt] as const]) {
    const watchedUntil = Math.min(from, last + LIMITS.REPLAY_CANVAS_WATCHED_MS)
    while ((moving[next]?.[1] ?? Infinity) <= last) next += 1
    for (let place = next; last < watchedUntil; place += 1) {
      const [begin, end] = moving[place] ?? [Infinity, Infinity]
      if (begin >= watchedUntil) break
      if (begin - last > LIMITS.REPLAY_IDLE_MS) idle.push([last, begin])
      last = Math.min(end, watchedUntil)
    }
    if (from - last > LIMITS.REPLAY_IDLE_MS) idle.push([last, from])
    last = Math.max(last, to)
  }
  return idle
}

/** What is left of stretches, both by time. */
const known = (quiet: ReplayPlayback['idle'], missing: Missing): ReplayPlayback['idle'] => {
  const idle: ReplayPlayback['idle'] = []
  let next = 0
  for (const [start, end] of quiet) {
    let at = start
    while ((missing[next]?.to ?? Infinity) <= start) next += 1
    for (let place = next; at < end; place += 1) {
      const { from, to } = missing[place] ?? { from: Infinity, to: Infinity }
      const until = Math.min(from, end)
      if (until - at > LIMITS.REPLAY_IDLE_MS) idle.push([at, until])
      at = to
    }
  }
  return idle
}

const pairs = (numbers: readonly number[]): (readonly [number, number])[] =>
  numbers.flatMap((from, index) => (index % 2 === 0 ? [[from, numbers[index + 1] ?? from] as const] : []))

/** Those that touch are one. */
const joined = (stretches: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] => {
  const all: [number, number][] = []
  for (const [from, to] of stretches.toSorted((one, other) => one[0] - other[0])) {
    const end = all.at(-1)
    if (end === undefined || from > end[1]) all.push([from, to])
    else end[1] = Math.max(end[1], to)
  }
  return all
}
