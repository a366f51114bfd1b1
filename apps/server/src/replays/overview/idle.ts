import type { ReplayMark, ReplayPlayback } from '@firsthand/contract'
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

/** Whoever watches a canvas that moves does nothing else: where idle stretches are more of a replay than this, none is one. */
const NEARLY_ALL = 0.8

/** Stretches in which the visitor did nothing, and nothing happened that is worth seeing. */
export const idleOf = (
  segments: readonly Pick<SegmentRecord, 'active' | 'canvasBytes'>[],
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
  let last = startedAt
  for (const [from, to] of [...stretches, [finishedAt, finishedAt] as const]) {
    if (from - last > LIMITS.REPLAY_IDLE_MS) idle.push([last, from])
    last = Math.max(last, to)
  }
  const idleMs = idle.reduce((sum, [from, to]) => sum + to - from, 0)
  const isWatched = idleMs > NEARLY_ALL * (finishedAt - startedAt) && segments.some((one) => one.canvasBytes > 0)
  return isWatched ? [] : idle
}

const pairs = (numbers: readonly number[]): (readonly [number, number])[] =>
  numbers.flatMap((from, index) => (index % 2 === 0 ? [[from, numbers[index + 1] ?? from] as const] : []))
