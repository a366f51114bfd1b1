import { findTraces, type QueryOutput } from '@firsthand/contract'
import { badRequest, bind, orBadRequest, saveTable, type Route } from '../http/index.ts'
import { toDate } from '../lib/instant-text.ts'
import { findDataset } from './datasets.ts'
import { findTracesOf, type FoundTrace } from './find-traces.ts'
import { LIMITS } from './limits.ts'
import { readQuestionScope, type ExploreServices } from './scope.ts'
import { typeJson } from './table.ts'

const CURSOR = /^(\d{1,16}):(\d{1,5}):[01]$/

/** Traces by their spans. */
export const createFindTracesRoute = (services: ExploreServices): Route =>
  bind(findTraces, async ({ query, request }) => {
    const read = (cursor: string | undefined, limit: number) =>
      pageOf(services, request.organization.id, query, { cursor, limit })
    const { format } = query
    if (format === undefined) {
      return read(query.cursor, Math.min(query.per_page ?? LIMITS.TRACES_FOUND, LIMITS.TRACES_FOUND))
    }
    return saveTable<FoundTrace>(
      { name: 'traces', format, columns: COLUMNS, cellsOf, signal: request.signal },
      async (cursor, limit) => {
        const { body, page } = await read(cursor ?? undefined, limit)
        return { rows: body.data, meta: body.meta, next: page.next }
      },
    )
  })

const COLUMNS = ['trace', 'name', 'projects', 'duration', 'start', 'end', 'numSpans', 'matchingSpans']

const cellsOf = ({ breakdowns, start, end, ...trace }: FoundTrace) => ({
  ...trace,
  projects: [...new Set(breakdowns.flatMap(({ project }) => project ?? []))].join(', '),
  start: toDate(start),
  end: toDate(end),
})

const pageOf = async (
  services: ExploreServices,
  organizationId: number,
  query: QueryOutput<typeof findTraces>,
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
) => {
  const [, at, begin] = CURSOR.exec(cursor ?? '') ?? []
  if (cursor !== undefined && at === undefined) {
    throw badRequest('The cursor is not one that this list gave out. Start without it.')
  }
  const now = Math.min(services.clock.now(), at === undefined ? Infinity : Number(at))
  const dataset = orBadRequest(findDataset(services.datasets, 'spans'))
  const asked = { organizationId, dataset, name: 'spans', now }
  const offset = Number(begin ?? 0)
  const { traces, columns, more } = await findTracesOf(services.view, await readQuestionScope(services, asked, query), {
    fields: query.field,
    searches: query.query ?? [],
    newestFirst: query.sort !== 'timestamp',
    limit,
    offset,
    until: now,
    spansPerTrace: Math.min(query.maxSpansPerTrace ?? LIMITS.TRACE_SPANS_FOUND, LIMITS.TRACE_SPANS_FOUND),
  })
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
}
