import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { startReporting } from '../lib/reporting.ts'
import { useSession } from '../lib/shared-queries.ts'
import { PHONE, useMedia } from '../lib/use-media.ts'
import { ownReportingQuery } from './own-reporting-query.ts'

/** Draws nothing itself: the console's own errors and page loads are reported, and the button to report them floats over the page. */
export function OwnReporting() {
  const { user } = useSession()
  const { data } = useQuery(ownReportingQuery)
  const dsn = data?.dsn ?? null
  const release = data?.release ?? ''
  const viewsSampleRate = data?.viewsSampleRate ?? 0
  const router = useRouter()
  // On a phone it would lie on what stands at the bottom; the account's menu has it there.
  const isPhone = useMedia(PHONE)
  const showsButton = user?.options.feedbackButton === true && !isPhone
  const id = user?.id
  const email = user?.email ?? ''
  const username = user?.name ?? ''
  useEffect(() => {
    if (dsn === null || id === undefined) return
    startReporting({ dsn, release, viewsSampleRate, user: { id, email, username } }, router, showsButton)
  }, [dsn, release, viewsSampleRate, router, id, email, username, showsButton])
  return null
}
