import type { Clock } from '../lib/clock.ts'
import { DAY_MS } from '../lib/durations.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import { LIMITS } from './limits.ts'
import type { AccountStore } from './accounts.store.ts'
import type { Actor } from './actor.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { ApiToken } from './model.ts'
import { full, fullOfPersonalTokens, NO_MEMBER } from './refusals.ts'
import type { Scope } from './roles.ts'
import { hashSecret, makeOrganizationToken, makePersonalToken } from './secrets.ts'

const NO_TOKEN = failure('not_found', 'This token does not exist.')

/** Tokens of programs. One belongs to its maker, and at each use does no more than they may do then. */
export const createTokens = ({
  store,
  clock,
  onAccessLost,
}: {
  readonly store: AccountStore
  readonly clock: Clock
  /** Told whose rights became fewer, once that is stored. */
  readonly onAccessLost: (userId: number) => void
}) => ({
  /** The token is in this answer only. It belongs to the actor: at each use it does no more than they may do then. */
  async createToken(
    organization: { readonly id: number; readonly slug: string },
    actor: Actor,
    token: { name: string; scopes: readonly Scope[]; expiresInDays?: number | undefined; publicUrl: string | null },
  ): Promise<Result<{ token: ApiToken; secret: string }, Failure>> {
    const excess = token.scopes.filter((scope) => !actor.scopes.has(scope))
    if (excess.length > 0) {
      return err(
        failure('forbidden', `A token cannot do more than you may: leave out ${excess.join(', ')}.`, {
          field: 'scopes',
        }),
      )
    }
    const now = clock.now()
    const expiresAt = token.expiresInDays === undefined ? null : now + token.expiresInDays * DAY_MS
    if (actor.tokenExpiresAt !== null && (expiresAt === null || expiresAt > actor.tokenExpiresAt)) {
      return err(
        failure(
          'forbidden',
          `A token made by a token ends no later than that one: by ${new Date(actor.tokenExpiresAt).toISOString()}. Make it in the console, or let it expire sooner.`,
          { field: 'expiresInDays' },
        ),
      )
    }
    const secret = makeOrganizationToken({ organizationSlug: organization.slug, publicUrl: token.publicUrl, now })
    return atomically(store, async (store) => {
      if ((await store.membership(actor.userId, String(organization.id))) === null) return err(NO_MEMBER)
      if ((await store.tokens(organization.id)).length >= LIMITS.TOKENS_PER_ORGANIZATION) {
        return err(full('tokens', LIMITS.TOKENS_PER_ORGANIZATION))
      }
      await store.insertToken({
        organizationId: organization.id,
        userId: actor.userId,
        name: token.name,
        hash: hashSecret(secret),
        tail: secret.slice(-4),
        scopes: [...new Set(token.scopes)],
        now,
        expiresAt,
        madeByToken: actor.tokenId,
      })
      const created = await store.tokenByHash(hashSecret(secret))
      return created === null ? err(NO_TOKEN) : ok({ token: created, secret })
    })
  },

  /** For a person who is signed in: it acts for them in each of their organisations, as far as their role there goes. */
  async createPersonalToken(
    userId: number,
    token: { name: string; scopes: readonly Scope[]; expiresInDays?: number | undefined },
  ): Promise<Result<{ token: ApiToken; secret: string }, Failure>> {
    const now = clock.now()
    const secret = makePersonalToken()
    return atomically(store, async (store) => {
      if ((await store.personalTokens(userId)).length >= LIMITS.PERSONAL_TOKENS_PER_PERSON) {
        return err(fullOfPersonalTokens(LIMITS.PERSONAL_TOKENS_PER_PERSON))
      }
      await store.insertToken({
        organizationId: null,
        userId,
        name: token.name,
        hash: hashSecret(secret),
        tail: secret.slice(-4),
        scopes: [...new Set(token.scopes)],
        now,
        expiresAt: token.expiresInDays === undefined ? null : now + token.expiresInDays * DAY_MS,
      })
      const created = await store.tokenByHash(hashSecret(secret))
      return created === null ? err(NO_TOKEN) : ok({ token: created, secret })
    })
  },

  async removeToken(organizationId: number, id: number): Promise<Result<null, Failure>> {
    const token = await store.token(organizationId, id)
    if (token === null || !(await store.removeToken(organizationId, id))) return err(NO_TOKEN)
    onAccessLost(token.user.id)
    return ok(null)
  },

  /** A maker may always end what acts in their name. */
  async removeOwnToken(userId: number, id: number): Promise<Result<null, Failure>> {
    if (!(await store.removeTokenOf(userId, id))) return err(NO_TOKEN)
    onAccessLost(userId)
    return ok(null)
  },
})
