import { getReplayPlayback } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'

export const playbackQuery = (org: string, replay: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'replay', replay],
    queryFn: ({ signal }) => api.call(getReplayPlayback, { params: { org, replay }, signal }),
    // What plays is not exchanged under the reader's eyes.
    staleTime: Infinity,
    meta: { page: true },
  })
