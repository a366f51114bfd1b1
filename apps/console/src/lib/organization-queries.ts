import { getOrganization, listMembers, listTeams, PAGE_LIMIT_MAX } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'
import { organizationKeys } from './query-keys.ts'
import { everyPage } from './shared-queries.ts'

/** Queries of an organisation that more than one feature shows, and no page needs at once. */

/** The organisation with its retention. */
export const organizationQuery = (org: string) =>
  queryOptions({
    queryKey: organizationKeys.self(org),
    queryFn: ({ signal }) => api.call(getOrganization, { params: { org }, signal }),
  })

/** Members and open invitations. */
export const membersQuery = (org: string) =>
  queryOptions({
    queryKey: organizationKeys.members(org),
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        api.page(listMembers, { params: { org }, query: { limit: PAGE_LIMIT_MAX, cursor }, signal }),
      ),
  })

export const teamsQuery = (org: string) =>
  queryOptions({
    queryKey: organizationKeys.teams(org),
    queryFn: ({ signal }) =>
      everyPage((cursor) => api.page(listTeams, { params: { org }, query: { limit: PAGE_LIMIT_MAX, cursor }, signal })),
  })
