import { formatFilter } from '@firsthand/search-syntax'
import { addFilter } from '../../search/model/index.ts'
import type { FunctionOption } from './datasets.ts'

/** Which metric a function is about: `p95(value,checkout.time,distribution,second)`. */
export interface Metric {
  readonly name: string
  readonly type: MetricType
  /** `none` for none, `-` for any. */
  readonly unit: string
}

type MetricType = 'counter' | 'gauge' | 'distribution'

const NO_UNIT = 'none'
const ANY_UNIT = '-'
const FUNCTION = /^([a-z0-9_]+)\(value, ?(.+), ?(counter|gauge|distribution), ?([^,]*)\)$/s

export interface MetricFunction {
  readonly name: string
  readonly metric: Metric
}

/** Null for a function that names no metric. */
export function readMetricFunction(text: string): MetricFunction | null {
  const [, name, sent = '', type, unit = ''] = FUNCTION.exec(text) ?? []
  if (name === undefined) return null
  const quoted = /^"([^"]*)"$/.exec(sent)
  return { name, metric: { name: quoted?.[1] ?? sent, type: type as MetricType, unit: unit === '' ? ANY_UNIT : unit } }
}

export function writeMetricFunction(name: string, { name: metric, type, unit }: Metric): string {
  const isPlain = !/[,[\]]|^["` ]| $/.test(metric)
  return `${name}(value,${isPlain ? metric : `"${metric}"`},${type},${unit})`
}

/** The one that is asked about. */
export function metricOf(visualise: readonly string[]): Metric | null {
  return readMetricFunction(visualise[0] ?? '')?.metric ?? null
}

/** As it is said: `p95(checkout.time)`; an equation without what marks it as one. */
export function titleOf(text: string): string {
  const read = readMetricFunction(text)
  return read === null ? text.replace(/^equation\|/, '') : `${read.name}(${read.metric.name})`
}

/** A row of the list of metrics. */
export function metricOfRow(row: Readonly<Record<string, unknown>>): Metric | null {
  const { 'metric.name': name, 'metric.type': type, 'metric.unit': unit } = row
  if (typeof name !== 'string' || (type !== 'counter' && type !== 'gauge' && type !== 'distribution')) return null
  return { name, type, unit: typeof unit === 'string' && unit !== '' ? unit : NO_UNIT }
}

/** `millisecond`; empty for none. */
export function unitText({ unit }: Metric): string {
  return unit === NO_UNIT || unit === ANY_UNIT ? '' : unit
}

/** `distribution · second`. */
export function describeMetric(metric: Metric): string {
  return [metric.type, unitText(metric)].filter((one) => one !== '').join(' · ')
}

/** The search, for the values of the metric alone: single ones have no function that names it. */
export function searchOfMetric(query: string, metric: Metric): string {
  const named = addFilter(addFilter(query, 'metric.name', metric.name), 'metric.type', metric.type)
  if (metric.unit === ANY_UNIT) return named
  return metric.unit === NO_UNIT
    ? `${named} ${formatFilter('has', 'metric.unit', true)}`
    : addFilter(named, 'metric.unit', metric.unit)
}

const one = (name: string, hint: string): FunctionOption => ({ name, hint, takes: 'nothing' })

const PERCENTILES = [
  one('p50', 'half of them are smaller'),
  one('p75', 'three of four are smaller'),
  one('p90', 'nine of ten are smaller'),
  one('p95', '19 of 20 are smaller'),
  one('p99', '99 of 100 are smaller'),
]
const AVG = one('avg', 'average')
const MIN = one('min', 'smallest')
const MAX = one('max', 'largest')
const SUM = one('sum', 'of all together')

/** What can be asked of a metric of each type. */
export const METRIC_FUNCTIONS: Readonly<Record<MetricType, readonly FunctionOption[]>> = {
  counter: [
    SUM,
    one('per_minute', 'how much a minute'),
    one('per_second', 'how much a second'),
    one('count', 'how often it was counted'),
  ],
  gauge: [AVG, MIN, MAX, one('last', 'newest'), one('count', 'how often it was measured')],
  distribution: [
    ...PERCENTILES,
    AVG,
    MIN,
    MAX,
    SUM,
    one('count', 'how many values'),
    one('per_minute', 'how many values a minute'),
  ],
}

const USUAL: Readonly<Record<MetricType, readonly string[]>> = {
  counter: ['sum', 'per_minute'],
  gauge: ['avg', 'max'],
  distribution: ['p95', 'p50', 'count'],
}

/** What is asked of a metric first. */
export const usualFunctions = (metric: Metric): readonly string[] =>
  USUAL[metric.type].map((name) => writeMetricFunction(name, metric))
