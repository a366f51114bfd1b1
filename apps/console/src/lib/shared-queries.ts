import {
  countFeedback,
  getOrganization,
  listIssues,
  listMembers,
  listProjects,
  listTeams,
  PAGE_LIMIT_MAX,
  type Scope,
  type Session,
} from '@firsthand/contract'
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { api, fetchSession } from './api.ts'
import { organizationKeys, sessionKey } from './query-keys.ts'

/** Queries that more than one feature shows. */

/** Who is signed in, with organisations and rights. */
export const sessionQuery = queryOptions({ queryKey: sessionKey, queryFn: ({ signal }) => fetchSession(signal) })

/** The organisation with its retention. */
export const organizationQuery = (org: string) =>
  queryOptions({
    queryKey: organizationKeys.self(org),
    queryFn: ({ signal }) => api.call(getOrganization, { params: { org }, signal }),
  })

/** Every project of the organisation, by name. */
export const projectsQuery = (org: string) =>
  queryOptions({
    queryKey: organizationKeys.projects(org),
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        api.page(listProjects, { params: { org }, query: { limit: PAGE_LIMIT_MAX, cursor }, signal }),
      ),
    select: (projects) => projects.toSorted((a, b) => a.name.localeCompare(b.name)),
  })

/** How many issues the stream shows when it is opened without a search; null when the server did not count. */
export const unresolvedCountQuery = (org: string) =>
  queryOptions({
    queryKey: [...organizationKeys.issues(org), 'unresolved-count'],
    queryFn: async ({ signal }) => {
      const query = { query: 'is:unresolved', statsPeriod: '14d', limit: 1, groupStatsPeriod: '' } as const
      const page = await api.page(listIssues, { params: { org }, query, signal })
      return page.hits ?? null
    },
    retry: false,
  })

/** How many reports of visitors nobody has read. */
export const unreadCountQuery = (org: string) =>
  queryOptions({
    queryKey: [...organizationKeys.feedback(org), 'unread-count'],
    queryFn: async ({ signal }) => (await api.call(countFeedback, { params: { org }, query: {}, signal })).unread,
    retry: false,
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

/** Pages fetched of one list at most: 100 × 100 entries are more than a console can show at once. */
const MAX_PAGES = 100

/** Follows the cursors of a list to its end. */
export async function everyPage<Entry>(
  fetchPage: (cursor: string | undefined) => Promise<{ readonly data: Entry[]; readonly next: string | null }>,
): Promise<Entry[]> {
  const entries: Entry[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { data, next } = await fetchPage(cursor)
    entries.push(...data)
    if (next === null) break
    cursor = next
  }
  return entries
}

/** The session of the signed-in person; only below the auth gate, where it is loaded. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data
}

/** What the signed-in person may do in an organisation: `const may = useAccess(org); may('org:write')`. */
export function useAccess(org: string): (scope: Scope) => boolean {
  const session = useQuery(sessionQuery).data
  const scopes = session?.organizations.find((membership) => membership.slug === org)?.access ?? []
  return (scope) => scopes.includes(scope)
}
