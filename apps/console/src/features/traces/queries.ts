import { findTraces, getSpan, getTrace, queryEvents, type Trace } from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import type { FileAddress } from '../explore/export/index.ts'
import { scopeQuery, timeOf } from '../issues/model/index.ts'
import type { TracesSearch } from './model/traces-url.ts'

const tracesKey = (org: string) => [...organizationKeys.all(org), 'traces'] as const

/** More of a trace that ended so long ago is hardly to come. */
const MAY_GROW_MS = 10 * 60_000
/** How often it is asked for until then; of a large trace 1 ms seldomer for each span. */
const GROWS_EVERY_MS = 3000

/** Nothing came since: it need not be drawn again. Comparing all of 50,000 spans would take longer than drawing them. */
function isSameTrace(before: Trace, after: Trace): boolean {
  const { spans, errors, logs, findings } = before
  return (
    spans.id.length === after.spans.id.length &&
    errors.length === after.errors.length &&
    logs.length === after.logs.length &&
    findings.length === after.findings.length &&
    spans.id.every((id, place) => id === after.spans.id[place] && spans.flags[place] === after.spans.flags[place])
  )
}

export const traceQuery = (org: string, trace: string) =>
  queryOptions({
    queryKey: [...tracesKey(org), trace],
    queryFn: ({ signal }) => api.call(getTrace, { params: { org, trace }, signal }),
    structuralSharing: (before, after) =>
      before !== undefined && isSameTrace(before as Trace, after as Trace) ? before : after,
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false
      const ended = Date.parse(data.start) + data.duration
      return Date.now() - ended < MAY_GROW_MS ? GROWS_EVERY_MS + data.spans.id.length : false
    },
    meta: { page: true },
  })

/** @param project id; spans of two services may have the same id */
export const spanQuery = (org: string, trace: string, span: string, project: string) =>
  queryOptions({
    queryKey: [...tracesKey(org), trace, 'span', span, project],
    queryFn: ({ signal }) => api.call(getSpan, { params: { org, trace, span }, query: { project: [project] }, signal }),
  })

const PAGE = 25

/** What is asked for the list, whatever page of it. */
const askedTraces = (search: TracesSearch) => ({
  ...scopeQuery(search),
  query: search.query.filter((one) => one !== ''),
  field: ['id', 'span.op', 'span.description', 'span.duration'],
  maxSpansPerTrace: 1,
})

export const tracesFile =
  (org: string, search: TracesSearch): FileAddress =>
  (format) =>
    api.url(findTraces, { params: { org }, query: { ...askedTraces(search), format } })

export const foundTracesQuery = (org: string, search: TracesSearch) =>
  infiniteQueryOptions({
    queryKey: [...tracesKey(org), 'found', search],
    queryFn: ({ pageParam, signal }) =>
      api.page(findTraces, {
        params: { org },
        query: {
          ...askedTraces(search),
          per_page: PAGE,
          ...(pageParam !== null && { cursor: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

/** Errors of traces, by the id of the trace. */
export const traceErrorsQuery = (org: string, search: TracesSearch, traces: readonly string[]) =>
  queryOptions({
    queryKey: [...tracesKey(org), 'errors', timeOf(search), search.project, traces],
    queryFn: async ({ signal }) => {
      const { data } = await api.call(queryEvents, {
        params: { org },
        query: {
          ...timeOf(search),
          dataset: 'errors',
          project: [...search.project],
          field: ['trace', 'count()'],
          query: `trace:[${traces.join(',')}]`,
          per_page: 100,
        },
        signal,
      })
      return new Map(data.map((row) => [row['trace'], Number(row['count()'])]))
    },
    enabled: traces.length > 0,
    placeholderData: keepPreviousData,
  })
