import { getSpan, getTrace } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'

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
