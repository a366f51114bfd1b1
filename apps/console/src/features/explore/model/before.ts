import { changeOf } from '../../performance/model/index.ts'
import { UNHANDLED } from './datasets.ts'
import { secondsOf } from './explore-search.ts'
import { labelOf } from './lines.ts'
import type { Kind } from './values.ts'

/** What a group had in the time before that is as long. */
interface Earlier {
  readonly value: unknown
  readonly samples: number
}

/** By the label of the group. */
export type Before = ReadonlyMap<string, Earlier>

/** It ends where the time that is asked for begins. */
export function timeBefore(
  time: Parameters<typeof secondsOf>[0],
  now: number,
): { readonly start: string; readonly end: string } {
  const length = secondsOf(time) * 1000
  const from = time.start === undefined || time.end === undefined ? now - length : Date.parse(time.start)
  return { start: new Date(from - length).toISOString(), end: new Date(from).toISOString() }
}

export function readBefore(
  rows: readonly Readonly<Record<string, unknown>>[],
  samples: readonly Readonly<Record<string, number>>[],
  group: readonly string[],
  column: string,
): Before {
  return new Map(
    rows.map((row, index) => [
      labelOf(group.map((key) => row[key])),
      { value: row[column], samples: samples[index]?.[column] ?? 0 },
    ]),
  )
}

/** How a value moved; in colour only where more is worse. Null when there is nothing to compare with. */
export function changeSince(
  { value, samples }: Earlier,
  earlier: Earlier | undefined,
  column: string,
  { type }: Kind,
): ReturnType<typeof changeOf> {
  if (typeof value !== 'number' || typeof earlier?.value !== 'number') return null
  const change = changeOf(value, earlier.value, Math.min(samples, earlier.samples))
  const isFailure = column === UNHANDLED || /^(failure_rate|user_misery)\(/.test(column)
  const isWorse = isFailure || (type === 'duration' && !column.startsWith('sum('))
  return change === null || isWorse ? change : { ...change, verdict: 'same' }
}
