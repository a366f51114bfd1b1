import { liveFact, streamLive } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../lib/api.ts'
import { publishLiveFact } from '../lib/live.ts'
import { organizationKeys } from '../lib/query-keys.ts'

/** Facts within this time are handled together. */
const DEBOUNCE_MS = 300
/** Under a storm of events the lists are refreshed this often at most. */
const MIN_INTERVAL_MS = 2000

/**
 * Keeps the organisation's page in step with the server: facts from its event stream refresh the lists and issues they
 * are about. While the page is hidden the stream is closed; when it is seen again everything shown is refreshed once.
 */
export function useLiveUpdates(org: string): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let feedbackTimer: ReturnType<typeof setTimeout> | undefined
    let refreshedAt = 0
    let changedIssues = new Set<string>()

    const refresh = (): void => {
      timer = undefined
      refreshedAt = Date.now()
      const issues = changedIssues
      changedIssues = new Set()
      const options = { cancelRefetch: false }
      void queryClient.invalidateQueries({ queryKey: organizationKeys.issues(org) }, options)
      void queryClient.invalidateQueries({ queryKey: organizationKeys.receipts(org) }, options)
      for (const issue of issues) {
        void queryClient.invalidateQueries({ queryKey: organizationKeys.issue(org, issue) }, options)
      }
    }

    const open = (): void => {
      source = new EventSource(api.url(streamLive, { params: { org } }))
      source.addEventListener('feedback', () => {
        feedbackTimer ??= setTimeout(refreshFeedback, DEBOUNCE_MS)
      })
      source.addEventListener('issues', (event: MessageEvent<string>) => {
        const fact = liveFact.safeParse(parseJson(event.data))
        if (!fact.success) return
        for (const issue of fact.data.issueIds) changedIssues.add(issue)
        publishLiveFact(fact.data)
        timer ??= setTimeout(refresh, Math.max(DEBOUNCE_MS, refreshedAt + MIN_INTERVAL_MS - Date.now()))
      })
    }

    const refreshFeedback = (): void => {
      feedbackTimer = undefined
      void queryClient.invalidateQueries({ queryKey: organizationKeys.feedback(org) }, { cancelRefetch: false })
    }

    const close = (): void => {
      source?.close()
      source = undefined
    }

    const onVisibility = (): void => {
      if (document.visibilityState === 'hidden') close()
      else if (source === undefined) {
        open()
        void queryClient.invalidateQueries({ queryKey: organizationKeys.all(org) }, { cancelRefetch: false })
      }
    }

    if (document.visibilityState === 'visible') open()
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      clearTimeout(timer)
      clearTimeout(feedbackTimer)
      close()
    }
  }, [org, queryClient])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
