import { shorten, shortenOrNull, type FactTags } from '../facts/index.ts'
import type { Features } from './features.ts'

/** What is noted of issues, for those who tell people of it. */

/** The event that was the reason: enough to search in and to tell of, with every text cut. */
export interface EventOfFact {
  readonly eventId: string
  /** When it happened, milliseconds since the epoch. */
  readonly at: number
  readonly level: string
  readonly title: string
  readonly culprit: string
  readonly type: string
  /** Of the error that it is; null for messages and reports of browsers. */
  readonly errorType: string | null
  readonly errorValue: string | null
  readonly platform: string
  readonly logger: string
  readonly environment: string | null
  readonly release: string | null
  readonly transaction: string | null
  readonly url: string | null
  readonly isUnhandled: boolean
  readonly user: { readonly id: string | null; readonly email: string | null } | null
  readonly tags: FactTags
  /** Further tags that there was no room for. */
  readonly tagsLeftOut: number
}

/** The issue, as it was when that had happened. */
export interface IssueOfFact {
  readonly number: number
  readonly title: string
  readonly culprit: string
  readonly level: string
  readonly platform: string
  readonly type: string
  readonly category: string
  readonly priority: 'high' | 'medium' | 'low'
  readonly isUnhandled: boolean
  readonly status: string
  readonly substatus: string | null
  /** Milliseconds since the epoch. */
  readonly firstSeen: number
  readonly lastSeen: number
  readonly timesSeen: number
  readonly firstRelease: string | null
  readonly lastRelease: string | null
  readonly assignedUserId: number | null
  readonly assignedTeamId: number | null
}

interface WithEvent {
  readonly issue: IssueOfFact
  readonly event: EventOfFact
}

interface WithoutEvent {
  readonly issue: IssueOfFact
}

declare module '../facts/fact.ts' {
  interface FactKinds {
    /** @property features of its event, so that nobody reads that again; missing in facts that are older than they */
    issue_opened: WithEvent & { readonly features?: Features }
    /** @property version the release with which it came back */
    issue_regressed: WithEvent & { readonly version: string | null }
    /** It was archived until it escalates, and did: so many events in an hour are above its limit. */
    issue_escalating: WithoutEvent & { readonly events: number; readonly limit: number }
    /** It is archived for ever, and a day brought many times the events of its busiest day before; told once. */
    issue_archived_growth: WithoutEvent & { readonly events: number; readonly dailyPeak: number }
    /** It was archived until something, and that came. */
    issue_unarchived: WithoutEvent & {
      readonly event: EventOfFact | null
      readonly reason: 'until_timestamp' | 'until_events' | 'until_users'
    }
    issue_priority_raised: WithoutEvent & {
      readonly from: 'high' | 'medium' | 'low'
      readonly to: 'high' | 'medium' | 'low'
    }
    issue_resolved: WithoutEvent & { readonly inRelease: string | null; readonly inNextRelease: boolean }
    issue_archived: WithoutEvent
    /** By somebody, not by an event. */
    issue_reopened: WithoutEvent
    /** Both are null where nobody is assigned any more. */
    issue_assigned: WithoutEvent & { readonly userId: number | null; readonly teamId: number | null }
    /** It stands under another one from now on; both as they were then. */
    issue_merged: WithoutEvent & { readonly parentId: number; readonly parent: IssueOfFact }
    /** It was merged into another one, and stands for itself again. */
    issue_unmerged: WithoutEvent & { readonly parentId: number }
    /** Somebody deleted it, which they can undo for a while. */
    issue_deleted: WithoutEvent
    issue_restored: WithoutEvent
    issue_noted: WithoutEvent & {
      /** Id of the note among the issue's activity. */
      readonly activityId: number
      readonly userIds: readonly number[]
      readonly teamIds: readonly number[]
    }
    /** The first event of a release came from a project. */
    release_first_seen: { readonly version: string; readonly environment: string | null }
  }
}

/** An issue's row, or what is going to be one. */
export interface IssueRowOfFact {
  readonly number: number
  readonly title: string
  readonly culprit: string
  readonly level: string
  readonly platform: string
  readonly type: string
  readonly category: string
  readonly priority: 'high' | 'medium' | 'low'
  readonly is_unhandled: number
  readonly status: string
  readonly substatus: string | null
  readonly first_seen: number
  readonly last_seen: number
  readonly times_seen: number
  readonly first_release: string | null
  readonly last_release: string | null
  readonly assigned_user_id: number | null
  readonly assigned_team_id: number | null
}

/** The columns that `issueOfFact` reads. */
export const ISSUE_FACT_COLUMNS = [
  'number',
  'title',
  'culprit',
  'level',
  'platform',
  'type',
  'category',
  'priority',
  'is_unhandled',
  'status',
  'substatus',
  'first_seen',
  'last_seen',
  'times_seen',
  'first_release',
  'last_release',
  'assigned_user_id',
  'assigned_team_id',
] as const

export const issueOfFact = (row: IssueRowOfFact): IssueOfFact => ({
  number: row.number,
  title: shorten(row.title),
  culprit: shorten(row.culprit),
  level: row.level,
  platform: row.platform,
  type: row.type,
  category: row.category,
  priority: row.priority,
  isUnhandled: row.is_unhandled === 1,
  status: row.status,
  substatus: row.substatus,
  firstSeen: row.first_seen,
  lastSeen: row.last_seen,
  timesSeen: row.times_seen,
  firstRelease: shortenOrNull(row.first_release),
  lastRelease: shortenOrNull(row.last_release),
  assignedUserId: row.assigned_user_id,
  assignedTeamId: row.assigned_team_id,
})
