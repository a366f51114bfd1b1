import { getOwnReporting } from '@firsthand/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../lib/api.ts'
import { startReporting } from '../lib/reporting.ts'
import { useSession } from '../lib/shared-queries.ts'

const ownReportingQuery = queryOptions({
  queryKey: ['own-reporting'],
  queryFn: ({ signal }) => api.call(getOwnReporting, { signal }),
  staleTime: Infinity,
  retry: false,
})

/** Draws nothing itself: the console's own errors are reported, and its feedback button floats over the page. */
export function OwnReporting() {
  const { user } = useSession()
  const { data } = useQuery(ownReportingQuery)
  const dsn = data?.dsn ?? null
  const release = data?.release ?? ''
  const showsButton = user?.options.feedbackButton === true
  const id = user?.id
  const email = user?.email ?? ''
  const username = user?.name ?? ''
  useEffect(() => {
    if (dsn === null || id === undefined) return
    startReporting({ dsn, release, user: { id, email, username } }, showsButton)
  }, [dsn, release, id, email, username, showsButton])
  return null
}
