import { findTraces } from '@firsthand/contract'
import { badRequest, bind, orBadRequest, type Route } from '../http/index.ts'
import { findDataset } from './datasets.ts'
import { findTracesOf } from './find-traces.ts'
import { LIMITS } from './limits.ts'
import { readQuestionScope, type ExploreServices } from './scope.ts'
import { typeJson } from './table.ts'

const CURSOR = /^(\d{1,16}):(\d{1,5}):[01]$/

/** Traces by their spans. */
export const createFindTracesRoute = (services: ExploreServices): Route =>
  bind(findTraces, async ({ query, request }) => {
    const [, at, begin] = CURSOR.exec(query.cursor ?? '') ?? []
    if (query.cursor !== undefined && at === undefined) {
      throw badRequest('The cursor is not one that this list gave out. Start without it.')
    }
    const now = Math.min(services.clock.now(), at === undefined ? Infinity : Number(at))
    const dataset = orBadRequest(findDataset(services.datasets, 'spans'))
    const asked = { organizationId: request.organization.id, dataset, name: 'spans', now }
    const offset = Number(begin ?? 0)
    const limit = Math.min(query.per_page ?? LIMITS.TRACES_FOUND, LIMITS.TRACES_FOUND)
    const { traces, columns, more } = await findTracesOf(
      services.view,
      await readQuestionScope(services, asked, query),
      {
        fields: query.field,
        searches: query.query ?? [],
        newestFirst: query.sort !== 'timestamp',
        limit,
        offset,
        until: now,
        spansPerTrace: Math.min(query.maxSpansPerTrace ?? LIMITS.TRACE_SPANS_FOUND, LIMITS.TRACE_SPANS_FOUND),
      },
    )
    return {
      body: {
        data: [...traces],
        meta: {
          fields: Object.fromEntries(columns.map((column) => [column.name, typeJson(column)])),
          units: Object.fromEntries(columns.map(({ name, unit }) => [name, unit])),
        },
      },
      page: { next: more ? `${now}:${offset + limit}:0` : null, previous: null },
    }
  })
