import { err, ok, type Result } from '../../lib/result.ts'
import { readEventColumn, type EventColumn } from '../search/index.ts'
import type { Chart } from '../events.view.ts'
import { fillBuckets, type Buckets } from '../../search/index.ts'

/** Series of events: what the axes are, and what is drawn. */

export const DEFAULT_AXIS = 'count()'

/** The error is a sentence for the caller. */
export const readAxes = (names: readonly string[] = [DEFAULT_AXIS]): Result<readonly EventColumn[], string> => {
  const axes: EventColumn[] = []
  for (const [index, name] of names.entries()) {
    const axis = readEventColumn(name, `axis${index}`)
    if (!axis.ok) return axis
    const { aggregate, type } = axis.value
    if (!aggregate || (type !== 'integer' && type !== 'rate')) {
      return err(`"${name}" is no number over time. Use count(), count_unique(field), eps() or epm().`)
    }
    axes.push(axis.value)
  }
  return ok(axes)
}

export const isEventAxis = (name: string): boolean => readAxes([name]).ok

/** A count as a rate where the column asks for one. @param seconds that it was counted over */
export const rateOf = (column: EventColumn, count: number, seconds: number): number =>
  column.perSeconds === undefined ? count : (count * column.perSeconds) / seconds

/** `[seconds since the epoch, value]` of every bucket, for one axis of a chart. */
export const drawAxis = (
  chart: Chart | undefined,
  axes: readonly EventColumn[],
  index: number,
  buckets: Buckets,
): [number, number][] => {
  const axis = axes[index]
  if (axis === undefined) return []
  const points = new Map([...(chart?.points ?? [])].map(([bucket, values]) => [bucket, values[index] ?? 0]))
  return fillBuckets(buckets, points).map(([at, count]) => [at, rateOf(axis, count, buckets.interval)])
}
