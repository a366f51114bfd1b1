import { ApiError, getServerStatus } from '@firsthand/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { api } from '../lib/api.ts'
import { organizationKeys } from '../lib/query-keys.ts'
import { Coded } from '../ui/Coded.tsx'
import { Banner } from './banner.tsx'

/** Loaded when there is something to tell: most of the time there is not. */
const Problems = lazy(() => import('./problems.tsx').then((module) => ({ default: module.Problems })))

const CHECK_EVERY_MS = 30_000
/** While the server does not answer. */
const CHECK_AGAIN_MS = 3000

const statusQuery = (org: string) =>
  queryOptions({
    queryKey: organizationKeys.status(org),
    queryFn: ({ signal }) => api.call(getServerStatus, { params: { org }, signal }),
    refetchInterval: ({ state }) => (state.status === 'error' ? CHECK_AGAIN_MS : CHECK_EVERY_MS),
  })

const LEADS = {
  ok: 'For the administrators of this server:',
  degraded: 'The server is running with problems.',
  refusing: 'New events are being refused.',
} as const

/** Says so when the server is behind, refuses events or misses a store, and to admins what should be configured; nothing while all is well. */
export function StatusBanner({ org }: { readonly org: string }) {
  const { data, failureReason } = useQuery(statusQuery(org))
  if (failureReason instanceof TypeError) {
    return (
      <Banner severe>
        <strong>The server cannot be reached.</strong> What you see may be out of date; this page keeps trying.
      </Banner>
    )
  }
  if (failureReason instanceof ApiError && failureReason.status === 503) {
    return (
      <Banner severe>
        <strong>The server cannot answer.</strong> <Coded text={failureReason.detail} />
      </Banner>
    )
  }
  if (data === undefined || (data.status === 'ok' && data.problems.length === 0)) return null
  return (
    <Suspense>
      <Problems lead={LEADS[data.status]} severe={data.status === 'refusing'} problems={data.problems} />
    </Suspense>
  )
}
