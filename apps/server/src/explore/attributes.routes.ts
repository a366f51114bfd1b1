import {
  getTraceItem,
  listAttributes,
  listAttributeValues,
  listSpanFields,
  listSpanFieldValues,
} from '@firsthand/contract'
import { bind, notFound, orBadRequest, type Route } from '../http/index.ts'
import { listAttributesOf, listValuesOf, readItem } from './attributes.ts'
import { findItems } from './datasets.ts'
import { toDate } from '../lib/instant-text.ts'
import type { PeriodQuery } from '../search/index.ts'
import { readQuestionScope, type ExploreServices, type QuestionQuery } from './scope.ts'

/** What attributes there are, which values they have, and all of one row. */
export const createAttributeRoutes = (services: ExploreServices): Route[] => [
  bind(listAttributes, async ({ query, request }) => {
    const scope = await scopeOf(services, request.organization.id, query.itemType ?? query.dataset, query)
    const found = await listAttributesOf(services.view, scope, {
      query: query.query ?? '',
      part: query.substringMatch ?? '',
      types: query.attributeType ?? [],
    })
    return { body: found.slice(0, query.per_page) }
  }),

  bind(listAttributeValues, async ({ params, query, request }) => {
    const scope = await scopeOf(services, request.organization.id, query.itemType ?? query.dataset, query)
    const asked = { query: query.query ?? '', part: query.substringMatch ?? '' }
    return { body: await listValuesOf(services, scope, params.key, asked) }
  }),

  bind(listSpanFields, async ({ query, request }) => {
    const scope = await scopeOf(services, request.organization.id, query.dataset, query)
    const types = query.type === undefined ? [] : [query.type]
    const found = await listAttributesOf(services.view, scope, { query: '', part: query.query ?? '', types })
    return { body: found.map(({ key, name }) => ({ key, name })) }
  }),

  bind(listSpanFieldValues, async ({ params, query, request }) => {
    const scope = await scopeOf(services, request.organization.id, query.dataset, query)
    return { body: await listValuesOf(services, scope, params.key, { query: '', part: query.query ?? '' }) }
  }),

  getTraceItemRoute(services),
]

const scopeOf = (services: ExploreServices, organizationId: number, items = 'spans', query: QuestionQuery) => {
  const dataset = orBadRequest(findItems(services.datasets, items))
  return readQuestionScope(services, { organizationId, dataset, name: items, now: services.clock.now() }, query)
}

/** Ids of rows, and of traces: letters and digits. */
const ID = /^[0-9A-Za-z-]{1,64}$/
const NO_TRACE = /^[0-]*$/

/** The ids of what need not be of a trace begin with their time, in milliseconds. */
const DATED_ID = /^([0-9a-f]{16})[0-9a-f]{16}$/

/**
 * However long ago: the trace says where to look, and where there is none, the id; null when neither does.
 */
const periodOf = (item: string, trace: string): PeriodQuery | null => {
  if (trace !== '') return { statsPeriod: '3650d' }
  const at = Number.parseInt(DATED_ID.exec(item)?.[1] ?? '', 16)
  return at <= LATEST ? { start: toDate(at), end: toDate(at + 1000) } : null
}

/** What a date can be. */
const LATEST = Date.parse('9999-01-01')

const getTraceItemRoute = (services: ExploreServices): Route =>
  bind(getTraceItem, async ({ params, query, request }) => {
    const organizationId = request.organization.id
    const living = await services.projects(organizationId)
    const project = living.find(({ id, slug }) => slug === params.project || String(id) === params.project)
    const trace = NO_TRACE.test(query.trace_id) ? '' : query.trace_id
    const period = periodOf(params.item, trace)
    const isWritten = ID.test(params.item) && (trace === '' || ID.test(trace))
    if (project === undefined || period === null || !isWritten) throw notFound()
    const scope = await scopeOf(services, organizationId, query.item_type, { project: [String(project.id)], ...period })
    const found = await readItem(services.view, scope, { item: params.item, trace })
    if (found === null) throw notFound()
    return { body: { itemId: params.item, ...found, meta: {} } }
  })
