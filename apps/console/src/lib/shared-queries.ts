import { ApiError, listProjects, PAGE_LIMIT_MAX, type Scope, type Session } from '@firsthand/contract'
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, fetchSession, MAX_RETRIES } from './api.ts'
import { organizationKeys, sessionKey } from './query-keys.ts'

/** Queries that more than one feature shows. */

/** Who is signed in, with organisations and rights. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => fetchSession(signal),
  // Every page waits for it. A server that says why it cannot answer will not have changed a second later.
  retry: (failures, error) =>
    failures < MAX_RETRIES && !(error instanceof ApiError && (error.status < 500 || error.status === 503)),
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

/** What the projects of the organisation are called, by their ids and by their slugs; empty while that is not known. */
export function useProjectNames(org: string): ReadonlyMap<string, string> {
  const { data } = useQuery(projectsQuery(org))
  return useMemo(
    () => new Map(data?.flatMap(({ id, slug, name }) => [[slug, name] as const, [id, name] as const])),
    [data],
  )
}

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
