import type { Clock } from '../lib/clock.ts'
import { LIMITS } from './limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { effectiveScopes, isScope } from './roles.ts'
import type { Role, Scope } from './roles.ts'
import { csrfTokenOf, hashSecret } from './secrets.ts'
import { sessionLifetimeMs } from './sign-in.ts'

/** Recognises callers by cookie or token, and says what part they have in an organisation. Fits `http`'s `Authenticator`. */

interface Caller {
  readonly kind: 'session' | 'token'
  readonly user: { readonly id: number; readonly email: string; readonly name: string }
  readonly sessionHash: string | null
  readonly tokenScopes: readonly Scope[] | null
  readonly tokenId: number | null
  readonly tokenOrganizationId: number | null
  readonly tokenExpiresAt: number | null
}

interface CallerOrganization {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly role: Role
  readonly memberId: number
  readonly scopes: ReadonlySet<Scope>
}

const TOKEN_TOUCH_MS = 60_000

/** A ledger that cannot be written now (a full disk) is no reason to turn away who only wants to read. */
const ignore = (): void => undefined

export const createAuthenticator = ({ store, clock }: { readonly store: AccountStore; readonly clock: Clock }) => ({
  csrfToken: csrfTokenOf,

  async bySession(cookie: string): Promise<Caller | null> {
    const now = clock.now()
    const found = await store.session(hashSecret(cookie), now)
    if (found === null) return null
    const { session, user } = found
    if (now - session.lastSeenAt >= LIMITS.SESSION_TOUCH_SECONDS * 1000) {
      await store.touchSession(session.hash, now, now + sessionLifetimeMs).catch(ignore)
    }
    return {
      kind: 'session',
      user: { id: user.id, email: user.email, name: user.name },
      sessionHash: session.hash,
      tokenScopes: null,
      tokenId: null,
      tokenOrganizationId: null,
      tokenExpiresAt: null,
    }
  },

  async byToken(token: string): Promise<Caller | null> {
    const now = clock.now()
    const found = await store.tokenByHash(hashSecret(token))
    if (found === null || (found.expiresAt !== null && found.expiresAt <= now)) return null
    if (found.lastUsedAt === null || now - found.lastUsedAt >= TOKEN_TOUCH_MS) {
      await store.touchToken(found.id, now).catch(ignore)
    }
    return {
      kind: 'token',
      user: found.user,
      sessionHash: null,
      tokenScopes: found.scopes.filter(isScope),
      tokenId: found.id,
      tokenOrganizationId: found.organizationId,
      tokenExpiresAt: found.expiresAt,
    }
  },

  organization: (caller: Caller, reference: string): Promise<CallerOrganization | null> =>
    organizationOf(store, caller, reference),

  async stillMay(caller: Caller, organizationId: number, scope: Scope): Promise<boolean> {
    const now = clock.now()
    if (caller.sessionHash !== null && (await store.session(caller.sessionHash, now)) === null) return false
    if (caller.tokenId !== null) {
      const token =
        caller.tokenOrganizationId === null
          ? await store.personalToken(caller.user.id, caller.tokenId)
          : await store.token(organizationId, caller.tokenId)
      if (token === null || (token.expiresAt !== null && token.expiresAt <= now)) return false
    }
    const organization = await organizationOf(store, caller, String(organizationId))
    return organization?.scopes.has(scope) ?? false
  },
})

const organizationOf = async (
  store: AccountStore,
  caller: Caller,
  reference: string,
): Promise<CallerOrganization | null> => {
  const membership = await store.membership(caller.user.id, reference)
  if (membership === null) return null
  const { organization, role, memberId } = membership
  if (caller.tokenOrganizationId !== null && caller.tokenOrganizationId !== organization.id) return null
  return {
    id: organization.id,
    slug: organization.slug,
    name: organization.name,
    role,
    memberId,
    scopes: effectiveScopes(role, caller.tokenScopes),
  }
}
