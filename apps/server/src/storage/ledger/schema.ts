import type { Generated } from 'kysely'

/**
 * The ledger's tables, in one dialect for SQLite and PostgreSQL: instants are milliseconds since the epoch (integer),
 * booleans are 0 or 1, structured values are JSON text, ids are integers that are never used twice.
 * The DDL is in `migrations/`; a test compares the two.
 */

export type Flag = 0 | 1
/** Milliseconds since the epoch. */
export type Instant = number
export type JsonText = string

export interface OrganizationTable {
  id: Generated<number>
  slug: string
  name: string
  retention_days: number
  settings: JsonText
  created_at: Instant
}

export interface UserTable {
  id: Generated<number>
  email: string
  name: string
  /** argon2id in PHC string form. */
  password_hash: string
  /** JSON: theme, time zone, … */
  preferences: JsonText
  created_at: Instant
  last_login_at: Instant | null
}

export interface MemberTable {
  id: Generated<number>
  organization_id: number
  /** Null while the invitation is open. */
  user_id: number | null
  email: string
  role: 'owner' | 'admin' | 'member' | 'viewer'
  /** SHA-256 (hex) of the invitation's token, while it is open. */
  invite_hash: string | null
  invite_expires_at: Instant | null
  created_at: Instant
}

export interface TeamTable {
  id: Generated<number>
  organization_id: number
  slug: string
  name: string
  created_at: Instant
}

export interface TeamMemberTable {
  team_id: number
  member_id: number
}

export interface TeamProjectTable {
  team_id: number
  project_id: number
}

export interface ProjectTable {
  id: Generated<number>
  organization_id: number
  slug: string
  name: string
  platform: string
  /** `ProjectSettings` as JSON; absent fields have their defaults. */
  settings: JsonText
  first_event_at: Instant | null
  /** The last number used for a short id (SHOP-WEB-4K). */
  last_issue_number: number
  created_at: Instant
  deleted_at: Instant | null
}

export interface ProjectKeyTable {
  id: Generated<number>
  project_id: number
  public_key: string
  label: string
  is_active: Flag
  rate_limit_count: number | null
  rate_limit_window_seconds: number | null
  created_at: Instant
  last_used_at: Instant | null
}

export interface ApiTokenTable {
  id: Generated<number>
  organization_id: number
  /** Whose rights bound the token's; null for organisation tokens. */
  user_id: number | null
  name: string
  /** SHA-256 (hex) of the token. */
  token_hash: string
  /** The last four characters, to tell tokens apart. */
  token_tail: string
  /** JSON array of scopes. */
  scopes: JsonText
  created_at: Instant
  last_used_at: Instant | null
  expires_at: Instant | null
}

export interface SessionTable {
  /** SHA-256 (hex) of the cookie. */
  id_hash: string
  user_id: number
  created_at: Instant
  last_seen_at: Instant
  expires_at: Instant
  user_agent: string
  address: string
}

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
  is_unhandled: Flag
  first_seen: Instant
  last_seen: Instant
  times_seen: number
  first_release: string | null
  last_release: string | null
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
  last_seen: Instant
  date_released: Instant | null
}

export interface ReleaseProjectTable {
  release_id: number
  project_id: number
  first_seen: Instant
  new_issues: number
}

export interface EnvironmentTable {
  project_id: number
  name: string
  first_seen: Instant
}

/** Progress of the digest, one row per spool. The pending batch is repeated after a crash. */
export interface DigestProgressTable {
  spool: string
  batch: number
  segment: number
  offset: number
  pending_segment: number | null
  pending_offset: number | null
  updated_at: Instant
}

/** What happened, in the order it happened; live updates, and later alerts, read it. */
export interface FactTable {
  id: Generated<number>
  organization_id: number
  project_id: number
  issue_id: number | null
  /** `issue_opened issue_regressed issue_unarchived event_received` … */
  type: string
  data: JsonText
  created_at: Instant
}

/** Stored blobs; a blob may be deleted after `expires_at`. */
export interface BlobTable {
  key: string
  organization_id: number
  bytes: number
  expires_at: Instant
}

/** Facts about the installation: the secret for signing, the data format's version, … */
export interface InstallationTable {
  key: string
  value: string
}

/** What a visitor said. */
export interface FeedbackTable {
  id: Generated<number>
  organization_id: number
  project_id: number
  /** 32 hex characters; unique in its project. */
  event_id: string
  /** Digest batch that stored it, as in `event_index`. */
  batch: number
  key_id: number
  source: string
  status: 'open' | 'resolved' | 'spam' | 'archived'
  is_read: Flag
  message: string
  name: string
  email: string
  url: string
  browser: string
  os: string
  environment: string
  release: string
  /** Message, name, e-mail and URL in lower case, for search. */
  words: string
  /** JSON: `FeedbackDetails`. */
  details: JsonText
  trace_id: string | null
  replay_id: string | null
  associated_event_id: string | null
  issue_id: number | null
  assigned_user_id: number | null
  assigned_team_id: number | null
  spam_score: number
  /** JSON: why it is suspect. */
  spam_reasons: JsonText
  spam_decided_by: 'automatic' | 'person'
  attachments: number
  /** Of the sender's address, keyed by a secret that ends with the process: to count, not to look up. */
  address_hash: string
  /** Of the text, without regard to case and space. */
  message_hash: string
  merged_into_id: number | null
  /** The newest message of its thread is the reporter's. */
  awaits_reply: Flag
  created_at: Instant
  last_activity_at: Instant
  /** The secret in the private link to its thread; null when the project gives none. */
  thread_token: string | null
  /** Somebody said that the issue of its event is not its issue. */
  is_unlinked: Generated<Flag>
  /** When the reporter was last told that the linked issue is resolved. */
  told_resolved_at: Instant | null
}

/** One message between a reporter and the team. */
export interface FeedbackMessageTable {
  id: Generated<number>
  feedback_id: number
  author: 'reporter' | 'agent' | 'system'
  user_id: number | null
  text: string
  /** How it reaches the reporter; null for what they wrote. */
  delivery: 'queued' | 'sent' | 'failed' | 'page' | null
  attempts: number
  /** Why the last attempt failed. */
  error: string | null
  /** When it is (next) sent by e-mail; null when it is not. */
  due_at: Instant | null
  sent_at: Instant | null
  created_at: Instant
}

export interface FeedbackTagTable {
  feedback_id: number
  key: string
  value: string
}

export interface FeedbackActivityTable {
  id: Generated<number>
  feedback_id: number
  user_id: number | null
  type: string
  data: JsonText
  created_at: Instant
}

export interface LedgerSchema {
  organizations: OrganizationTable
  users: UserTable
  members: MemberTable
  teams: TeamTable
  team_members: TeamMemberTable
  team_projects: TeamProjectTable
  projects: ProjectTable
  project_keys: ProjectKeyTable
  api_tokens: ApiTokenTable
  sessions: SessionTable
  issues: IssueTable
  issue_hashes: IssueHashTable
  issue_activity: IssueActivityTable
  issue_marks: IssueMarkTable
  event_index: EventIndexTable
  releases: ReleaseTable
  release_projects: ReleaseProjectTable
  environments: EnvironmentTable
  digest_progress: DigestProgressTable
  facts: FactTable
  blobs: BlobTable
  installation: InstallationTable
  feedback: FeedbackTable
  feedback_tags: FeedbackTagTable
  feedback_activity: FeedbackActivityTable
  feedback_messages: FeedbackMessageTable
}
