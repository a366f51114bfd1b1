import type { Question } from '../lib/questions.ts'

/** What issues and events show of what visitors said. The capability that keeps their reports answers. */

/** How many reports are about these issues; spam and duplicates do not count. */
export const COUNT_REPORTS: Question<readonly number[], number> = {
  name: 'how many reports are about issues',
  otherwise: 0,
}

/** What the visitor to whom the event happened said about it. */
export const REPORT_OF_EVENT: Question<ReportedEvent, UserReport | null> = {
  name: 'the report of an event',
  otherwise: null,
}

export interface ReportedEvent {
  readonly projectId: number
  readonly eventId: string
}

export interface UserReport {
  readonly id: number
  readonly eventId: string
  readonly name: string
  readonly email: string
  readonly message: string
  readonly createdAt: number
}
