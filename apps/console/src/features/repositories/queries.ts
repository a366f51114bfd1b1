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

interface AskedMappings {
  /** Slug or id; absent: of all projects. */
  readonly project?: string
  /** Of which the addresses of lines are to be; '' for none. */
  readonly release?: string
}

export const codeMappingsQuery = (org: string, { project, release = '' }: AskedMappings) =>
  queryOptions({
    queryKey: [...repositoriesKey(org), 'mappings', project ?? null, release],
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        api.page(listCodeMappings, {
          params: { org },
          query: {
            ...(project !== undefined && { project: [project] }),
            ...(release !== '' && { release }),
            limit: PAGE_LIMIT_MAX,
            cursor,
          },
          signal,
        }),
      ),
  })
