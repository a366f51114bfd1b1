import { listCodeMappings, listRepositories, PAGE_LIMIT_MAX } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { everyPage } from '../../lib/shared-queries.ts'
import { repositoriesKey } from './query-keys.ts'

export const repositoriesQuery = (org: string) =>
  queryOptions({
    queryKey: [...repositoriesKey(org), 'list'],
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        api.page(listRepositories, { params: { org }, query: { limit: PAGE_LIMIT_MAX, cursor }, signal }),
      ),
  })

/** @param project slug or id; null for those of all projects */
export const codeMappingsQuery = (org: string, project: string | null) =>
  queryOptions({
    queryKey: [...repositoriesKey(org), 'mappings', project],
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        api.page(listCodeMappings, {
          params: { org },
          query: { ...(project !== null && { project: [project] }), limit: PAGE_LIMIT_MAX, cursor },
          signal,
        }),
      ),
  })
