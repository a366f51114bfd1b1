import type { Clock } from '../lib/clock.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import { LIMITS } from '../limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { Session, User } from './model.ts'
import { judgePassword, PasswordsBusyError } from './passwords.ts'
import type { Passwords } from './passwords.ts'
import { hashSecret, makePassword, makeSecret } from './secrets.ts'
import { changePreferences, readPreferences } from './settings-json.ts'
import { createThrottle } from './throttle.ts'

/** Signing in and out, and what people change about their own account. */

/** Where a request came from, as far as a session remembers it. */
export interface Device {
  readonly address: string | null
  readonly userAgent: string
}

export interface SignedIn {
  readonly user: User
  /** Value of the session cookie; the store has only its hash. */
  readonly cookie: string
}

/** One customer of a provider has a whole /64 of IPv6, so that is what counts as one address. */
const networkOf = (address: string | null): string => {
  if (address === null || !address.includes(':')) return address ?? ''
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head.split(':')
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - tail.split(':').length)
  return [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')].slice(0, 4).join(':')
}

const DAY_MS = 86_400_000
const USER_AGENT_CHARACTERS = 400

export const sessionLifetimeMs = LIMITS.SESSION_DAYS * DAY_MS

/** One sentence for both, so that nobody learns which e-mails have accounts. */
const WRONG = failure('wrong_credentials', 'E-mail or password is not right. Check both and try again.')
const WRONG_CURRENT = failure('wrong_credentials', 'This is not your current password.', { field: 'currentPassword' })

export const tooMany = (retryAfterSeconds: number): Failure =>
  failure(
    'too_many_attempts',
    `Too many attempts to sign in. Wait ${Math.ceil(retryAfterSeconds / 60)} minutes and try again.`,
    { retryAfterSeconds },
  )

export const BUSY = failure('busy', 'Too many people sign in at this moment. Try again in a few seconds.', {
  retryAfterSeconds: 5,
})

export interface SignIn {
  logIn(credentials: { email: string; password: string }, device: Device): Promise<Result<SignedIn, Failure>>
  /** A session for somebody whose identity is already established. */
  start(user: User, device: Device): Promise<SignedIn>
  logOut(sessionHash: string): Promise<void>
  /** Is this the person's password? Throttled like signing in. */
  confirm(user: User, password: string, device: Device): Promise<Result<null, Failure>>
  updateMe(
    userId: number,
    change: {
      name?: string | undefined
      email?: string | undefined
      currentPassword?: string | undefined
      options?: unknown
    },
    device: Device,
  ): Promise<Result<User, Failure>>
  /** Ends all sessions but the given one. */
  updatePassword(
    userId: number,
    change: { currentPassword: string; password: string },
    session: string | null,
    device: Device,
  ): Promise<Result<null, Failure>>
  find(email: string): Promise<User | null>
  /**
   * For whoever runs the server: nobody's old password is asked for, and all sessions end.
   *
   * @param password null for one that is made here
   */
  resetPassword(userId: number, password: string | null): Promise<Result<{ readonly password: string }, Failure>>
  sessions(userId: number): Promise<Session[]>
  endOthers(userId: number, session: string | null): Promise<void>
}

/** Memberships carry the e-mail that people are invited by; an open invitation to the new one has become pointless. */
const moveMemberships = async (store: AccountStore, userId: number, email: string): Promise<void> => {
  for (const { memberId, organization } of await store.memberships(userId)) {
    const invited = await store.memberByEmail(organization.id, email)
    if (invited !== null && invited.id !== memberId) await store.removeMember(organization.id, invited.id)
    await store.updateMember(memberId, { email })
  }
}

