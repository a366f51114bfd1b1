import { getOwnReporting } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../lib/api.ts'

/** Where this installation watches itself; without a DSN it does not. */
export const ownReportingQuery = queryOptions({
  queryKey: ['own-reporting'],
  queryFn: ({ signal }) => api.call(getOwnReporting, { signal }),
  staleTime: Infinity,
  retry: false,
})
