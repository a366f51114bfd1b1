import { getIssueStats, getProjectStats, listReceipts, queryEvents, queryEventStats } from '@firsthand/contract'
import { badRequest, bind, notFound, readPage, toPage, type Route } from '../../http/index.ts'
import { LIMITS } from '../../limits.ts'
import { parseDuration, readEventColumn, type EventColumn } from '../../search/index.ts'
import type { OutcomeKind } from '../../ingest/road.ts'
import { toDate } from '../issue-json.ts'
import {
  findIssue,
  orBadRequest,
  userIdOf,
  type OrganizationRequest as Request,
} from '../organization-request.routes.ts'
import { readEventScope, readScope, type ScopeRequest } from '../search-scope.ts'
import type { IssueServices } from '../services.ts'
import { chooseInterval, createBuckets, fillBuckets, readPeriod, type Buckets, type Period } from './time-range.ts'

const DAY_MS = 86_400_000

/** Tables and series of events, and the receipts. */
export const createStatsRoutes = (services: IssueServices): Route[] => {
  const { issues, events, receipts, clock } = services

  const scopeRequest = (
    request: Request,
    query: Omit<ScopeRequest, 'organizationId' | 'userId' | 'now'>,
  ): ScopeRequest => ({
    ...query,
    organizationId: request.organization.id,
    userId: userIdOf(request),
    now: clock.now(),
  })

  const lastDays = (days: number): Period => ({ from: clock.now() - days * DAY_MS, to: clock.now() + 60_000 })

  /** Puts short ids and slugs in place of numbers. */
  const nameIds = async (
    request: Request,
    rows: readonly Readonly<Record<string, unknown>>[],
    columns: readonly EventColumn[],
    slugs: ReadonlyMap<number, string>,
  ) => {
    const issueColumns = columns.filter((column) => column.lookup === 'issue')
    const stored = rows.flatMap((row) => issueColumns.map((column) => Number(row[column.name])))
    const merges = stored.length === 0 ? new Map<number, number>() : await issues.merges(request.organization.id)
    const standing = (id: number): number => merges.get(id) ?? id
    const records =
      stored.length === 0 ? [] : await issues.records(request.organization.id, [...new Set(stored.map(standing))])
    const shortIds = new Map(records.map((record) => [record.id, record.shortId]))
    const valueOf = (column: EventColumn, value: unknown): unknown => {
      if (column.lookup === 'issue') return shortIds.get(standing(Number(value))) ?? 'unknown'
      if (column.lookup === 'project') return slugs.get(Number(value)) ?? 'unknown'
      return column.type === 'date' ? toDate(Number(value)) : value
    }
    return rows.map((row) =>
      Object.fromEntries(columns.map((column) => [column.name, valueOf(column, row[column.name])])),
    )
  }

  return [
    bind(queryEvents, async ({ query, request }) => {
      const found = orBadRequest(await readEventScope(issues, scopeRequest(request, query)))
      const columns = query.field.map((name, index) => orBadRequest(readEventColumn(name, `column${index}`)))
      const asked = readPage({ cursor: query.cursor, limit: query.per_page ?? query.limit })
      const sort = (query.sort ?? []).map((text) => readSort(text, columns))
      const table = await events.table(found.events, { columns, sort, ...asked })
      const { rows, page } = toPage(table, asked)
      const slugs = new Map(found.scope.projects.map(({ id, slug }) => [id, slug]))
      return {
        body: {
          data: await nameIds(request, rows, columns, slugs),
          meta: {
            fields: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
            units: Object.fromEntries(columns.map(({ name }) => [name, null])),
          },
        },
        page,
      }
    }),

    bind(queryEventStats, async ({ query, request }) => {
      const { events: scope } = orBadRequest(await readEventScope(issues, scopeRequest(request, query)))
      const period = scope.period ?? lastDays(1)
      const buckets = readInterval(query.interval, period, LIMITS.CHART_BUCKETS)
      const series = await events.series({ ...scope, period }, buckets)
      const counts = new Map(
        [...series].map(([number, one]) => [number, query.yAxis === 'count()' ? one.events : one.users]),
      )
      return {
        body: {
          data: fillBuckets(buckets, counts).map(([at, count]): [number, { count: number }[]] => [at, [{ count }]]),
          start: buckets.start,
          end: buckets.start + buckets.count * buckets.interval,
          isMetricsData: false,
        },
      }
    }),

    bind(getIssueStats, async ({ params, query, request }) => {
      const record = await findIssue(services, request, params.issue)
      const period = orBadRequest(readPeriod(query, clock.now())) ?? lastDays(14)
      const buckets = readInterval(query.interval, period, LIMITS.CHART_BUCKETS)
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
    }),

    bind(getProjectStats, async ({ params, query, request }) => {
      const projects = await issues.projects(request.organization.id)
      const project = projects.find(({ id, slug }) => slug === params.project || String(id) === params.project)
      if (project === undefined) throw notFound()
      const interval = { '10s': 60, '1h': 3600, '1d': 86_400 }[query.resolution]
      const to = (query.until ?? clock.now() / 1000) * 1000
      const from = (query.since ?? to / 1000 - 24 * interval) * 1000
      if (!(from < to)) throw badRequest('"since" must be before "until".')
      const earliest = Math.max(from, to - LIMITS.CHART_BUCKETS * interval * 1000)
      const buckets = createBuckets({ from: earliest, to }, interval)
      const series = await receipts.errorSeries(
        {
          organizationId: request.organization.id,
          projectIds: [project.id],
          period: { from: buckets.start * 1000, to },
          outcomes: OUTCOMES_OF_STAT[query.stat],
          itemTypes: [],
          sdks: [],
        },
        interval,
      )
      const counts = new Map([...series].map(([at, count]) => [(at - buckets.start) / interval, count]))
      return { body: fillBuckets(buckets, counts) }
    }),

    bind(listReceipts, async ({ query, request }) => {
      const scope = orBadRequest(await readScope(issues, scopeRequest(request, query)))
      const period = scope.period ?? lastDays(1)
      const { start, interval, count } = readInterval(query.interval, period, LIMITS.SPARKLINE_BUCKETS, 60)
      const asked = {
        organizationId: request.organization.id,
        projectIds: scope.projects.map(({ id }) => id),
        period,
        outcomes: query.outcome ?? [],
        itemTypes: query.itemType ?? [],
        sdks: query.sdk ?? [],
      }
      const [rows, totals] = await Promise.all([
        receipts.rows(asked, interval, LIMITS.RECEIPT_ROWS),
        receipts.totals(asked, LIMITS.RECEIPT_TOTALS),
      ])
      return {
        body: {
          start: toDate(start * 1000),
          end: toDate((start + count * interval) * 1000),
          intervalSeconds: interval,
          rows: rows.slice(0, LIMITS.RECEIPT_ROWS).map(({ timestamp, projectId, ...row }) => ({
            ...row,
            timestamp: toDate(timestamp),
            projectId: String(projectId),
          })),
          totals: totals.map(({ projectId, firstSeen, lastSeen, ...row }) => ({
            ...row,
            projectId: String(projectId),
            firstSeen: toDate(firstSeen),
            lastSeen: toDate(lastSeen),
          })),
          truncated: rows.length > LIMITS.RECEIPT_ROWS,
        },
      }
    }),
  ]
}

