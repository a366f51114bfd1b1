import { LIMITS } from '../limits.ts'
import type { Buckets, OtlpMetric, OtlpPoint } from './otlp-metric.ts'

/** What a data point measured: a value, or a part of a histogram. */
export interface Part {
  readonly value: number
  readonly weight: number
  /** Between these it was measured: above the first, up to the second. */
  readonly above: number
  readonly upTo: number
}

export type Measured =
  /** It may be nothing: a histogram in which nothing happened. */
  | { readonly parts: readonly Part[] }
  /** `unaddable`: it can be read, but not added to what else there is. */
  | { readonly refused: 'unreadable' | 'unaddable' }

const UNREADABLE: Measured = { refused: 'unreadable' }
const UNADDABLE: Measured = { refused: 'unaddable' }
const NO_VALUE = 1

export const measuredOf = ({ kind, isDelta, name }: OtlpMetric, point: OtlpPoint): Measured => {
  if (name.trim() === '' || (point.flags & NO_VALUE) === NO_VALUE) return UNREADABLE
  switch (kind) {
    case 'gauge':
    case 'sum':
      return point.value === null || !Number.isFinite(point.value) ? UNREADABLE : { parts: [single(point.value)] }
    case 'histogram':
      return isDelta ? partsOf(point, explicitParts(point)) : UNADDABLE
    case 'exponential':
      return isDelta ? partsOf(point, exponentialParts(point)) : UNADDABLE
    case 'summary':
      return UNADDABLE
    case 'unknown':
      return UNREADABLE
  }
}

const single = (value: number): Part => ({ value, weight: 1, above: -Infinity, upTo: Infinity })

type Range = Omit<Part, 'value'>

const isCount = (count: number): boolean => Number.isFinite(count) && count >= 0

/** Null when the counts do not fit the bounds. */
const explicitParts = ({ bounds, counts }: OtlpPoint): readonly Range[] | null => {
  if (counts.length === 0 && bounds.length === 0) return []
  if (counts.length !== bounds.length + 1 || counts.length > LIMITS.METRIC_BUCKETS || !counts.every(isCount))
    return null
  if (!bounds.every((bound, index) => Number.isFinite(bound) && bound >= (bounds[index - 1] ?? -Infinity))) return null
  return counts.map((weight, index) => ({
    weight,
    above: bounds[index - 1] ?? -Infinity,
    upTo: bounds[index] ?? Infinity,
  }))
}

/** Null when it cannot be read. */
const exponentialParts = ({ scale, zeroCount, positive, negative }: OtlpPoint): readonly Range[] | null => {
  const all = [...positive.counts, ...negative.counts, zeroCount]
  if (all.length > LIMITS.METRIC_BUCKETS || !all.every(isCount) || !Number.isFinite(scale)) return null
  // Bucket i holds what is above base^i, up to base^(i + 1).
  const power = (index: number): number => 2 ** (index * 2 ** -scale)
  const ranges = ({ offset, counts }: Buckets): Range[] =>
    counts.map((weight, index) => ({ weight, above: power(offset + index), upTo: power(offset + index + 1) }))
  const mirrored = ranges(negative).map(({ weight, above, upTo }) => ({ weight, above: -upTo, upTo: -above }))
  return [...mirrored, { weight: zeroCount, above: 0, upTo: 0 }, ...ranges(positive)]
}

/**
 * What was in a part lies in its middle, as far as is known; of all that is in one part, the average is known exactly. A
 * histogram without parts is its average.
 */
const partsOf = ({ count, sum, min, max }: OtlpPoint, ranges: readonly Range[] | null): Measured => {
  if (ranges === null || !isCount(count)) return UNREADABLE
  const filled = ranges.filter(({ weight }) => weight > 0)
  const [only = { weight: count, above: -Infinity, upTo: Infinity }] = filled
  if (filled.length < 2) {
    if (only.weight === 0) return { parts: [] }
    const value = sum === null ? middleOf(only, min, max) : sum / only.weight
    return value === null || !Number.isFinite(value) ? UNREADABLE : { parts: [{ ...only, value }] }
  }
  const parts: Part[] = []
  for (const range of filled) {
    const value = middleOf(range, min, max)
    if (value === null || !Number.isFinite(value)) return UNREADABLE
    parts.push({ ...range, value })
  }
  return { parts }
}

/** Null where no end is known. */
const middleOf = ({ above, upTo }: Range, min: number | null, max: number | null): number | null => {
  const low = Math.max(above, min ?? -Infinity)
  const high = Math.min(upTo, max ?? Infinity)
  if (Number.isFinite(low) && Number.isFinite(high)) return low / 2 + high / 2
  if (Number.isFinite(low)) return low
  return Number.isFinite(high) ? high : null
}
