import type { Role, Scope } from '@firsthand/contract'

/** Who sent a request. */
export interface Caller {
  readonly kind: 'session' | 'token'
  /** Null for tokens of an organisation. */
  readonly user: CallerUser | null
  /** SHA-256 of the session cookie, hex; null for tokens. */
  readonly sessionHash: string | null
  /** Of a token; null for sessions, whose rights depend on the organisation. */
  readonly tokenScopes: readonly Scope[] | null
  /** The only organisation that a token may touch; null for sessions. */
  readonly tokenOrganizationId: number | null
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
  /** Null for tokens without a user. */
  readonly role: Role | null
  readonly memberId: number | null
  readonly scopes: ReadonlySet<Scope>
}

/** PORT: recognises callers. Implemented by `accounts`. */
export interface Authenticator {
  /** Also moves the session's expiry. Null when the cookie is unknown or expired. */
  bySession(cookie: string): Promise<Caller | null>
  byToken(token: string): Promise<Caller | null>
  /** By slug or numeric id. Null when there is none, or the caller has no part in it: the two look alike. */
  organization(caller: Caller, reference: string): Promise<CallerOrganization | null>
  /** What the session must send as `X-CSRF-Token`. */
  csrfToken(cookie: string): string
}