const OUTCOMES_OF_STAT: Readonly<
  Record<'received' | 'rejected' | 'blacklisted' | 'generated', readonly OutcomeKind[]>
> = {
  received: ['accepted', 'filtered', 'rate_limited', 'invalid', 'duplicate', 'abuse'],
  rejected: ['rate_limited', 'invalid', 'abuse'],
  blacklisted: ['filtered'],
  generated: ['accepted'],
}

/** The asked interval, unless it makes more than `CHART_BUCKETS` steps. @param minimum seconds */
const readInterval = (text: string | undefined, period: Period, usual: number, minimum = 1): Buckets => {
  const finest = chooseInterval(period, LIMITS.CHART_BUCKETS)
  const asked = text === undefined ? chooseInterval(period, usual) : (parseDuration(text) ?? 0) / 1000
  return createBuckets(period, Math.max(asked, finest, minimum))
}

/** `-count()`, `-count`, `count_unique_user`: names of columns as Sentry's clients write them. */
const readSort = (text: string, columns: readonly EventColumn[]): { column: number; descending: boolean } => {
  const descending = text.startsWith('-')
  const plain = (name: string): string => name.replaceAll(/[^a-z0-9]+/gi, '_').replace(/_+$/, '')
  const wanted = descending ? text.slice(1) : text
  const column = columns.findIndex(({ name }) => name === wanted || plain(name) === plain(wanted))
  if (column === -1) throw badRequest(`"${wanted}" can only be sorted by when it is one of the fields.`)
  return { column, descending }
}
