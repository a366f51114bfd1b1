import { listReceipts } from '@firsthand/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { receiptsKey } from './query-keys.ts'
import { DEFAULT_PERIOD, type ReceiptsSearch } from './model/search.ts'

/** Buckets that give a readable chart for a period. */
const INTERVALS: Readonly<Record<string, string>> = {
  '1h': '1m',
  '24h': '30m',
  '7d': '4h',
  '14d': '8h',
  '30d': '1d',
  '90d': '1d',
}

/**
 * All receipts of a project (or of all) in a period. Outcome, item type and SDK are chosen on the screen from what is
 * there, so the query does not depend on them.
 */
export const receiptsQuery = (org: string, search: ReceiptsSearch) => {
  const statsPeriod = search.statsPeriod ?? DEFAULT_PERIOD
  return queryOptions({
    queryKey: [...receiptsKey(org), search.project ?? 'all', statsPeriod],
    queryFn: ({ signal }) =>
      api.call(listReceipts, {
        params: { org },
        query: {
          statsPeriod,
          interval: INTERVALS[statsPeriod],
          ...(search.project !== undefined && { project: [search.project] }),
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { page: true },
  })
}
