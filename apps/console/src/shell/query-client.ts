import { ApiError } from '@firsthand/contract'
import { QueryClient } from '@tanstack/react-query'
import { isServerFailure, MAX_RETRIES } from '../lib/api.ts'
import { JUST_FETCHED_MS, PREFETCH_TTL_MS } from './navigation/policy.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The page is nothing without this query: a failure inside the server shows the error page with its digest. */
      readonly page?: boolean
      /** What the page is there to show, with a place of its own for a failure: what may be next is fetched after it. */
      readonly content?: boolean
    }
  }
}

/**
 * Page data lives for `PREFETCH_TTL` (3600 s). A screen that opens shows what is there at once and asks again behind,
 * unless the data was fetched for this very opening.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A browser's word on being online says nothing about the way to this server.
        networkMode: 'always',
        staleTime: PREFETCH_TTL_MS,
        gcTime: PREFETCH_TTL_MS,
        refetchOnMount: (query) => (Date.now() - query.state.dataUpdatedAt > JUST_FETCHED_MS ? 'always' : true),
        // Live updates refresh what changed while the page was hidden.
        refetchOnWindowFocus: false,
        // Who says when to come again is not asked before: the reader is told, and tries again.
        retry: (failures, error) =>
          failures < MAX_RETRIES &&
          !(error instanceof ApiError && (error.status < 500 || error.retryAfter !== undefined)),
        // What a server that lives could not answer (503) is said in its place.
        throwOnError: (error, query) =>
          query.meta?.page === true && query.state.data === undefined && isServerFailure(error) && error.status !== 503,
      },
    },
  })
}
