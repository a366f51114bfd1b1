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
import { readScope, type ExploreServices, type ScopeQuery } from './scope.ts'

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
    return { body: await listValuesOf(services.view, scope, params.key, asked) }
  }),

  bind(listSpanFields, async ({ query, request }) => {
    const scope = await scopeOf(services, request.organization.id, query.dataset, query)
    const types = query.type === undefined ? [] : [query.type]
    const found = await listAttributesOf(services.view, scope, { query: '', part: query.query ?? '', types })
    return { body: found.map(({ key, name }) => ({ key, name })) }
  }),

  bind(listSpanFieldValues, async ({ params, query, request }) => {
    const scope = await scopeOf(services, request.organization.id, query.dataset, query)
    return { body: await listValuesOf(services.view, scope, params.key, { query: '', part: query.query ?? '' }) }
  }),

  getTraceItemRoute(services),
]

const scopeOf = (services: ExploreServices, organizationId: number, items = 'spans', query: ScopeQuery) => {
  const dataset = orBadRequest(findItems(services.datasets, items))
  return readScope(services, { organizationId, dataset, name: items, now: services.clock.now() }, query)
}

/** Ids of rows, and of traces: letters and digits. */
const ID = /^[0-9A-Za-z-]{1,64}$/

const getTraceItemRoute = (services: ExploreServices): Route =>
  bind(getTraceItem, async ({ params, query, request }) => {
    const organizationId = request.organization.id
    const living = await services.projects(organizationId)
    const project = living.find(({ id, slug }) => slug === params.project || String(id) === params.project)
    if (project === undefined || !ID.test(params.item) || !ID.test(query.trace_id)) throw notFound()
    // However long ago: the trace says where to look.
    const scope = await scopeOf(services, organizationId, query.item_type, {
      project: [String(project.id)],
      statsPeriod: '3650d',
    })
    const found = await readItem(services.view, scope, { item: params.item, trace: query.trace_id })
    if (found === null) throw notFound()
    return { body: { itemId: params.item, ...found, meta: {} } }
  })
