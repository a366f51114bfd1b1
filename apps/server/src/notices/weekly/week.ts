/** What a week brought, for the weekly report. */

/** An issue, with what makes it worth a line. */
export interface WeekIssue {
  readonly id: number
  readonly shortId: string
  readonly title: string
  readonly detail: string
}

export interface WeekQuote {
  readonly reportId: number
  readonly text: string
  readonly by: string
}

/** Of an organisation. */
export interface Week {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  /** New, and somebody was hurt by it: the most people first. */
  readonly new: readonly WeekIssue[]
  readonly worse: readonly WeekIssue[]
  /** Resolved, and it held. */
  readonly fixed: readonly WeekIssue[]
  readonly back: readonly WeekIssue[]
  readonly quotes: readonly WeekQuote[]
  /** How many there were; the lists hold some. */
  readonly counts: {
    readonly new: number
    readonly worse: number
    readonly fixed: number
    readonly back: number
    readonly reports: number
  }
}

/** What waits for one person. */
export interface Waiting {
  readonly text: string
  readonly path: string
}

export const isEmptyWeek = ({ counts }: Week, waiting: readonly Waiting[]): boolean =>
  waiting.length === 0 && Object.values(counts).every((count) => count === 0)
