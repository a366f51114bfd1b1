import { listBackfills } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { organizationKeys } from '../../lib/query-keys.ts'
import { isUnderWay } from './model/backfills.ts'

/** While something is being read, how often it is asked how far that is. */
const BACKFILLS_EVERY_MS = 5000

/** Items that were received before the server could read them. */
export const backfillsQuery = (org: string) =>
  queryOptions({
    queryKey: [...organizationKeys.all(org), 'backfills'],
    queryFn: ({ signal }) => api.call(listBackfills, { params: { org }, signal }),
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) === true ? BACKFILLS_EVERY_MS : false),
    refetchOnMount: 'always',
    // An aside: when it cannot be asked, the receipts say so themselves.
    retry: false,
  })
