import { setTimeout as delay } from 'node:timers/promises'
import type { IssueView } from '../issues/index.ts'
import { LIMITS } from './limits.ts'

const POLL_MS = 100

/** Waits until the digest has stored an event. Null when that takes too long, or the caller has gone. */
export const createAwaitIssue =
  ({ issues }: { readonly issues: Pick<IssueView, 'locateEvent'> }) =>
  async (event: {
    readonly organizationId: number
    readonly projectId: number
    readonly eventId: string
    readonly signal: AbortSignal
  }): Promise<number | null> => {
    const deadline = performance.now() + LIMITS.FEEDBACK_ISSUE_WAIT_MS
    while (performance.now() < deadline && !event.signal.aborted) {
      const [found] = await issues.locateEvent(event.organizationId, [event.projectId], event.eventId)
      if (found !== undefined) return found.storedIssueId
      await delay(POLL_MS)
    }
    return null
  }
