import { listApiTokens } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'

/** API tokens, without their secrets. */
export const tokensQuery = (org: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'tokens'],
    queryFn: ({ signal }) => api.call(listApiTokens, { params: { org }, signal }),
  })
