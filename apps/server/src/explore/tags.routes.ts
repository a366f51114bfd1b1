import { getAttributeStats, getEventsFacets, listTags, listTagValuesOfOrganization } from '@firsthand/contract'
import { bind, bindFor, orBadRequest, readPage, toPage, type Route } from '../http/index.ts'
import { listValuesOf } from './attributes.ts'
import { findDataset, findItems } from './datasets.ts'
import { isOfIssues } from './of-issues.ts'
import { readQuestionScope, type ExploreServices, type QuestionQuery } from './scope.ts'
import { listFacetsOf, listTagsOf } from './tags.ts'

/** Tags of spans, transactions, log lines, …: those of errors are of the issues. */
export const createTagRoutes = (services: ExploreServices): Route[] => [
  bindFor(listTags, takes, async ({ query, request }) => {
    const tags = await listTagsOf(services.view, await scopeOf(services, request.organization.id, query))
    return { body: tags.map(({ key, rows }) => ({ key, name: key, totalValues: rows })) }
  }),

  bindFor(listTagValuesOfOrganization, takes, async ({ params, query, request }) => {
    const asked = readPage(query)
    const scope = await scopeOf(services, request.organization.id, query)
    const found = await listValuesOf(services, scope, params.key, { query: '', part: query.query ?? '' })
    const { rows, page } = toPage(found.slice(asked.offset), asked)
    return { body: rows, page }
  }),

  bindFor(getEventsFacets, takes, async ({ query, request }) => {
    const scope = await scopeOf(services, request.organization.id, query)
    const facets = await listFacetsOf(services.view, scope, { query: query.query ?? '', values: VALUES_PER_FACET })
    return {
      body: [...facets].map(([key, values]) => ({
        key,
        topValues: values.map(({ rows: count, value }) => ({ name: value, value, count })),
      })),
    }
  }),

  bind(getAttributeStats, async ({ query, request }) => {
    const dataset = orBadRequest(findItems(services.datasets, query.itemType))
    const asked = { organizationId: request.organization.id, dataset, name: query.itemType, now: services.clock.now() }
    const scope = await readQuestionScope(services, asked, query)
    const facets = await listFacetsOf(services.view, scope, { query: query.query ?? '', values: VALUES_PER_FACET })
    const data = [...facets].map(([key, values]): [string, { label: string; value: number }[]] => [
      key,
      values.map(({ rows, value }) => ({ label: value, value: rows })),
    ])
    return { body: { data: [{ attribute_distributions: { data: Object.fromEntries(data) } }] } }
  }),
]

const VALUES_PER_FACET = 10

interface OfDataset {
  readonly dataset: string
}

/** As these calls name what `issues` answers. */
const NAMES_OF_ERRORS = new Set(['events', 'search_issues'])

const takes = ({ dataset }: OfDataset): boolean => !isOfIssues({ dataset }) && !NAMES_OF_ERRORS.has(dataset)

const scopeOf = async (services: ExploreServices, organizationId: number, query: QuestionQuery & OfDataset) => {
  const dataset = orBadRequest(findDataset(services.datasets, query.dataset))
  return readQuestionScope(services, { organizationId, dataset, name: query.dataset, now: services.clock.now() }, query)
}
