import {
  createIssueComment,
  createIssueNote,
  deleteIssues,
  deleteProjectIssues,
  getEventsFacets,
  getEventsMeta,
  getEventsTimeseries,
  getOrganizationEvent,
  getProjectEvent,
  getReplayEventsMeta,
  listIssueComments,
  listIssueNotes,
  listIssues,
  listProjectIssues,
  listProjectTagValues,
  listTagValuesOfOrganization,
  queryEvents,
  updateIssues,
  updateProjectIssues,
} from '@firsthand/contract'
import { DAY_MS } from '../lib/durations.ts'
import { bind, notFound, orBadRequest, type Route } from '../http/index.ts'
import { parseDuration } from '../search/index.ts'
import { userIdOf } from './organization-request.routes.ts'
import { readEventScope } from './search-scope.ts'
import type { IssueServices } from './services.ts'
import { drawAxis, readAxes } from './stats/event-series.ts'
import { chooseInterval, createBuckets, SEARCH_LIMITS } from '../search/index.ts'

/**
 * Older and parallel addresses of Sentry's API that scripts and dashboards know. They answer what other routes of this
 * slice answer.
 */

/** Ids begin with 1. */
const NO_ISSUE = '0'

const COUNT = 'count()'
const VALUES_PER_FACET = 10

const REPLAY_EVENT_FIELDS = [
  'id',
  'title',
  'level',
  'issue',
  'issue.id',
  'project.name',
  'error.type',
  'timestamp',
] as const

/** Sentry names all exceptions of an event, and an event that is no error has none. */
const withTypes = (row: Readonly<Record<string, unknown>>) => {
  const given = row['error.type']
  const types: readonly unknown[] = Array.isArray(given) ? given : [given]
  const isNamed = (type: unknown): boolean => typeof type === 'string' && type !== ''
  return { ...row, 'issue.id': Number(row['issue.id']), 'error.type': types.filter(isNamed) }
}

interface BulkOfProject {
  readonly id?: readonly string[]
  readonly status?: string
  readonly query?: string
}

/** @param routes of the slice, some of which answer here under a second address */
export const createCompatibleRoutes = (services: IssueServices, routes: readonly Route[]): Route[] => {
  const listAll = handleOf(routes, listIssues)
  const getOne = handleOf(routes, getProjectEvent)
  const listValues = handleOf(routes, listTagValuesOfOrganization)
  const tabulate = handleOf(routes, queryEvents)

  return [
    {
      endpoint: listProjectIssues,
      handle: ({ params, query, ...rest }) =>
        listAll({ ...rest, params, query: { ...(query as object), project: [params['project'] ?? ''] } }),
    },
    { endpoint: updateProjectIssues, handle: ofProject(services.issues, handleOf(routes, updateIssues)) },
    { endpoint: deleteProjectIssues, handle: ofProject(services.issues, handleOf(routes, deleteIssues)) },

    {
      endpoint: listProjectTagValues,
      handle: ({ params, query, ...rest }) =>
        listValues({ ...rest, params, query: { ...(query as object), project: [params['project'] ?? ''] } }),
    },

    {
      endpoint: getOrganizationEvent,
      handle: ({ params, ...rest }) => {
        const [project = '', event, more] = (params['event'] ?? '').split(':')
        if (event === undefined || more !== undefined) throw notFound()
        return getOne({ ...rest, params: { ...params, project, event } })
      },
    },

    { endpoint: listIssueComments, handle: handleOf(routes, listIssueNotes) },
    { endpoint: createIssueComment, handle: handleOf(routes, createIssueNote) },

    {
      endpoint: getEventsMeta,
      handle: async ({ query, ...rest }) => {
        const reply = await tabulate({ ...rest, query: { ...(query as object), field: [COUNT], per_page: 1 } })
        const { data } = queryEvents.ok.parse('body' in reply ? reply.body : null)
        return { body: { count: Number(data[0]?.[COUNT] ?? 0) } }
      },
    },
    {
      endpoint: getReplayEventsMeta,
      handle: async ({ query, ...rest }) => {
        const asked = query as { readonly dataset?: string }
        // Players ask for errors, and once more for what is an issue without being one: here every one is told the first time.
        if (asked.dataset === 'issuePlatform') return { body: { data: [], meta: {} } }
        const reply = await tabulate({ ...rest, query: { ...asked, field: [...REPLAY_EVENT_FIELDS] } })
        if (!('body' in reply)) return reply
        const { data, meta } = queryEvents.ok.parse(reply.body)
        return { ...reply, body: { data: data.map(withTypes), meta } }
      },
    },
    getEventsFacetsRoute(services),
    getEventsTimeseriesRoute(services),
  ]
}

