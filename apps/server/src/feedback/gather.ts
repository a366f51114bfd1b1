import { LIMITS } from './limits.ts'

/**
 * Reports that say the same: the later ones stand under the first, with a count, so that a list of a hundred people with
 * one trouble is one row. Pure.
 */

/** A report that others may stand under: open, not under another one, of the same words, oldest first. */
export interface GatheringReport {
  readonly id: number
  readonly url: string
  /** The issue it is linked to. */
  readonly issueId: number | null
}

/** The page, without what its address says of one visit. */
const pageOf = (url: string): string => {
  const parsed = URL.parse(url)
  return parsed === null ? url : `${parsed.origin}${parsed.pathname}`
}

/**
 * The report under which another one of the same words stands; null when it stands alone. Few words ("does not work")
 * mean something else on every page, and an error that came with them tells more than they do.
 */
export const gathersUnder = (
  report: {
    readonly message: string
    readonly url: string
    readonly issueId: number | null
    readonly associatedEventId: string | null
  },
  alike: readonly GatheringReport[],
): number | null => {
  const isTelling = report.message.length >= LIMITS.FEEDBACK_TELLING_CHARS
  const found = alike.find(
    (one) =>
      (isTelling || pageOf(one.url) === pageOf(report.url)) &&
      (report.associatedEventId === null || (report.issueId !== null && report.issueId === one.issueId)),
  )
  return found?.id ?? null
}
