import { getIssueStats, queryEvents, queryEventStats } from '@firsthand/contract'
import { bind, orBadRequest, readPage, type Route, toPage } from '../../http/index.ts'
import type { EventColumn } from '../search/index.ts'
import type { Chart } from '../events.view.ts'
import { toDate } from '../../lib/instant-text.ts'
import { askerOf, findIssue } from '../organization-request.routes.ts'
import { readEventScope } from '../search-scope.ts'
import type { IssueServices } from '../services.ts'
import { drawAxis, readAxes } from './event-series.ts'
import { nameIds, readColumns, readEventTable, scopeRequest, slugsOf } from './event-table.ts'
import { findSort } from './event-sort.ts'
import { createValidateEventsRoute } from './validate-events.routes.ts'
import { fillBuckets, lastDays, readInterval, readPeriod, SEARCH_LIMITS } from '../../search/index.ts'

/** Tables and series of events. */
export const createStatsRoutes = (services: IssueServices): Route[] => [
  queryEventsRoute(services),
  queryEventStatsRoute(services),
  getIssueStatsRoute(services),
  createValidateEventsRoute(services),
]

const queryEventsRoute = (services: IssueServices): Route =>
  bind(queryEvents, async ({ query, request }) => {
    const asked = readPage({ cursor: query.cursor, limit: query.per_page ?? query.limit })
    const { data, meta, more } = await readEventTable(services, askerOf(request), query, asked)
    const { page } = toPage(data, asked)
    return { body: { data, meta }, page: { ...page, next: more ? `0:${asked.offset + data.length}:0` : null } }
  })

const queryEventStatsRoute = (services: IssueServices): Route =>
  bind(queryEventStats, async ({ query, request }) => {
    const { issues, events } = services
    const { scope, events: found } = orBadRequest(
      await readEventScope(issues, scopeRequest(services, askerOf(request), query)),
    )
    const period = found.period ?? lastDays(services.clock.now(), 1)
    const buckets = readInterval(query.interval, period, SEARCH_LIMITS.CHART_BUCKETS)
    const axes = orBadRequest(readAxes(query.yAxis))
    const names = axes.map(({ name }) => name)
    const { columns, mergesTruncated } = await readColumns(
      services,
      request.organization.id,
      query.field ?? [],
      'group',
    )
    const by = (query.topEvents ?? 0) > 0 ? columns.filter((column) => !column.aggregate) : []
    const [sort = '-'] = query.sort ?? []
    const order = sort === '-' ? { column: 0, descending: true } : orBadRequest(findSort(sort, axes))
    const others = by.length > 0 && query.excludeOther !== '1'
    const charts = await events.charts({ ...found, period }, buckets, {
      axes,
      by,
      order: { axis: order.column, descending: order.descending },
      limit: query.topEvents ?? 0,
      others,
    })
    const lineOf = (chart: Chart | undefined, axis: number) => ({
      data: drawAxis(chart, axes, axis, buckets).map(([at, count]): [number, { count: number }[]] => [at, [{ count }]]),
      start: buckets.start,
      end: buckets.start + buckets.count * buckets.interval,
      isMetricsData: false,
      ...(mergesTruncated && { mergesTruncated }),
    })
    const linesOf = (chart: Chart | undefined, place: number) =>
      names.length === 1
        ? { ...lineOf(chart, 0), order: place }
        : {
            ...Object.fromEntries(names.map((name, axis) => [name, { ...lineOf(chart, axis), order: axis }])),
            order: place,
          }
    if (by.length === 0) {
      const { order: _, ...single } = linesOf(charts[0], 0)
      return { body: single }
    }
    const rows = await nameIds(
      services,
      request.organization.id,
      // The last one, of all others, has no values.
      (others ? charts.slice(0, -1) : charts).map(({ values }) => values),
      by,
      slugsOf(scope.projects),
    )
    const lines = charts.map((chart, place) => {
      const label = others && place === charts.length - 1 ? 'Other' : labelOf(rows[place], by)
      return [label, linesOf(chart, place)] as const
    })
    return { body: Object.fromEntries(lines) }
  })

const getIssueStatsRoute = (services: IssueServices): Route =>
  bind(getIssueStats, async ({ params, query, request }) => {
    const { clock, events } = services
    const record = await findIssue(services, request, params.issue)
    const period = orBadRequest(readPeriod(query, clock.now())) ?? lastDays(clock.now(), 14)
    const buckets = readInterval(query.interval, period, SEARCH_LIMITS.CHART_BUCKETS)
    const series = await events.series(
      {
        organizationId: request.organization.id,
        projectIds: [record.project.id],
        issueIds: record.storedIds,
        period,
        environments: query.environment ?? [],
        filter: null,
      },
      buckets,
    )
    const pick = (name: 'events' | 'users') => new Map([...series].map(([number, one]) => [number, one[name]]))
    return {
      body: {
        data: fillBuckets(buckets, pick('events')),
        users: fillBuckets(buckets, pick('users')),
        start: toDate(buckets.start * 1000),
        end: toDate((buckets.start + buckets.count * buckets.interval) * 1000),
        intervalSeconds: buckets.interval,
      },
    }
  })

/** Name of a series: its values, as Sentry writes them. */
const labelOf = (row: Readonly<Record<string, unknown>> | undefined, by: readonly EventColumn[]): string => {
  const texts = by.map(({ name }) => {
    const value = row?.[name]
    const last: unknown = Array.isArray(value) ? value.at(-1) : value
    return typeof last === 'string' || typeof last === 'number' || typeof last === 'boolean' ? String(last) : ''
  })
  return texts.join(',') === '' ? '(no value)' : texts.join(',')
}

/** `-count()`, `-count`, `count_unique_user`: names of columns as Sentry's clients write them. */
