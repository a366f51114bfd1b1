import { listPersonalTokens, listSessions } from '@firsthand/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'

/** Where the person is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => api.call(listSessions, { signal }),
})

/** The person's own tokens. */
export const personalTokensQuery = queryOptions({
  queryKey: ['personal-tokens'],
  queryFn: ({ signal }) => api.call(listPersonalTokens, { signal }),
})
