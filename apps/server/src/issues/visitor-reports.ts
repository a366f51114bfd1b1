import type { Telling } from '@firsthand/contract'
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

/** How many different people wrote about each of these issues; spam does not count. */
export const COUNT_WRITERS: Question<WrittenAbout, ReadonlyMap<number, number>> = {
  name: 'how many people wrote about issues',
  otherwise: new Map(),
}

export interface WrittenAbout {
  readonly organizationId: number
  /** Issue → ids under which reports of it may stand: its own, and those of issues that were merged into it. */
  readonly issues: ReadonlyMap<number, readonly number[]>
}

/** The same of all issues of an organisation about which anybody wrote, by the issues that stand for them now. */
export const RANK_WRITERS: Question<number, ReadonlyMap<number, number>> = {
  name: 'about which issues people wrote',
  otherwise: new Map(),
}

/** Asked before issues are resolved: who of those that wrote about them is told, when and what. Answers how many plans it made. */
export const PLAN_TELLING: Question<TellingRequest, number> = {
  name: 'who is told of resolved issues',
  otherwise: 0,
}

export interface TellingRequest {
  readonly organizationId: number
  readonly userId: number
  /** The same moment as that of the change, milliseconds since the epoch. */
  readonly now: number
  readonly issueIds: readonly number[]
  readonly telling: Telling
  /** In which release they are resolved; '' for the next one, null where nobody said. */
  readonly release: string | null
}
