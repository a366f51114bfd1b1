import type { Generated } from 'kysely'
import type { Flag, Instant, JsonText } from '../../storage/ledger/schema.ts'

export interface OrganizationTable {
  id: Generated<number>
  slug: string
  name: string
  retention_days: number
  settings: JsonText
  /** Null is what the installation allows. */
  bytes_per_day: number | null
  /** Events that happened before may have been removed for their age; null as long as none were. */
  removed_before: Instant | null
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
  /** Whose rights the open invitation stands on; null for those of old and for members who were not invited. */
  invited_by: number | null
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
  /** Null is the installation's default. */
  bytes_per_day: number | null
  created_at: Instant
  last_used_at: Instant | null
}

export interface ApiTokenTable {
  id: Generated<number>
  /** Null: a person's own, for every organisation that they have a part in. */
  organization_id: number | null
  /** The maker: what they may do bounds the token, and it goes with them. */
  user_id: number
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
  /** 0: made before makers were stored, and given to an owner. */
  maker_known: Generated<number>
  /** The token that its maker used to make it: it ends with that one. */
  made_by_token: number | null
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

declare module '../../storage/ledger/schema.ts' {
  interface LedgerSchema {
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
  }
}