/** What one of the routes does. */
const handleOf = (routes: readonly Route[], name: Route['endpoint']): Route['handle'] => {
  const route = routes.find((one) => one.endpoint === name)
  if (route === undefined) throw new Error(`${name.path} is not bound, so nothing can stand for it`)
  return route.handle
}

/** A bulk change of an organisation's issues, kept to those of the project: ids of others are passed over. */
const ofProject =
  (issues: IssueServices['issues'], changeAll: Route['handle']): Route['handle'] =>
  async ({ params, query, body, request }) => {
    const organizationId = request.organization?.id ?? 0
    const reference = params['project'] ?? ''
    const projects = await issues.projects(organizationId)
    const project = projects.find(({ id, slug }) => slug === reference || String(id) === reference)
    if (project === undefined) throw notFound()
    const { id: ids = [], status, query: search, ...selection } = query as BulkOfProject
    const change = (meant: { readonly id: readonly string[] } | { readonly query: string | undefined }) =>
      changeAll({ params, request, body, query: { ...selection, ...meant, project: [String(project.id)] } })
    if (ids.length > 0) {
      const records = await issues.records(organizationId, ids.map(Number))
      const own = records.filter((record) => record.project.id === project.id).map((record) => String(record.id))
      return change({ id: own.length === 0 ? [NO_ISSUE] : own })
    }
    if (status !== undefined) return change({ query: `${search ?? ''} is:${status}` })
    const changesStatus = typeof body === 'object' && body !== null && 'status' in body
    return change({ query: search ?? (changesStatus ? '' : undefined) })
  }

const getEventsFacetsRoute = ({ issues, events, clock }: IssueServices): Route =>
  bind(getEventsFacets, async ({ query, request }) => {
    const asked = { ...query, organizationId: request.organization.id, userId: userIdOf(request), now: clock.now() }
    const { events: scope } = orBadRequest(await readEventScope(issues, asked))
    const tags = await events.tags(scope, { keys: [], values: VALUES_PER_FACET })
    return {
      body: tags.map(({ key, values }) => ({
        key,
        topValues: values.map(({ value, count }) => ({ name: value, value, count })),
      })),
    }
  })

const getEventsTimeseriesRoute = ({ issues, events, clock }: IssueServices): Route =>
  bind(getEventsTimeseries, async ({ query, request }) => {
    const now = clock.now()
    const { organization } = request
    const { events: scope } = orBadRequest(
      await readEventScope(issues, { ...query, organizationId: organization.id, userId: userIdOf(request), now }),
    )
    const period = scope.period ?? { from: now - DAY_MS, to: now }
    const finest = chooseInterval(period, SEARCH_LIMITS.CHART_BUCKETS)
    const buckets = createBuckets(period, Math.max(finest, (parseDuration(query.interval ?? '') ?? 0) / 1000))
    const axes = orBadRequest(readAxes(query.yAxis))
    const [chart] = await events.charts({ ...scope, period }, buckets, {
      axes,
      by: [],
      order: { axis: 0, descending: true },
      limit: 0,
      others: false,
    })
    return {
      body: {
        timeSeries: axes.map(({ name, type }, index) => ({
          yAxis: name,
          values: drawAxis(chart, axes, index, buckets).map(([at, value]) => ({
            timestamp: at * 1000,
            value,
            incomplete: (at + buckets.interval) * 1000 > now,
          })),
          meta: { valueType: type, valueUnit: null, interval: buckets.interval * 1000 },
        })),
        meta: {
          dataset: 'errors',
          start: buckets.start * 1000,
          end: (buckets.start + buckets.count * buckets.interval) * 1000,
        },
      },
    }
  })
