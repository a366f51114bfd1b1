import type { Role, Scope } from '@firsthand/contract'

/** Who sent a request. */
export interface Caller {
  readonly kind: 'session' | 'token'
  /** Of a token, the person who made it. */
  readonly user: CallerUser
  /** SHA-256 of the session cookie, hex; null for tokens. */
  readonly sessionHash: string | null
  /** Of a token; null for sessions, whose rights depend on the organisation. */
  readonly tokenScopes: readonly Scope[] | null
  /** Null for sessions. */
  readonly tokenId: number | null
  /** The only organisation that a token may touch; null for sessions and for personal tokens. */
  readonly tokenOrganizationId: number | null
  /** Milliseconds since the epoch; null for sessions, and for tokens that do not expire. */
  readonly tokenExpiresAt: number | null
}

export interface CallerUser {
  readonly id: number
  readonly email: string
  readonly name: string
}

/** The organisation that `{org}` names, as far as the caller has a part in it. */
export interface CallerOrganization {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly role: Role
  readonly memberId: number
  readonly scopes: ReadonlySet<Scope>
}

/** PORT: recognises callers. Implemented by `accounts`. */
export interface Authenticator {
  /** Also moves the session's expiry. Null when the cookie is unknown or expired. */
  bySession(cookie: string): Promise<Caller | null>
  byToken(token: string): Promise<Caller | null>
  /** By slug or numeric id. Null when there is none, or the caller has no part in it: the two look alike. */
  organization(caller: Caller, reference: string): Promise<CallerOrganization | null>
  /** Is the session or token of somebody who was recognised before still good, and has it this scope in the organisation? */
  stillMay(caller: Caller, organizationId: number, scope: Scope): Promise<boolean>
  /** What the session must send as `X-CSRF-Token`. */
  csrfToken(cookie: string): string
}
