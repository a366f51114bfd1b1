import { getReleaseHealth, listReleaseHealth, type ReleaseHealth } from '@firsthand/contract'
import { queryOptions, useQueries } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'

/** Of so many releases at once: a page of the list. */
const AT_ONCE = 50

/** Counting sessions is work: what was counted a minute ago will do. */
const FRESH_MS = 60_000

/** Apart from those of releases: an upload changes nothing about sessions. */
const healthKey = (org: string) => [...organizationKeys.all(org), 'release-health'] as const

const healthOfQuery = (org: string, versions: readonly string[], project: readonly string[]) =>
  queryOptions({
    queryKey: [...healthKey(org), 'list', project, versions],
    queryFn: ({ signal }) =>
      api.call(listReleaseHealth, {
        params: { org },
        query: { release: [...versions], statsPeriod: '14d', ...(project.length > 0 && { project: [...project] }) },
        signal,
      }),
    staleTime: FRESH_MS,
  })

/** One release beside the one before it. */
export const releaseHealthQuery = (org: string, version: string) =>
  queryOptions({
    queryKey: [...healthKey(org), 'one', version],
    queryFn: ({ signal }) => api.call(getReleaseHealth, { params: { org, version }, signal }),
    staleTime: FRESH_MS,
  })

export interface HealthOfReleases {
  /** Null of one without sessions, undefined until that is known. */
  readonly of: (version: string) => ReleaseHealth | null | undefined
  readonly error: Error | null
  readonly retry: () => void
}

/** What sessions say of releases in a list. Each page of it is asked for by itself, so that more of them change nothing. */
export function useHealthOf(org: string, versions: readonly string[], project: readonly string[]): HealthOfReleases {
  const pages = Array.from({ length: Math.ceil(versions.length / AT_ONCE) }, (_, page) =>
    versions.slice(page * AT_ONCE, (page + 1) * AT_ONCE),
  )
  const answers = useQueries({ queries: pages.map((page) => healthOfQuery(org, page, project)) })
  const asked = new Map(
    pages.flatMap((page, index) => {
      const data = answers[index]?.data
      const known = new Map(data?.map((health) => [health.version, health]))
      return page.map((version) => [version, data === undefined ? undefined : (known.get(version) ?? null)] as const)
    }),
  )
  return {
    of: (version) => asked.get(version),
    error: answers.find(({ data, error }) => data === undefined && error !== null)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of answers) if (error !== null) void refetch()
    },
  }
}