export const createSignIn = (parts: {
  readonly store: AccountStore
  readonly clock: Clock
  readonly passwords: Passwords
}): SignIn => {
  const { store, clock, passwords } = parts
  const shared = { clock, windowSeconds: LIMITS.LOGIN_WINDOW_SECONDS, capacity: LIMITS.LOGIN_REMEMBERED }
  const perAccount = createThrottle({ ...shared, limit: LIMITS.LOGIN_ATTEMPTS_PER_ACCOUNT })
  const perAddress = createThrottle({ ...shared, limit: LIMITS.LOGIN_ATTEMPTS_PER_ADDRESS })

  const check = async (
    email: string,
    stored: string | null,
    password: string,
    device: Device,
  ): Promise<Result<{ outdated: boolean }, Failure>> => {
    const wait = Math.max(perAccount.attempt(email), perAddress.attempt(networkOf(device.address)))
    if (wait > 0) return err(tooMany(wait))
    try {
      const { matches, outdated } = await passwords.verify(password, stored)
      if (!matches) return err(WRONG)
      perAccount.forget(email)
      return ok({ outdated })
    } catch (error) {
      if (error instanceof PasswordsBusyError) return err(BUSY)
      throw error
    }
  }

  const start = async (user: User, device: Device): Promise<SignedIn> => {
    const now = clock.now()
    const cookie = makeSecret()
    await store.insertSession({
      hash: hashSecret(cookie),
      userId: user.id,
      createdAt: now,
      lastSeenAt: now,
      expiresAt: now + sessionLifetimeMs,
      userAgent: device.userAgent.slice(0, USER_AGENT_CHARACTERS),
      address: device.address ?? '',
    })
    await store.updateUser(user.id, { lastLoginAt: now })
    return { user: { ...user, lastLoginAt: now }, cookie }
  }

  return {
    start,
    async logIn({ email, password }, device) {
      const user = await store.userByEmail(email)
      const checked = await check(email, user?.passwordHash ?? null, password, device)
      if (!checked.ok) return checked
      if (user === null) return err(WRONG)
      if (checked.value.outdated) await store.updateUser(user.id, { passwordHash: await passwords.hash(password) })
      return ok(await start(user, device))
    },
    logOut: (sessionHash) => store.removeSession(sessionHash),
    async confirm(user, password, device) {
      const checked = await check(user.email, user.passwordHash, password, device)
      return checked.ok ? ok(null) : checked
    },
    async updateMe(userId, change, device) {
      const user = await store.userById(userId)
      if (user === null) return err(failure('not_found', 'This account does not exist any more.'))
      if (change.email !== undefined && change.email !== user.email) {
        const checked = await check(user.email, user.passwordHash, change.currentPassword ?? '', device)
        if (!checked.ok) return checked.error === WRONG ? err(WRONG_CURRENT) : checked
      }
      return atomically(store, async (store) => {
        if (
          change.email !== undefined &&
          change.email !== user.email &&
          (await store.userByEmail(change.email)) !== null
        ) {
          return err(failure('conflict', 'Another account has this e-mail address.', { field: 'email' }))
        }
        if (change.email !== undefined && change.email !== user.email)
          await moveMemberships(store, userId, change.email)
        await store.updateUser(userId, {
          name: change.name,
          email: change.email,
          preferences:
            change.options === undefined
              ? undefined
              : JSON.stringify(changePreferences(readPreferences(user.preferences), change.options)),
        })
        return ok((await store.userById(userId)) ?? user)
      })
    },
    async updatePassword(userId, change, session, device) {
      const user = await store.userById(userId)
      if (user === null) return err(failure('not_found', 'This account does not exist any more.'))
      const checked = await check(user.email, user.passwordHash, change.currentPassword, device)
      if (!checked.ok) return checked.error === WRONG ? err(WRONG_CURRENT) : checked
      const problem = judgePassword(change.password, [user.email, user.name])
      if (problem !== null) return err(failure('invalid', problem, { field: 'password' }))
      const passwordHash = await passwords.hash(change.password)
      await store.transaction(async (store) => {
        await store.updateUser(userId, { passwordHash })
        await store.removeSessionsOf(userId, session)
      })
      return ok(null)
    },
    find: (email) => store.userByEmail(email.trim().toLowerCase()),
    async resetPassword(userId, wanted) {
      const user = await store.userById(userId)
      if (user === null) return err(failure('not_found', 'This account does not exist any more.'))
      const password = wanted ?? makePassword()
      const problem = judgePassword(password, [user.email, user.name])
      if (problem !== null) return err(failure('invalid', problem, { field: 'password' }))
      const passwordHash = await passwords.hash(password)
      await store.transaction(async (store) => {
        await store.updateUser(userId, { passwordHash })
        await store.removeSessionsOf(userId, null)
      })
      return ok({ password })
    },
    sessions: (userId) => store.sessionsOf(userId, clock.now()),
    endOthers: (userId, session) => store.removeSessionsOf(userId, session),
  }
}
