import { ALERT_HAPPENINGS, type AlertHappening } from '@firsthand/contract'
import type { StoredFact } from '../../facts/index.ts'
import type { EventOfFact, IssueOfFact } from '../../issues/issue-facts.ts'
import type { ReportOfFact } from '../../feedback/report-facts.ts'

/** A fact for which a rule may wait. */
export type Happening = StoredFact<AlertHappening>

/** What people do to an issue by which its incidents end, go on or become those of another one. No rule waits for it. */
export type Move = StoredFact<'issue_merged' | 'issue_unmerged' | 'issue_deleted' | 'issue_restored'>

/** All of which something is said. */
export type Noted = Happening | Move

const KINDS: ReadonlySet<string> = new Set(ALERT_HAPPENINGS)

export const isHappening = (fact: StoredFact): fact is Happening => KINDS.has(fact.kind)

const MOVES: ReadonlySet<string> = new Set<Move['kind']>([
  'issue_merged',
  'issue_unmerged',
  'issue_deleted',
  'issue_restored',
])

export const isMove = (fact: StoredFact): fact is Move => MOVES.has(fact.kind)

/** The event that was the reason; null where no single event was, or the fact is of no issue. */
export const eventOf = (fact: Noted): EventOfFact | null => ('event' in fact.data ? fact.data.event : null)

export const issueOf = (fact: Noted): IssueOfFact | null => ('issue' in fact.data ? fact.data.issue : null)

export const reportOf = (fact: Noted): ReportOfFact | null => ('report' in fact.data ? fact.data.report : null)

/** Null where nothing says it. */
export const environmentOf = (fact: Noted): string | null => {
  if (fact.kind === 'release_first_seen') return fact.data.environment ?? ''
  const from = eventOf(fact) ?? reportOf(fact)
  return from === null ? null : (from.environment ?? '')
}

/** Null where nothing says it; '' where it is known that there was none. */
export const releaseOf = (fact: Noted): string | null => {
  if (fact.kind === 'release_first_seen') return fact.data.version
  const from = eventOf(fact) ?? reportOf(fact)
  return from === null ? (issueOf(fact)?.lastRelease ?? null) : (from.release ?? '')
}

/** How each is said, of the thing that it happened to. */
export const HAPPENED: Readonly<Record<AlertHappening, string>> = {
  issue_opened: 'it is new',
  issue_regressed: 'it came back after it was resolved',
  issue_escalating: 'it escalates',
  issue_unarchived: 'what it was archived for came',
  issue_priority_raised: 'its priority was raised',
  issue_resolved: 'it was resolved',
  issue_archived: 'it was archived',
  issue_reopened: 'it was opened again',
  issue_assigned: 'it was assigned',
  release_first_seen: 'the first event of the release came',
  report_received: 'somebody reported it',
  reporter_replied: 'the reporter wrote again',
}

/** The same as what a rule waits for. */
export const WAITS_FOR: Readonly<Record<AlertHappening, string>> = {
  issue_opened: 'new issues',
  issue_regressed: 'issues that come back',
  issue_escalating: 'issues that escalate',
  issue_unarchived: 'archived issues whose condition is met',
  issue_priority_raised: 'a higher priority',
  issue_resolved: 'issues that are resolved',
  issue_archived: 'issues that are archived',
  issue_reopened: 'issues that somebody opens again',
  issue_assigned: 'assignments',
  release_first_seen: 'the first event of a release',
  report_received: 'reports of visitors',
  reporter_replied: 'answers of reporters',
}
