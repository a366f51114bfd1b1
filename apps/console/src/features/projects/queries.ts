import { getProject, listIssues, listKeys, PAGE_LIMIT_MAX } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { issueKeys } from '../issues/model/index.ts'
import { everyPage } from '../../lib/shared-queries.ts'

/** A project with its settings. */
export const projectQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: [...organizationKeys.project(org, project), 'self'],
    queryFn: ({ signal }) => api.call(getProject, { params: { org, project }, signal }),
    meta: { page: true },
  })

/** Client keys with their DSNs, oldest first. */
export const keysQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: [...organizationKeys.project(org, project), 'keys'],
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        api.page(listKeys, { params: { org, project }, query: { limit: PAGE_LIMIT_MAX, cursor }, signal }),
      ),
  })

/** The issues that a project saw last: two, for one of them may be the set-up page's own. */
export const newestIssuesQuery = (org: string, projectId: string) =>
  queryOptions({
    queryKey: [...issueKeys.lists(org), 'newest', projectId],
    queryFn: ({ signal }) =>
      api.call(listIssues, {
        params: { org },
        query: { project: [projectId], query: '', sort: 'date', statsPeriod: '90d', limit: 2 },
        signal,
      }),
  })
