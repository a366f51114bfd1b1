import type { Kysely } from 'kysely'
import type { Member, Organization, ProjectKey, Session, User } from '../model.ts'
import type { MemberTable, OrganizationTable, ProjectKeyTable, SessionTable, UserTable } from './schema.ts'
import type { LedgerSchema } from '../../storage/ledger/schema.ts'
import type { Selectable } from 'kysely'

/** Rows of the account tables as the nouns of the slice. */

/** The ledger or a transaction of it. */
export type Db = Kysely<LedgerSchema>

export const toUser = (row: Selectable<UserTable>): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  passwordHash: row.password_hash,
  preferences: row.preferences,
  createdAt: row.created_at,
  lastLoginAt: row.last_login_at,
})

export const toSession = (row: Selectable<SessionTable>): Session => ({
  hash: row.id_hash,
  userId: row.user_id,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  expiresAt: row.expires_at,
  userAgent: row.user_agent,
  address: row.address,
})

export const toOrganization = (row: Selectable<OrganizationTable>): Organization => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  retentionDays: row.retention_days,
  bytesPerDay: row.bytes_per_day,
  createdAt: row.created_at,
})

export interface MemberRow extends Selectable<MemberTable> {
  readonly user_name: string | null
  readonly user_email: string | null
  readonly user_created_at: number | null
  readonly user_last_login_at: number | null
}

export const toMember = (row: MemberRow, teams: readonly string[]): Member => ({
  id: row.id,
  organizationId: row.organization_id,
  email: row.user_email ?? row.email,
  role: row.role,
  user:
    row.user_id === null
      ? null
      : {
          id: row.user_id,
          email: row.user_email ?? row.email,
          name: row.user_name ?? '',
          createdAt: row.user_created_at ?? row.created_at,
          lastLoginAt: row.user_last_login_at,
        },
  inviteExpiresAt: row.invite_expires_at,
  invitedBy: row.invited_by,
  createdAt: row.created_at,
  teams,
})

export const toKey = (row: Selectable<ProjectKeyTable>): ProjectKey => ({
  id: row.id,
  projectId: row.project_id,
  publicKey: row.public_key,
  label: row.label,
  active: row.is_active === 1,
  rateLimit:
    row.rate_limit_count === null || row.rate_limit_window_seconds === null
      ? null
      : { count: row.rate_limit_count, windowSeconds: row.rate_limit_window_seconds },
  bytesPerDay: row.bytes_per_day,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

/** Digits alone are an id: no slug looks like that. Larger numbers than ids can be are nobody's. */
export const idOf = (reference: string): number | null => (/^\d{1,16}$/.test(reference) ? Number(reference) : null)

/** Leaves out what was not given, so that the column keeps its value. */
export const given = <Row extends object>(change: Row): { [Key in keyof Row]?: Exclude<Row[Key], undefined> } =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Row]?: Exclude<Row[Key], undefined>
  }
