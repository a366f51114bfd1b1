import type { Answer, queryEvents } from '@firsthand/contract'
import { sampledText } from '../../../lib/sampled-text.ts'
import { formatSpent } from '../../../lib/spent-time.ts'
import type { Chart } from '../../explore/model/index.ts'
import { formatRateIn, rateUnitOf } from './rate-unit.ts'
import { type Change, changeOf, formatApdex, formatShare, formatThroughput } from './change.ts'

/** All transactions in four numbers, each of them over time and against the time before. */

export interface SummaryMeasure {
  readonly key: 'rate' | 'failed' | 'p95' | 'apdex'
  /** What the server is asked for. */
  readonly field: string
  readonly label: string
  readonly format: (value: number) => string
}

export const COUNT = 'count()'

export const SUMMARY: readonly SummaryMeasure[] = [
  { key: 'rate', field: 'epm()', label: 'throughput', format: formatThroughput },
  { key: 'failed', field: 'failure_rate()', label: 'failed', format: formatShare },
  { key: 'p95', field: 'p95(span.duration)', label: 'p95 duration', format: formatSpent },
  { key: 'apdex', field: 'apdex()', label: 'apdex', format: formatApdex },
]

export const SUMMARY_CONDITION = 'is_transaction:true'

/** From how many samples they follow, and which share of all these are. */
export const SAMPLES = 'samples'
export const SAMPLED_SHARE = 'sampled share'

export type Totals = Readonly<Record<string, unknown>>

/** The numbers of the first row, and of how many samples they are. */
export function totalsOf({ data, meta }: Answer<typeof queryEvents>): Totals | undefined {
  const [row] = data
  if (row === undefined) return undefined
  return {
    ...row,
    [SAMPLES]: meta.accuracy?.sampleCount[0]?.[COUNT],
    [SAMPLED_SHARE]: meta.accuracy?.samplingRate[0]?.[COUNT],
  }
}

/** `×20, from 1,240 samples`; null when every one was kept. */
export function estimateText(totals: Totals): string | null {
  return sampledText(numberIn(totals, SAMPLES) ?? undefined, numberIn(totals, SAMPLED_SHARE))
}

const numberIn = (totals: Totals | undefined, field: string): number | null => {
  const value = totals?.[field]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** From fewer samples on either side a number says little: it is told, and not in colour. */
const TELLING_COUNT = 20
const TELLING_POINTS = 1
const TELLING_APDEX = 0.05

const signed = (difference: number, text: string): string =>
  Number(text) === 0 ? `±${text}` : `${difference > 0 ? '+' : '−'}${text}`

/** A share and an index move by so much; what is slower or more often, by so many of a hundred. More requests are no worse. */
export function summaryChange(
  { key, field }: SummaryMeasure,
  now: Totals | undefined,
  before: Totals | undefined,
): Change | null {
  const [value, earlier] = [numberIn(now, field), numberIn(before, field)]
  const counted = Math.min(numberIn(now, SAMPLES) ?? 0, numberIn(before, SAMPLES) ?? 0)
  if (value === null || earlier === null || counted === 0) return null
  if (key === 'rate' || key === 'p95') {
    const change = changeOf(value, earlier, counted)
    return change === null || key === 'p95' ? change : { ...change, verdict: 'same' }
  }
  const difference = value - earlier
  const isApdex = key === 'apdex'
  const text = isApdex ? Math.abs(difference).toFixed(2) : Math.abs(difference * 100).toFixed(1)
  const isTelling = counted >= TELLING_COUNT && Number(text) >= (isApdex ? TELLING_APDEX : TELLING_POINTS)
  return {
    text: isApdex ? signed(difference, text) : `${signed(difference, text)} points`,
    verdict: !isTelling ? 'same' : difference > 0 === isApdex ? 'better' : 'worse',
  }
}

/** How values of a measure are written: rates in the unit of the whole, on the axis as in the head. */
export function formatOf({ key, field, format }: SummaryMeasure, totals: Totals): (value: number) => string {
  if (key !== 'rate') return format
  const unit = rateUnitOf([numberIn(totals, field) ?? 0])
  return (value) => `${formatRateIn(value, unit)} ${unit.text}`
}

/** The value in words; a dash where there is none. */
export function summaryText(measure: SummaryMeasure, totals: Totals): string {
  const value = numberIn(totals, measure.field)
  return value === null ? '–' : formatOf(measure, totals)(value)
}

/**
 * What one measure had over time and in the time before. How many came in a step that goes on would look like a drop, so it
 * is left out once there is another.
 */
export function summaryLines(
  { times, incompleteFromMs, lines: [all] }: Chart,
  { key, field }: SummaryMeasure,
): { readonly now: readonly (number | null)[]; readonly before: readonly (number | null)[] } {
  const values = all?.values.get(field) ?? []
  const isWhole = (place: number): boolean => incompleteFromMs === undefined || (times[place] ?? 0) < incompleteFromMs
  const cuts = key === 'rate' && values.some((value, place) => isWhole(place) && (value ?? 0) > 0)
  return {
    now: cuts ? values.map((value, place) => (isWhole(place) ? value : null)) : values,
    before: all?.before.get(field) ?? [],
  }
}
