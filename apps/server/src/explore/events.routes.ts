import { getEventsMeta, queryEvents, validateEvents } from '@firsthand/contract'
import { chooseProjects } from '../accounts/index.ts'
import { bindFor, orBadRequest, type Route } from '../http/index.ts'
import { readPeriod } from '../search/index.ts'
import { findSort, type Column } from './columns.ts'
import { findDataset } from './datasets.ts'
import { LIMITS } from './limits.ts'
import { isOfIssues, isTableOfIssues } from './of-issues.ts'
import { readQuestion } from './question.ts'
import { readQuestionScope, secondsOf, type ExploreServices } from './scope.ts'
import { metaJson, readTable } from './table.ts'
import { tipsOf } from './tips.ts'

/** Tables of single rows and groups, and what would be refused of a question for one. */
export const createTableRoutes = (services: ExploreServices): Route[] => [
  queryEventsRoute(services),
  getEventsMetaRoute(services),
  validateEventsRoute(services),
]

const queryEventsRoute = (services: ExploreServices): Route =>
  bindFor(
    queryEvents,
    (query) => !isTableOfIssues(query),
    async ({ query, request }) => {
      const limit = Math.min(query.per_page ?? query.limit ?? 100, LIMITS.EXPLORE_ROWS)
      const table = await readTable(services, request.organization.id, { ...query, limit })
      const isFirst = query.cursor === undefined
      const tips = isFirst ? await tipsOf(services.view, table, query.query ?? '') : undefined
      const meta = metaJson(table, query.dataset, tips)
      return {
        body: { data: [...table.rows], meta, confidence: meta.accuracy.confidence },
        page: { next: table.next, previous: null },
      }
    },
  )

const COUNT = 'count()'

const getEventsMetaRoute = (services: ExploreServices): Route =>
  bindFor(
    getEventsMeta,
    (query) => !isOfIssues(query),
    async ({ query, request }) => {
      const { rows } = await readTable(services, request.organization.id, { ...query, field: [COUNT], limit: 1 })
      return { body: { count: Number(rows[0]?.[COUNT] ?? 0) } }
    },
  )

/** Reads a question part by part, so that all that is wrong with it can be said at once. */
const validateEventsRoute = (services: ExploreServices): Route =>
  bindFor(
    validateEvents,
    (query) => !isTableOfIssues(query),
    async ({ query, request }) => {
      const now = services.clock.now()
      orBadRequest(readPeriod(query, now))
      const dataset = findDataset(services.datasets, query.dataset)
      if (!dataset.ok) return { body: ofUnknownDataset(query.dataset, dataset.error) }
      const organizationId = request.organization.id
      const asked = { organizationId, dataset: dataset.value, name: query.dataset, now }
      const chosen = chooseProjects(await services.projects(organizationId), query.project)
      const scope = await readQuestionScope(services, asked, { ...query, project: chosen.ok ? query.project : [] })
      const seconds = secondsOf(scope)
      const read = (fields: readonly string[], search: string) =>
        readQuestion(scope, { fields, query: search, seconds })

      const columns: Column[] = []
      const field = query.field.map((name) => {
        const question = read([name], '')
        if (!question.ok) return { name, valid: false, attrType: null, error: question.error }
        columns.push(...question.value.columns)
        const [column] = question.value.columns
        return { name, valid: true, attrType: kindOf(column?.type ?? 'string'), error: null }
      })
      const orderby = [...query.orderby, ...query.sort].map((name) => {
        const sort = findSort(name, columns)
        return { name, valid: sort.ok, attrType: null, error: sort.ok ? null : sort.error }
      })
      const search = read([], query.query ?? '')
      const queryError = search.ok ? null : search.error
      const projects = chosen.ok ? [] : [{ valid: false, error: chosen.error }]
      return {
        body: {
          valid: projects.length === 0 && search.ok && [...field, ...orderby].every(({ valid }) => valid),
          projects,
          dataset: [{ name: query.dataset, valid: true, error: null }],
          environment: [],
          field,
          query: { valid: search.ok, error: queryError, fields: [] },
          orderby,
        },
      }
    },
  )

const ofUnknownDataset = (name: string, error: string) => ({
  valid: false,
  projects: [],
  dataset: [{ name, valid: false, error }],
  environment: [],
  field: [],
  query: { valid: true, error: null, fields: [] },
  orderby: [],
})

const kindOf = (type: Column['type']): 'string' | 'number' | 'boolean' => {
  if (type === 'string' || type === 'boolean') return type
  return type === 'date' ? 'string' : 'number'
}
