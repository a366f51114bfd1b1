import { getOrganizationStats, getProjectStats, listReceipts } from '@firsthand/contract'
import { readScope, type ProjectReference } from '../accounts/index.ts'
import { badRequest, bind, notFound, orBadRequest, type Route } from '../http/index.ts'
import type { OutcomeKind } from '../ingest/road.ts'
import type { Clock } from '../lib/clock.ts'
import { DAY_MS } from '../lib/durations.ts'
import { toDate } from '../lib/instant-text.ts'
import {
  chooseInterval,
  createBuckets,
  fillBuckets,
  lastDays,
  parseDuration,
  readInterval,
  SEARCH_LIMITS,
} from '../search/index.ts'
import { LIMITS } from './limits.ts'
import type { ReceiptColumn } from './receipts.view.ts'
import type { ReceiptView } from './telemetry-receipts.view.ts'

const QUANTITY = 'sum(quantity)'
/** Sentry tells items from their quantity, where attachments count in bytes. Here the quantity is of items: both are one. */
const SUMS: readonly string[] = [QUANTITY, 'sum(times_seen)']

export interface ReceiptParts {
  readonly receipts: ReceiptView
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
  readonly clock: Clock
}

/** The receipts, and the sums of them that Sentry's clients ask for. */
export const createReceiptRoutes = (parts: ReceiptParts): Route[] => [
  listReceiptsRoute(parts),
  getProjectStatsRoute(parts),
  getOrganizationStatsRoute(parts),
]

const listReceiptsRoute = (parts: ReceiptParts): Route =>
  bind(listReceipts, async ({ query, request }) => {
    const { clock, receipts } = parts
    const scope = orBadRequest(await readScope(parts, request.organization.id, query, clock.now()))
    const period = scope.period ?? lastDays(clock.now(), 1)
    const { start, interval, count } = readInterval(query.interval, period, SEARCH_LIMITS.SPARKLINE_BUCKETS, 60)
    const asked = {
      organizationId: request.organization.id,
      projectIds: scope.projectIds,
      period,
      outcomes: query.outcome ?? [],
      itemTypes: query.itemType ?? [],
      sdks: query.sdk ?? [],
    }
    const [rows, totals] = await Promise.all([
      receipts.rows(asked, interval, {
        named: LIMITS.RECEIPT_ROWS_NAMED,
        limit: LIMITS.RECEIPT_ROWS,
      }),
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
  })

const OUTCOMES_OF_STAT: Readonly<
  Record<'received' | 'rejected' | 'blacklisted' | 'generated', readonly OutcomeKind[]>
> = {
  received: ['accepted', 'filtered', 'rate_limited', 'invalid', 'duplicate', 'abuse'],
  rejected: ['rate_limited', 'invalid', 'abuse'],
  blacklisted: ['filtered'],
  generated: ['accepted'],
}

const getProjectStatsRoute = ({ projects, clock, receipts }: ReceiptParts): Route =>
  bind(getProjectStats, async ({ params, query, request }) => {
    const living = await projects(request.organization.id)
    const project = living.find(({ id, slug }) => slug === params.project || String(id) === params.project)
    if (project === undefined) throw notFound()
    const interval = { '10s': 60, '1h': 3600, '1d': 86_400 }[query.resolution]
    const to = (query.until ?? clock.now() / 1000) * 1000
    const from = (query.since ?? to / 1000 - 24 * interval) * 1000
    if (!(from < to)) throw badRequest('"since" must be before "until".')
    const earliest = Math.max(from, to - SEARCH_LIMITS.CHART_BUCKETS * interval * 1000)
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
  })

const getOrganizationStatsRoute = (parts: ReceiptParts): Route =>
  bind(getOrganizationStats, async ({ query, request }) => {
    const { clock, receipts } = parts
    const now = clock.now()
    const fields = [...new Set(query.field ?? [QUANTITY])]
    const strange = fields.find((field) => !SUMS.includes(field))
    if (strange !== undefined) throw badRequest(`"${strange}" is not known. Use ${SUMS.join(' or ')}.`)
    const organizationId = request.organization.id
    const scope = orBadRequest(await readScope(parts, organizationId, query, now))
    const period = scope.period ?? { from: now - DAY_MS, to: now }
    const asked = (parseDuration(query.interval ?? '1h') ?? 0) / 1000
    const buckets = createBuckets(period, Math.max(60, asked, chooseInterval(period, SEARCH_LIMITS.CHART_BUCKETS)))
    const columns: readonly ReceiptColumn[] = query.groupBy ?? []
    const rows = await receipts.grouped(
      {
        organizationId,
        projectIds: scope.projectIds,
        period,
        outcomes: query.outcome ?? [],
        itemTypes: [],
        sdks: [],
        categories: query.category ?? [],
        reasons: query.reason ?? [],
      },
      columns,
      buckets.interval,
    )
    const groups = Map.groupBy(rows, (row) => JSON.stringify(row.values))
    return {
      body: {
        start: toDate(buckets.start * 1000),
        end: toDate((buckets.start + buckets.count * buckets.interval) * 1000),
        intervals: fillBuckets(buckets, new Map()).map(([at]) => toDate(at * 1000)),
        groups: [...groups.values()].map((own) => {
          const counts = new Map(own.map((row) => [(row.at - buckets.start) / buckets.interval, row.quantity]))
          const values = own[0]?.values ?? []
          const total = own.reduce((sum, row) => sum + row.quantity, 0)
          const series = fillBuckets(buckets, counts).map(([, count]) => count)
          return {
            by: Object.fromEntries(
              columns.map((column, index) => {
                const value = values[index] ?? ''
                return [column, column === 'project' ? Number(value) : value]
              }),
            ),
            totals: Object.fromEntries(fields.map((field) => [field, total])),
            series: Object.fromEntries(fields.map((field) => [field, series])),
          }
        }),
      },
    }
  })
