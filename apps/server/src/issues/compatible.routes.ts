import {
  getEventsTimeseries,
  getOrganizationEvent,
  getOrganizationStats,
  getProjectEvent,
  listIssues,
  listProjectIssues,
} from '@firsthand/contract'
import { badRequest, bind, notFound, type Route } from '../http/index.ts'
import { LIMITS } from '../limits.ts'
import { parseDuration } from '../search/index.ts'
import type { ReceiptColumn } from './stats/receipts.view.ts'
import { toDate } from './issue-json.ts'
import { orBadRequest, userIdOf } from './organization-request.routes.ts'
import { readEventScope, readScope } from './search-scope.ts'
import type { IssueServices } from './services.ts'
import { chooseInterval, createBuckets, fillBuckets } from './stats/time-range.ts'

/**
 * Older and parallel addresses of Sentry's API that scripts and dashboards know. They answer what other routes of this
 * slice answer.
 */

const QUANTITY = 'sum(quantity)'
const DAY_MS = 86_400_000

/** @param routes of the slice, some of which answer here under a second address */
export const createCompatibleRoutes = (services: IssueServices, routes: readonly Route[]): Route[] => {
  const { issues, events, receipts, clock } = services

  const sibling = (name: Route['endpoint']): Route['handle'] => {
    const route = routes.find((one) => one.endpoint === name)
    if (route === undefined) throw new Error(`${name.path} is not bound, so nothing can stand for it`)
    return route.handle
  }
  const listAll = sibling(listIssues)
  const getOne = sibling(getProjectEvent)

  return [
    {
      endpoint: listProjectIssues,
      handle: ({ params, query, ...rest }) =>
        listAll({ ...rest, params, query: { ...(query as object), project: [params['project'] ?? ''] } }),
    },

    {
      endpoint: getOrganizationEvent,
      handle: ({ params, ...rest }) => {
        const [project = '', event, more] = (params['event'] ?? '').split(':')
        if (event === undefined || more !== undefined) throw notFound()
        return getOne({ ...rest, params: { ...params, project, event } })
      },
    },

    bind(getEventsTimeseries, async ({ query, request }) => {
      const now = clock.now()
      const { organization } = request
      const { events: scope } = orBadRequest(
        await readEventScope(issues, { ...query, organizationId: organization.id, userId: userIdOf(request), now }),
      )
      const period = scope.period ?? { from: now - DAY_MS, to: now }
      const finest = chooseInterval(period, LIMITS.CHART_BUCKETS)
      const buckets = createBuckets(period, Math.max(finest, (parseDuration(query.interval ?? '') ?? 0) / 1000))
      const series = await events.series({ ...scope, period }, buckets)
      const axes = query.yAxis ?? ['count()']
      return {
        body: {
          timeSeries: axes.map((yAxis) => ({
            yAxis,
            values: fillBuckets(
              buckets,
              new Map([...series].map(([number, one]) => [number, yAxis === 'count()' ? one.events : one.users])),
            ).map(([at, value]) => ({
              timestamp: at * 1000,
              value,
              incomplete: (at + buckets.interval) * 1000 > now,
            })),
            meta: { valueType: 'integer', valueUnit: null, interval: buckets.interval * 1000 },
          })),
          meta: {
            dataset: 'errors',
            start: buckets.start * 1000,
            end: (buckets.start + buckets.count * buckets.interval) * 1000,
          },
        },
      }
    }),

    bind(getOrganizationStats, async ({ query, request }) => {
      const now = clock.now()
      const fields = query.field ?? [QUANTITY]
      if (fields.some((field) => field !== QUANTITY)) throw badRequest(`Only ${QUANTITY} is known.`)
      const organizationId = request.organization.id
      const scope = orBadRequest(await readScope(issues, { ...query, organizationId, userId: userIdOf(request), now }))
      const period = scope.period ?? { from: now - DAY_MS, to: now }
      const asked = (parseDuration(query.interval ?? '1h') ?? 0) / 1000
      const buckets = createBuckets(period, Math.max(60, asked, chooseInterval(period, LIMITS.CHART_BUCKETS)))
      const columns: readonly ReceiptColumn[] = query.groupBy ?? []
      const rows = await receipts.grouped(
        {
          organizationId,
          projectIds: scope.projects.map(({ id }) => id),
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
            return {
              by: Object.fromEntries(
                columns.map((column, index) => {
                  const value = values[index] ?? ''
                  return [column, column === 'project' ? Number(value) : value]
                }),
              ),
              totals: { [QUANTITY]: own.reduce((sum, row) => sum + row.quantity, 0) },
              series: { [QUANTITY]: fillBuckets(buckets, counts).map(([, count]) => count) },
            }
          }),
        },
      }
    }),
  ]
}
