import { getIssue, type Issue, listIssueReports, listSimilarIssues } from '@firsthand/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { issueKeys } from '../model/keys.ts'

/** What the list does not know of an issue. Its page asks for the first of them by the same key, and is there at once. */

export const reviewedIssueQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: [...issueKeys.page(org, issue), 'detail'],
    queryFn: ({ signal }) => api.call(getIssue, { params: { org, issue }, signal }),
  })

export const newestReportQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: [...issueKeys.page(org, issue), 'newest report'],
    queryFn: ({ signal }) => api.call(listIssueReports, { params: { org, issue }, query: { limit: 1 }, signal }),
  })

export const alikeQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: [...issueKeys.page(org, issue), 'alike'],
    queryFn: ({ signal }) => api.call(listSimilarIssues, { params: { org, issue }, signal }),
  })

/** One presses a key and reads on: what stands on the next card is there before. */
export function readAhead(client: QueryClient, org: string, { id, reporterCount }: Issue): void {
  void client.prefetchQuery(reviewedIssueQuery(org, id))
  void client.prefetchQuery(alikeQuery(org, id))
  if (reporterCount > 0) void client.prefetchQuery(newestReportQuery(org, id))
}
