import {
  compareIssueTags,
  getIssueTag,
  listIssueTags,
  listIssueTagValues,
  listTags,
  listTagValuesOfOrganization,
} from '@firsthand/contract'
import { bind, notFound, orBadRequest, readPage, type Route, toPage } from '../../http/index.ts'
import type { EventScope, TagDistribution, TagValue } from '../events.view.ts'
import { toDate } from '../../lib/instant-text.ts'
import type { IssueRecord } from '../issues.view.ts'
import { LIMITS } from '../limits.ts'
import { findIssue, userIdOf, type OrganizationRequest } from '../organization-request.routes.ts'
import { readEventScope } from '../search-scope.ts'
import type { IssueServices } from '../services.ts'
import { readPeriod, type PeriodQuery } from '../../search/index.ts'

const VALUES_PER_TAG = 10

/** Values of each key that are compared with the project's other events. */
const COMPARED_VALUES = 4

/** Distributions of an issue's tags, and the keys and values that complete a search. */
export const createTagRoutes = (services: IssueServices): Route[] => {
  const { events, clock } = services

  const scopeOf = (
    request: OrganizationRequest,
    record: IssueRecord,
    query: PeriodQuery & { readonly environment?: string[] | undefined },
  ): EventScope & { readonly issueIds: readonly number[] } => ({
    organizationId: request.organization.id,
    projectIds: [record.project.id],
    issueIds: record.storedIds,
    period: orBadRequest(readPeriod(query, clock.now())),
    environments: query.environment ?? [],
    filter: null,
  })

  const scopeOfOrganization = async (
    request: OrganizationRequest,
    query: PeriodQuery & { readonly project?: string[] | undefined; readonly environment?: string[] | undefined },
  ): Promise<EventScope> => {
    const scope = await readEventScope(services.issues, {
      ...query,
      // What is being typed completes itself: it is no filter.
      query: '',
      organizationId: request.organization.id,
      userId: userIdOf(request),
      now: clock.now(),
    })
    return orBadRequest(scope).events
  }

  return [
    bind(listTags, async ({ query, request }) => {
      const keys = await events.tagKeys(await scopeOfOrganization(request, query), LIMITS.TAG_KEYS_SHOWN)
      return { body: keys.map(({ key, events: totalValues }) => ({ key, name: key, totalValues })) }
    }),

    bind(listTagValuesOfOrganization, async ({ params, query, request }) => {
      const asked = readPage(query)
      const values = await events.tagValues(await scopeOfOrganization(request, query), {
        key: params.key,
        containing: query.query ?? '',
        sort: 'count',
        ...asked,
      })
      const { rows, page } = toPage(values, asked)
      return { body: rows.map((value) => valueJson(params.key, value)), page }
    }),

    bind(listIssueTags, async ({ params, query, request }) => {
      const record = await findIssue(services, request, params.issue)
      const values = query.limit ?? VALUES_PER_TAG
      const tags = await events.tags(scopeOf(request, record, query), { keys: query.key ?? [], values })
      return { body: tags.map(tagJson) }
    }),

    bind(compareIssueTags, async ({ params, query, request }) => {
      const record = await findIssue(services, request, params.issue)
      const body = await events.compareTags(scopeOf(request, record, query), {
        keys: query.key,
        values: COMPARED_VALUES,
        sample: LIMITS.TAG_SAMPLE_EVENTS,
        run: LIMITS.TAG_SAMPLE_RUN,
      })
      return { body: { ...body, values: [...body.values] } }
    }),

    bind(getIssueTag, async ({ params, query, request }) => {
      const record = await findIssue(services, request, params.issue)
      const [tag] = await events.tags(scopeOf(request, record, query), { keys: [params.key], values: VALUES_PER_TAG })
      if (tag === undefined) throw notFound()
      return { body: tagJson(tag) }
    }),

    bind(listIssueTagValues, async ({ params, query, request }) => {
      const record = await findIssue(services, request, params.issue)
      const asked = readPage(query)
      const values = await events.tagValues(scopeOf(request, record, query), {
        key: params.key,
        containing: query.query ?? '',
        sort: query.sort,
        ...asked,
      })
      const { rows, page } = toPage(values, asked)
      return { body: rows.map((value) => valueJson(params.key, value)), page }
    }),
  ]
}

const valueJson = (key: string, { value, name, count, firstSeen, lastSeen }: TagValue) => ({
  key,
  name: name || value,
  value,
  count,
  firstSeen: toDate(firstSeen),
  lastSeen: toDate(lastSeen),
})

const tagJson = ({ key, total, unique, values }: TagDistribution) => ({
  key,
  name: key,
  totalValues: total,
  uniqueValues: unique,
  topValues: values.map((value) => valueJson(key, value)),
})
