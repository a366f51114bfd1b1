import type { RateLimit } from './settings.ts'
import type { Role, Scope } from './roles.ts'

/** The nouns of this slice. Instants are milliseconds since the epoch. */

export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark'
  /** IANA name, or '' for the browser's. */
  readonly timezone: string
  readonly clock24Hours: boolean
  /** A feedback button of the console itself over every page; the account's menu has it in any case. */
  readonly feedbackButton: boolean
}

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  timezone: '',
  clock24Hours: true,
  feedbackButton: false,
}

export interface User {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly passwordHash: string
  /** JSON; `readPreferences` makes `Preferences` of it. */
  readonly preferences: string
  readonly createdAt: number
  readonly lastLoginAt: number | null
}

export interface Organization {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly retentionDays: number
  /** Null is what the installation allows. */
  readonly bytesPerDay: number | null
  readonly createdAt: number
}

/** A person's part in an organisation, or an open invitation to one (`user` is null). */
export interface Member {
  readonly id: number
  readonly organizationId: number
  readonly email: string
  readonly role: Role
  readonly user: Omit<User, 'passwordHash' | 'preferences'> | null
  readonly inviteExpiresAt: number | null
  /** Who invited; null for those who were not, or by whom is not known. */
  readonly invitedBy: number | null
  readonly createdAt: number
  /** Slugs. */
  readonly teams: readonly string[]
}

export interface Membership {
  readonly memberId: number
  readonly role: Role
  readonly organization: Organization
}

export interface Team {
  readonly id: number
  readonly organizationId: number
  readonly slug: string
  readonly name: string
  readonly createdAt: number
  readonly memberIds: readonly number[]
  readonly projects: readonly { readonly id: number; readonly slug: string; readonly name: string }[]
}

export interface Project {
  readonly id: number
  readonly organizationId: number
  readonly slug: string
  readonly name: string
  readonly platform: string
  /** JSON; `readProjectSettings` makes `ProjectSettings` of it. */
  readonly settings: string
  readonly firstEventAt: number | null
  readonly createdAt: number
  readonly teams: readonly { readonly id: number; readonly slug: string; readonly name: string }[]
}

export interface ProjectKey {
  readonly id: number
  readonly projectId: number
  readonly publicKey: string
  readonly label: string
  readonly active: boolean
  readonly rateLimit: RateLimit | null
  /** Null is the installation's default. */
  readonly bytesPerDay: number | null
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

export interface ApiToken {
  readonly id: number
  /** Null: a personal token, for every organisation of its maker. */
  readonly organizationId: number | null
  /** Who made it. */
  readonly user: { readonly id: number; readonly email: string; readonly name: string }
  /** False: it is from before makers were stored, and `user` is the owner whom it was given to. */
  readonly isMakerKnown: boolean
  readonly name: string
  readonly tail: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly lastUsedAt: number | null
  readonly expiresAt: number | null
}

export interface Session {
  /** SHA-256 of the cookie, hex. */
  readonly hash: string
  readonly userId: number
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
  readonly userAgent: string
  readonly address: string
}
