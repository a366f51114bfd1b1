import { getEventsTimeseries, queryEventStats, type Answer, type QueryOutput } from '@firsthand/contract'
import { badRequest, bindFor, type Route } from '../http/index.ts'
import type { Column } from './columns.ts'
import type { Line, Sample } from './explore.view.ts'
import { LIMITS } from './limits.ts'
import { isSeriesOfIssues } from './of-issues.ts'
import type { ExploreServices } from './scope.ts'
import { lineBefore, readSeries, type Series } from './series.ts'
import { confidenceOf, samplingRate, typeJson, valueJson } from './table.ts'

/** Values over time, in the shapes of Sentry's older and newer clients. */
export const createSeriesRoutes = (services: ExploreServices): Route[] => [
  queryEventStatsRoute(services),
  getEventsTimeseriesRoute(services),
]

/** Null where nothing was that could have a value. */
const numberAt = (line: Line | null, step: number, axis: number): number | null => {
  const value = line?.points.get(step)?.values[axis]
  return value === undefined || value === null ? null : Number(value)
}

/** Of a count, nothing is 0; of anything typical, it is nothing. */
const ofNothing = ({ estimate, type }: Column): number | null =>
  estimate === 'sum' || type === 'integer' || type === 'rate' ? 0 : null

const stepsOf = ({ buckets }: Series): number[] => Array.from({ length: buckets.count }, (_, step) => step)

const queryEventStatsRoute = (services: ExploreServices): Route =>
  bindFor(
    queryEventStats,
    (query) => !isSeriesOfIssues(query),
    async ({ query, request }) => {
      const series = await readSeries(services, request.organization.id, { ...query, by: query.field ?? [] })
      const { by, lines } = series
      if (by.length === 0 && (query.topEvents ?? 0) === 0) {
        const [only] = lines
        return { body: axesJson(series, only ?? NOTHING, null) as Stats }
      }
      // Nothing was found: one line, of nothing.
      if (lines.length === 0) return { body: { '': axesJson(series, NOTHING, 0) } as Stats }
      const names = labelsOf(series)
      const named = lines.map((line, place) => [names[place] ?? '', axesJson(series, line, place)] as const)
      return { body: Object.fromEntries(named) as Stats }
    },
  )

type Stats = Answer<typeof queryEventStats>

const NOTHING: Line = { key: '', values: [], isOther: false, points: new Map() }

/** One axis as it is, several by their names. */
const axesJson = (series: Series, line: Line, place: number | null) => {
  const { axes } = series
  const order = place === null ? {} : { order: place }
  if (axes.length === 1) return { ...lineJson(series, line, 0), ...order }
  const named = axes.map(({ name }, axis) => [name, { ...lineJson(series, line, axis), order: axis }] as const)
  return { ...Object.fromEntries(named), ...order }
}

const lineJson = (series: Series, line: Line, axis: number) => {
  const { axes, buckets, before, question } = series
  const { start, interval, count } = buckets
  const other = lineBefore(line, before)
  return {
    data: stepsOf(series).map((step): [number, { count: number; comparisonCount?: number }[]] => [
      start + step * interval,
      [
        {
          count: numberAt(line, step, axis) ?? 0,
          ...(before !== null && { comparisonCount: numberAt(other, step, axis) ?? 0 }),
        },
      ],
    ]),
    start,
    end: start + count * interval,
    isMetricsData: false,
    meta: {
      fields: Object.fromEntries(axes.map((column) => [column.name, typeJson(column)])),
      units: Object.fromEntries(axes.map(({ name, unit }) => [name, unit])),
      dataset: question.scope.name,
    },
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** Values joined by commas, as Sentry writes them; one that holds a comma stands in quotation marks. */
const labelsOf = ({ by, lines, question }: Series): string[] =>
  lines.map((line) => {
    if (line.isOther) return 'Other'
    const texts = by.map((column, index) => textOf(valueJson(line.values[index], column, question)))
    const quoted = texts.length === 1 ? texts : texts.map((text) => (text.includes(',') ? JSON.stringify(text) : text))
    const label = quoted.join(',')
    return label === '' ? '(no value)' : label
  })

/** Of errors, one line for all of them is answered by `issues`. */
const isAnswered = ({ groupBy = [], topEvents = 0, ...query }: QueryOutput<typeof getEventsTimeseries>): boolean =>
  groupBy.length > 0 || topEvents > 0 || !isSeriesOfIssues(query)

const getEventsTimeseriesRoute = (services: ExploreServices): Route =>
  bindFor(getEventsTimeseries, isAnswered, async ({ query, request }) => {
    const groups = query.groupBy ?? []
    if ((query.topEvents ?? 0) > 0 && groups.length === 0) {
      throw badRequest('With topEvents, name what it is about: groupBy=transaction.')
    }
    if (groups.includes('timestamp')) throw badRequest('A series cannot be grouped by timestamp.')
    const series = await readSeries(services, request.organization.id, { ...query, by: groups })
    const { buckets } = series
    return {
      body: {
        timeSeries: series.lines.flatMap((line, place) =>
          series.axes.map((axis, index) => timeSeriesJson(series, { line, place, axis, index }, services.clock.now())),
        ),
        meta: {
          dataset: query.dataset,
          start: buckets.start * 1000,
          end: (buckets.start + buckets.count * buckets.interval) * 1000,
        },
      },
    }
  })

interface Drawn {
  readonly line: Line
  readonly place: number
  readonly axis: Column
  readonly index: number
}

const timeSeriesJson = (series: Series, { line, place, axis, index }: Drawn, now: number) => {
  const { buckets, before, by, question } = series
  const other = lineBefore(line, before)
  const values = stepsOf(series).map((step) => {
    const end = (buckets.start + (step + 1) * buckets.interval) * 1000
    const incomplete = end > now - LIMITS.SERIES_INCOMPLETE_MS
    const point = line.points.get(step)
    return {
      timestamp: end - buckets.interval * 1000,
      value: numberAt(line, step, index) ?? ofNothing(axis),
      incomplete,
      ...(incomplete && { incompleteReason: 'INCOMPLETE_BUCKET' }),
      ...(before !== null && { comparisonValue: numberAt(other, step, index) ?? ofNothing(axis) }),
      ...(point !== undefined && sampleJson(axis, point.sample)),
    }
  })
  return {
    yAxis: axis.name,
    ...(by.length > 0 && {
      groupBy: line.isOther
        ? []
        : by.map((column, at) => ({ key: column.name, value: valueJson(line.values[at], column, question) })),
    }),
    values,
    meta: {
      valueType: typeJson(axis),
      valueUnit: axis.unit,
      interval: buckets.interval * 1000,
      dataScanned: 'full' as const,
      ...(by.length > 0 && { order: place, isOther: line.isOther }),
    },
  }
}

const sampleJson = (axis: Column, sample: Sample) => ({
  sampleCount: sample.rows,
  sampleRate: samplingRate(sample),
  confidence: confidenceOf(axis, sample),
})
