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
/** After the stream was refused. */
const REOPEN_AFTER_MS = 5000

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
    let reopenTimer: ReturnType<typeof setTimeout> | undefined
    let isLost = false

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
      source.addEventListener('error', onLost)
      source.addEventListener('open', onOpen)
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

    /** The banner asks at once whether the server is there. The browser connects again, unless the answer was a refusal. */
    const onLost = (): void => {
      isLost = true
      void queryClient.invalidateQueries({ queryKey: organizationKeys.status(org) }, { cancelRefetch: false })
      if (source?.readyState !== EventSource.CLOSED) return
      close()
      reopenTimer = setTimeout(open, REOPEN_AFTER_MS)
    }

    /** What happened in the meantime is asked for, and what failed in the meantime is asked for again. */
    const onOpen = (): void => {
      if (!isLost) return
      isLost = false
      void queryClient.invalidateQueries({ queryKey: organizationKeys.all(org) }, { cancelRefetch: false })
    }

    const close = (): void => {
      clearTimeout(reopenTimer)
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
