import { validateEvents } from '@firsthand/contract'
import { readScope } from '../../accounts/index.ts'
import { bind, orBadRequest, type Route } from '../../http/index.ts'
import { readPeriod } from '../../search/index.ts'
import { userIdOf } from '../organization-request.routes.ts'
import { readEventScope } from '../search-scope.ts'
import { readEventColumn, type EventColumn } from '../search/index.ts'
import type { IssueServices } from '../services.ts'
import { findSort } from './event-sort.ts'

const DATASETS: ReadonlySet<string> = new Set(['errors', 'discover'])

/** What Sentry's clients ask before they ask for a table of events: what of the request would be refused, and why. */
export const createValidateEventsRoute = ({ issues, clock }: IssueServices): Route =>
  bind(validateEvents, async ({ query, request }) => {
    const now = clock.now()
    orBadRequest(readPeriod(query, now))
    const asked = { ...query, organizationId: request.organization.id, userId: userIdOf(request), now }
    const scope = await readScope(issues, request.organization.id, query, now)
    const search = scope.ok ? await readEventScope(issues, asked) : scope
    const queryError = scope.ok && !search.ok ? search.error : null

    const dataset = DATASETS.has(query.dataset)
    const columns: EventColumn[] = []
    const field = query.field.map((name) => {
      const column = readEventColumn(name, 'column')
      if (!column.ok) return { name, valid: false, attrType: null, error: column.error }
      columns.push(column.value)
      return { name, valid: true, attrType: kindOf(column.value), error: null }
    })
    const orderby = [...query.orderby, ...query.sort].map((name) => {
      const sort = findSort(name, columns)
      return sort.ok
        ? { name, valid: true, attrType: null, error: null }
        : { name, valid: false, attrType: null, error: sort.error }
    })
    return {
      body: {
        valid: dataset && search.ok && [...field, ...orderby].every(({ valid }) => valid),
        projects: scope.ok ? [] : [{ valid: false, error: scope.error }],
        dataset: [
          {
            name: query.dataset,
            valid: dataset,
            error: dataset ? null : `The dataset "${query.dataset}" is not there. Use errors.`,
          },
        ],
        environment: [],
        field,
        query: { valid: queryError === null, error: queryError, fields: [] },
        orderby,
      },
    }
  })

const kindOf = ({ type }: EventColumn): 'string' | 'number' | 'boolean' => {
  if (type === 'boolean') return type
  return type === 'integer' || type === 'number' || type === 'rate' ? 'number' : 'string'
}
