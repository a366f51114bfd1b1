import { listChannels } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'

import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'

/** Places to which alerts can be told. */
export const channelsQuery = (org: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'channels'],
    queryFn: ({ signal }) => api.call(listChannels, { params: { org }, signal }),
  })
