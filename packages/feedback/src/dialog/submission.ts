import type { Report } from '../send/envelope.ts'
import { forgetReport, keepReport, withReport } from '../send/keep.ts'
import { rememberThread } from '../send/threads.ts'
import { type Answer, deliver, isSuccess, TIMEOUT_MS } from '../send/transport.ts'

/** Longer waits are the visitor's to decide. */
const LONGEST_AUTOMATIC_WAIT_S = 120

export type Outcome =
  | { readonly kind: 'success'; readonly threadUrl?: string }
  /** Offline: kept on the device, sent later. */
  | { readonly kind: 'queued' }
  | { readonly kind: 'not-kept' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'failure'; readonly status: number }
  /** Follows a failure: the server said when to come back. */
  | { readonly kind: 'waiting'; readonly seconds: number; readonly isAutomatic: boolean }
  /** The automatic second attempt begins. */
  | { readonly kind: 'sending' }

export interface Submission {
  start(): void
  /** A newer attempt takes over: of this one only a success is still of interest. */
  supersede(): void
}

/**
 * One report on its way. It stands in the outbox until there is an answer, so that a page that is left meanwhile loses nothing,
 * and a success is told however late it comes.
 */
export const createSubmission = (report: Report, draft: string, tell: (outcome: Outcome) => void): Submission => {
  let isSuperseded = false
  let isSettled = false
  let retry: ReturnType<typeof setTimeout> | undefined

  const attempt = async (isRetry: boolean): Promise<void> => {
    if (!navigator.onLine) {
      const isKept = await keepReport(report, draft)
      tell({ kind: isKept ? 'queued' : 'not-kept' })
      return
    }
    const timer = setTimeout(() => {
      if (!isSuperseded && !isSettled) tell({ kind: 'timeout' })
    }, TIMEOUT_MS)
    const answer = await withReport(report.id, async () => {
      // Beside the request, not before it: a blocked database must not hold the report up.
      const kept = keepReport(report, draft)
      const given = await deliver(report)
      await kept
      await forgetReport(report.id)
      return given
    })
    clearTimeout(timer)
    // Null: another attempt at the same report is still under way, and will tell.
    if (answer !== null) settle(answer, isRetry)
  }

  const settle = (answer: Answer, isRetry: boolean): void => {
    if (isSuccess(answer)) {
      isSettled = true
      clearTimeout(retry)
      if (answer.threadUrl !== undefined) rememberThread(String(report.header['dsn']), answer.threadUrl)
      tell({ kind: 'success', ...(answer.threadUrl !== undefined && { threadUrl: answer.threadUrl }) })
      return
    }
    if (isSuperseded) return
    tell({ kind: 'failure', status: answer.status })
    if (answer.status !== 429 || answer.retryAfterMs === undefined || isRetry) return
    const seconds = Math.ceil(answer.retryAfterMs / 1000)
    const isAutomatic = seconds <= LONGEST_AUTOMATIC_WAIT_S
    tell({ kind: 'waiting', seconds, isAutomatic })
    if (!isAutomatic) return
    retry = setTimeout(() => {
      if (isSuperseded) return
      tell({ kind: 'sending' })
      void attempt(true)
    }, answer.retryAfterMs)
  }

  return {
    start: () => void attempt(false),
    supersede: () => {
      isSuperseded = true
      clearTimeout(retry)
    },
  }
}
