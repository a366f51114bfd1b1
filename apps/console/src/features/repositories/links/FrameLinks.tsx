import { listCodeMappings, PAGE_LIMIT_MAX, type CodeMapping } from '@firsthand/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext, type ReactNode } from 'react'
import { api } from '../../../lib/api.ts'
import { everyPage } from '../../../lib/shared-queries.ts'
import { repositoriesKey } from '../query-keys.ts'
import { frameLink, type FrameLink, type LinkedPlace } from './frame-link.ts'

const Mappings = createContext<readonly CodeMapping[]>([])

const mappingsQuery = (org: string, project: string, release: string) =>
  queryOptions({
    queryKey: [...repositoriesKey(org), 'links', project, release],
    queryFn: ({ signal }) =>
      everyPage((cursor) =>
        api.page(listCodeMappings, {
          params: { org },
          query: { project: [project], ...(release !== '' && { release }), limit: PAGE_LIMIT_MAX, cursor },
          signal,
        }),
      ),
    // Frames are read without them.
    retry: false,
  })

/** Around stacks whose frames lead to the repository of their project. */
export function FrameLinks({
  org,
  project,
  release,
  children,
}: {
  readonly org: string
  /** Slug. */
  readonly project: string
  /** Of the event; '' for none. */
  readonly release: string
  readonly children: ReactNode
}) {
  const { data = [] } = useQuery(mappingsQuery(org, project, release))
  return <Mappings value={data}>{children}</Mappings>
}

/** Where the frame is in the repository; null where nobody said so. */
export const useFrameLink = (place: LinkedPlace): FrameLink | null => frameLink(useContext(Mappings), place)
