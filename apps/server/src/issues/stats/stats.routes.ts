import { getIssueStats, queryEvents, queryEventStats } from '@firsthand/contract'
import { badRequest, bind, orBadRequest, readPage, type Route, toPage } from '../../http/index.ts'
import { followMerges, readEventColumn, type EventColumn } from '../search/index.ts'
import type { Chart } from '../events.view.ts'
import { toDate } from '../../lib/instant-text.ts'
import type { ProjectReference } from '../../accounts/index.ts'
import { findIssue, userIdOf, type OrganizationRequest as Request } from '../organization-request.routes.ts'
import { readEventScope, type ScopeRequest } from '../search-scope.ts'
import type { IssueServices } from '../services.ts'
import { drawAxis, rateOf, readAxes } from './event-series.ts'
import { LIMITS } from '../limits.ts'
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

const scopeRequest = (
  { clock }: IssueServices,
  request: Request,
  query: Omit<ScopeRequest, 'organizationId' | 'userId' | 'now'>,
): ScopeRequest => ({
  ...query,
  organizationId: request.organization.id,
  userId: userIdOf(request),
  now: clock.now(),
})

/** Columns as asked for. Events of merged issues are those of the issue that they were merged into. */
const readColumns = async ({ issues }: IssueServices, request: Request, names: readonly string[], prefix: string) => {
  const columns = names.map((name, index) => orBadRequest(readEventColumn(name, `${prefix}${index}`)))
  const { merges, truncated } = await issues.newestMerges(request.organization.id)
  const followed = columns.map((column) => followMerges(column, merges))
  return { columns: followed, mergesTruncated: truncated && followed.some((column, at) => column !== columns[at]) }
}

/** Puts short ids and slugs in place of numbers. */
const nameIds = async (
  { issues }: IssueServices,
  request: Request,
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly EventColumn[],
  slugs: ReadonlyMap<number, string>,
) => {
  const issueColumns = columns.filter((column) => column.lookup === 'issue')
  const ids = new Set(rows.flatMap((row) => issueColumns.map((column) => Number(row[column.name]))))
  const records = ids.size === 0 ? [] : await issues.records(request.organization.id, [...ids])
  const shortIds = new Map(records.map((record) => [record.id, record.shortId]))
  const valueOf = (column: EventColumn, value: unknown): unknown => {
    if (column.lookup === 'issue') return shortIds.get(Number(value)) ?? 'unknown'
    if (column.lookup === 'project') return slugs.get(Number(value)) ?? 'unknown'
    return column.type === 'date' ? toDate(Number(value)) : value
  }
  return rows.map((row) =>
    Object.fromEntries(columns.map((column) => [column.name, valueOf(column, row[column.name])])),
  )
}

const queryEventsRoute = (services: IssueServices): Route =>
  bind(queryEvents, async ({ query, request }) => {
    const { issues, events, clock } = services
    const found = orBadRequest(await readEventScope(issues, scopeRequest(services, request, query)))
    const { columns, mergesTruncated } = await readColumns(services, request, query.field, 'column')
    const { period } = found.scope
    const rate = columns.find((column) => column.perSeconds !== undefined)
    if (rate !== undefined && period === null) {
      throw badRequest(`"${rate.name}" needs a time range. Add statsPeriod=24h, or start and end.`)
    }
    const asked = readPage({ cursor: query.cursor, limit: query.per_page ?? query.limit })
    const sort = (query.sort ?? []).map((text) => orBadRequest(findSort(text, columns)))
    const { rows, more } = await events.table(found.events, {
      columns,
      sort,
      ...asked,
      bytes: LIMITS.EVENT_TABLE_BYTES,
    })
    const { page } = toPage(rows, asked)
    const next = more ? `0:${asked.offset + rows.length}:0` : null
    // A period that ends now goes a little beyond, for clocks that are ahead.
    const seconds = period === null ? 1 : (Math.min(period.to, clock.now()) - period.from) / 1000
    const rated = rows.map((row) =>
      Object.fromEntries(
        columns.map((column) => {
          const value = row[column.name]
          return [column.name, typeof value === 'number' ? rateOf(column, value, seconds) : value]
        }),
      ),
    )
    return {
      body: {
        data: await nameIds(services, request, rated, columns, slugsOf(found.scope.projects)),
        meta: {
          fields: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
          units: Object.fromEntries(columns.map(({ name }) => [name, null])),
          ...(mergesTruncated && { mergesTruncated }),
        },
      },
      page: { ...page, next },
    }
  })

const queryEventStatsRoute = (services: IssueServices): Route =>
  bind(queryEventStats, async ({ query, request }) => {
    const { issues, events } = services
    const { scope, events: found } = orBadRequest(await readEventScope(issues, scopeRequest(services, request, query)))
    const period = found.period ?? lastDays(services.clock.now(), 1)
    const buckets = readInterval(query.interval, period, SEARCH_LIMITS.CHART_BUCKETS)
    const axes = orBadRequest(readAxes(query.yAxis))
    const names = axes.map(({ name }) => name)
    const { columns, mergesTruncated } = await readColumns(services, request, query.field ?? [], 'group')
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
      request,
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

const slugsOf = (projects: readonly ProjectReference[]): ReadonlyMap<number, string> =>
  new Map(projects.map(({ id, slug }) => [id, slug]))

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
