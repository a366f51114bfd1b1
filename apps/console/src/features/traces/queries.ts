import { findTraces, getSpan, getTrace, queryEvents } from '@firsthand/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { timeOf } from '../issues/model/index.ts'
import type { TracesSearch } from './model/traces-url.ts'

const tracesKey = (org: string) => [...organizationKeys.all(org), 'traces'] as const

export const traceQuery = (org: string, trace: string) =>
  queryOptions({
    queryKey: [...tracesKey(org), trace],
    queryFn: ({ signal }) => api.call(getTrace, { params: { org, trace }, signal }),
    // Comparing 50,000 spans with those of before would take longer than drawing them.
    structuralSharing: false,
    meta: { page: true },
  })

/** @param project id; spans of two services may have the same id */
export const spanQuery = (org: string, trace: string, span: string, project: string) =>
  queryOptions({
    queryKey: [...tracesKey(org), trace, 'span', span, project],
    queryFn: ({ signal }) => api.call(getSpan, { params: { org, trace, span }, query: { project: [project] }, signal }),
  })

const PAGE = 25

export const foundTracesQuery = (org: string, search: TracesSearch) =>
  infiniteQueryOptions({
    queryKey: [...tracesKey(org), 'found', search],
    queryFn: ({ pageParam, signal }) =>
      api.page(findTraces, {
        params: { org },
        query: {
          ...timeOf(search),
          project: [...search.project],
          environment: [...search.environment],
          query: search.query.filter((one) => one !== ''),
          field: ['id', 'span.op', 'span.description', 'span.duration'],
          maxSpansPerTrace: 1,
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
