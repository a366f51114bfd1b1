import type { ErrorOfTrace } from '../issues/index.ts'
import type { Occasion } from '../lib/occasion.ts'
import { LIMITS } from './limits.ts'
import type { TracedReport, TracesOfReports } from './ledger/traces-of-reports.ts'

/**
 * Gives reports that name no event the issue of the last error that happened in their trace before they were written. Run
 * again and again: either may come first.
 *
 * @param parts.changed told of the organisations whose reports got an issue
 */
export const createLinkByTrace = (parts: {
  readonly traced: TracesOfReports
  readonly errors: (asked: {
    readonly projectIds: readonly number[]
    readonly traceIds: readonly string[]
    readonly from: number
    readonly to: number
  }) => Promise<readonly ErrorOfTrace[]>
  readonly occasion: Occasion
  readonly changed: (organizationId: number) => void
}): { readonly run: () => Promise<void> } => ({
  run: () =>
    parts.occasion.take(async (now) => {
      const reports = await parts.traced.find(now)
      if (reports.length === 0) return Infinity
      const moments = reports.map(({ writtenAt }) => writtenAt)
      const errors = await parts.errors({
        projectIds: [...new Set(reports.map(({ projectId }) => projectId))],
        traceIds: [...new Set(reports.map(({ traceId }) => traceId))],
        from: Math.min(...moments) - LIMITS.FEEDBACK_TRACE_BEFORE_MS,
        to: Math.max(...moments),
      })
      const changed = new Set<number>()
      for (const report of reports) {
        const error = lastErrorBefore(report, errors)
        if (error === null) continue
        await parts.traced.link(report.feedbackId, error.storedIssueId)
        changed.add(report.organizationId)
      }
      for (const organizationId of changed) parts.changed(organizationId)
      return Infinity
    }),
})

/** A trace may go on for as long as a page is open: what happened long before is not what somebody writes about. */
export const lastErrorBefore = (
  { projectId, traceId, writtenAt }: TracedReport,
  errors: readonly ErrorOfTrace[],
): ErrorOfTrace | null =>
  errors
    .filter(
      (error) =>
        error.projectId === projectId &&
        error.traceId === traceId &&
        error.at <= writtenAt &&
        error.at >= writtenAt - LIMITS.FEEDBACK_TRACE_BEFORE_MS,
    )
    .toSorted((one, other) => other.at - one.at)[0] ?? null
