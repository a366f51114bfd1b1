import type { Generated } from 'kysely'
import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'

export type IssueStatus = 'unresolved' | 'resolved' | 'ignored'

/** Sentry's words: `new ongoing regressed escalating` for unresolved, `archived_until_escalating archived_until_condition_met archived_forever` for ignored. */
export type IssueSubstatus =
  | 'new'
  | 'ongoing'
  | 'regressed'
  | 'escalating'
  | 'archived_until_escalating'
  | 'archived_until_condition_met'
  | 'archived_forever'

export interface IssueTable {
  id: Generated<number>
  organization_id: number
  project_id: number
  /** Number inside the project; the short id is PROJECT-<base 32 of it>. */
  number: number
  /** `error`, `default`, `csp`, … */
  type: string
  category: string
  title: string
  culprit: string
  metadata: JsonText
  level: string
  /** 10 debug … 50 fatal, for sorting and ranges. */
  level_rank: number
  platform: string
  logger: string
  status: IssueStatus
  substatus: IssueSubstatus | null
  /** JSON: `inNextRelease`, `inRelease`, `untilTimestamp`, `untilEvents`, `untilUsers`, counted from … */
  status_details: JsonText
  priority: 'high' | 'medium' | 'low'
  /** JSON: the points that it has, and for what; null until they were counted. */
  priority_reason: JsonText | null
  /** When somebody set it: then it stays. */
  priority_locked_at: Instant | null
  is_unhandled: Flag
  first_seen: Instant
  last_seen: Instant
  times_seen: number
  first_release: string | null
  last_release: string | null
  /** Of the first and the last event that name a release; null where none does, and where that was not kept yet. */
  first_release_at: Instant | null
  last_release_at: Instant | null
  assigned_user_id: number | null
  assigned_team_id: number | null
  /** Set while deletion or a merge into another issue is under way; such issues are shown nowhere. */
  deleted_at: Instant | null
  merged_into_id: number | null
  created_at: Instant
  /** Moves with every change; lists are refreshed by it. */
  changed_at: Instant
}

export interface IssueHashTable {
  project_id: number
  /** 32 hex characters. */
  hash: string
  /** Null for a tombstone: "delete and discard" keeps the hash, without an issue. */
  issue_id: number | null
  grouping_version: string
  created_at: Instant
}

export interface IssueActivityTable {
  id: Generated<number>
  issue_id: number
  project_id: number
  user_id: number | null
  /** `first_seen set_resolved set_resolved_in_release set_unresolved set_regression set_ignored assigned unassigned note merge unmerge set_priority` … */
  type: string
  data: JsonText
  created_at: Instant
}

/** What a person has noted about an issue for themselves. */
export interface IssueMarkTable {
  user_id: number
  issue_id: number
  /** When they last looked at it; null when they did not. */
  seen_at: Instant | null
  is_bookmarked: Flag
  is_subscribed: Flag
}

/** One row per stored event: keeps duplicates out and finds an event by its id. */
export interface EventIndexTable {
  project_id: number
  /** 16 bytes. */
  event_id: Uint8Array
  issue_id: number
  timestamp: Instant
  /** Digest batch (its number) that stored it, so that a repeated batch knows its own rows. */
  batch: number
}

export interface ReleaseTable {
  id: Generated<number>
  organization_id: number
  version: string
  first_seen: Instant
  /** When the newest event that named it came; 0 when none has. */
  last_seen: Instant
  date_released: Instant | null
  /** What people and programs say of it (`releases`). */
  date_started: Instant | null
  status: Generated<'open' | 'archived'>
  url: string | null
  ref: string | null
}

export interface ReleaseProjectTable {
  release_id: number
  project_id: number
  first_seen: Instant
  new_issues: number
  /** 1 when an event of it came in the project; 0 while only a program says that it is of it. */
  is_seen: Generated<number>
}

export interface EnvironmentTable {
  project_id: number
  name: string
  first_seen: Instant
}

/** A search for issues under a name. */
export interface SavedSearchTable {
  id: Generated<number>
  organization_id: number
  /** Whose it is; null when the organisation shares it. */
  user_id: number | null
  name: string
  query: string
  sort: string
  created_at: Instant
}

/** Issues that were frozen to be changed together. */
export interface IssueSetTable {
  id: Generated<number>
  organization_id: number
  user_id: number
  /** How many. */
  issues: number
  created_at: Instant
  applied_at: Instant | null
  undone_at: Instant | null
  /** JSON, once the change began: what is wanted of each. */
  wish: JsonText | null
  /** The change is made up to this issue. */
  reached: Generated<number>
}

export interface IssueSetMemberTable {
  set_id: number
  issue_id: number
  /** JSON, once it was changed: its state before and after. */
  before: JsonText | null
  after: JsonText | null
}

/** An upload of artifacts whose earlier events are still to be looked at. */
export interface LateMapTable {
  id: Generated<number>
  organization_id: number
  project_id: number
  bundle_id: number
  /** '' for none. */
  release_version: string
  /** Up to which issue it is done. */
  after_issue_id: number
  created_at: Instant
}

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
    issues: IssueTable
    issue_hashes: IssueHashTable
    issue_activity: IssueActivityTable
    issue_marks: IssueMarkTable
    issue_sets: IssueSetTable
    issue_set_members: IssueSetMemberTable
    saved_searches: SavedSearchTable
    event_index: EventIndexTable
    releases: ReleaseTable
    release_projects: ReleaseProjectTable
    environments: EnvironmentTable
    late_maps: LateMapTable
  }
}
