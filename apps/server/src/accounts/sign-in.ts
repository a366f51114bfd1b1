import type { Clock } from '../lib/clock.ts'
import { DAY_MS } from '../lib/durations.ts'
import { networkOf } from '../lib/network.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import { LIMITS } from './limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { Session, User } from './model.ts'
import { judgePassword, PasswordsBusyError } from './passwords.ts'
import type { Passwords } from './passwords.ts'
import { hashSecret, makePassword, makeSecret } from './secrets.ts'
import { changePreferences, readPreferences } from './settings-json.ts'
import { createSignInThrottle, createThrottle } from './throttle.ts'

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

const networksOf = async (store: AccountStore, userId: number | null, now: number): Promise<ReadonlySet<string>> =>
  new Set((await store.sessionsOf(userId ?? 0, now)).map(({ address }) => networkOf(address)))

const SESSION_ID_CHARACTERS = 16

/** What lists call a session: enough of its hash to tell it apart. */
export const sessionIdOf = (hash: string): string => hash.slice(0, SESSION_ID_CHARACTERS)

const USER_AGENT_CHARACTERS = 400

export const sessionLifetimeMs = LIMITS.SESSION_DAYS * DAY_MS

/** One sentence for both, so that nobody learns which e-mails have accounts. */
const WRONG = failure('wrong_credentials', 'E-mail or password is not right. Check both and try again.')
const WRONG_CURRENT = failure('wrong_credentials', 'This is not your current password.', { field: 'currentPassword' })

/** One sentence for all reasons, so that it tells of no account and no invitation of others. */
const UNUSABLE_EMAIL = failure(
  'invalid',
  'This e-mail address cannot be used. It may belong to another account or have a pending invitation.',
  { field: 'email' },
)

const inWords = (seconds: number): string =>
  seconds < 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`

const tooManyChanges = (retryAfterSeconds: number): Failure =>
  failure(
    'too_many_attempts',
    `The e-mail address of this account was changed too often. Wait ${inWords(retryAfterSeconds)} and try again.`,
    { retryAfterSeconds, field: 'email' },
  )

export const tooMany = (retryAfterSeconds: number): Failure =>
  failure('too_many_attempts', `Too many attempts to sign in. Wait ${inWords(retryAfterSeconds)} and try again.`, {
    retryAfterSeconds,
  })

const BUSY = failure('busy', 'Too many people sign in at this moment. Try again in a few seconds.', {
  retryAfterSeconds: 5,
})

export interface SignIn {
  logIn(credentials: { email: string; password: string }, device: Device): Promise<Result<SignedIn, Failure>>
  /** A session for somebody whose identity is already established. */
  start(user: User, device: Device): Promise<SignedIn>
  logOut(userId: number, sessionHash: string): Promise<void>
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
  /** Ends all sessions but the given one, and the person's tokens when that is wanted. */
  updatePassword(
    userId: number,
    change: { currentPassword: string; password: string; revokeTokens?: boolean | undefined },
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
  /** @param id the beginning of its hash, as lists show it. False when the person has no such session. */
  end(userId: number, id: string): Promise<boolean>
  endOthers(userId: number, session: string | null): Promise<void>
}

interface Parts {
  readonly store: AccountStore
  readonly clock: Clock
  readonly passwords: Passwords
  /** Told whose sessions became fewer, once that is stored. */
  readonly onAccessLost: (userId: number) => void
}

/** Is this somebody's password? Throttled by account and network. `outdated`: its hash is of weaker settings than today's. */
type Check = (
  email: string,
  user: User | null,
  password: string,
  device: Device,
) => Promise<Result<{ outdated: boolean }, Failure>>

const createCheck = ({ store, clock, passwords }: Parts): Check => {
  const throttle = createSignInThrottle({ clock, knownNetworks: (userId) => networksOf(store, userId, clock.now()) })
  return async (email, user, password, device) => {
    const attempt = { email, userId: user?.id ?? null, network: networkOf(device.address) }
    const wait = await throttle.attempt(attempt)
    if (wait > 0) return err(tooMany(wait))
    try {
      const { matches, outdated } = await passwords.verify(password, user?.passwordHash ?? null)
      if (!matches) return err(WRONG)
      throttle.succeeded(attempt)
      return ok({ outdated })
    } catch (error) {
      if (error instanceof PasswordsBusyError) return err(BUSY)
      throw error
    }
  }
}

/** Refuses while too many others are being hashed. */
export const hashPassword = async (passwords: Passwords, password: string): Promise<Result<string, Failure>> => {
  try {
    return ok(await passwords.hash(password))
  } catch (error) {
    if (error instanceof PasswordsBusyError) return err(BUSY)
    throw error
  }
}

const startSession = async ({ store, clock }: Parts, user: User, device: Device): Promise<SignedIn> => {
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

export const createSignIn = (parts: Parts): SignIn => {
  const { store, passwords, onAccessLost } = parts
  const check = createCheck(parts)
  return {
    start: (user, device) => startSession(parts, user, device),
    async logIn({ email, password }, device) {
      const user = await store.userByEmail(email)
      const checked = await check(email, user, password, device)
      if (!checked.ok) return checked
      if (user === null) return err(WRONG)
      if (checked.value.outdated) {
        // Next time will do as well: who knows the password gets in.
        const renewed = await hashPassword(passwords, password)
        if (renewed.ok) await store.updateUser(user.id, { passwordHash: renewed.value })
      }
      return ok(await startSession(parts, user, device))
    },
    async logOut(userId, sessionHash) {
      await store.removeSession(sessionHash)
      onAccessLost(userId)
    },
    async confirm(user, password, device) {
      const checked = await check(user.email, user, password, device)
      return checked.ok ? ok(null) : checked
    },
    find: (email) => store.userByEmail(email.trim().toLowerCase()),
    ...createOwnAccount(parts, check),
    ...createSessions(parts),
  }
}

/** What people change about their own account. */
const createOwnAccount = (
  { store, clock, passwords, onAccessLost }: Parts,
  check: Check,
): Pick<SignIn, 'updateMe' | 'updatePassword' | 'resetPassword'> => {
  const emailChanges = createThrottle({
    clock,
    windowSeconds: LIMITS.EMAIL_CHANGE_WINDOW_SECONDS,
    capacity: LIMITS.LOGIN_REMEMBERED,
    limit: LIMITS.EMAIL_CHANGES_PER_ACCOUNT,
  })

  return {
    async updateMe(userId, change, device) {
      const user = await store.userById(userId)
      if (user === null) return err(failure('not_found', 'This account does not exist any more.'))
      if (change.email !== undefined && change.email !== user.email) {
        const checked = await check(user.email, user, change.currentPassword ?? '', device)
        if (!checked.ok) return checked.error === WRONG ? err(WRONG_CURRENT) : checked
        const wait = emailChanges.attempt(String(userId))
        if (wait > 0) return err(tooManyChanges(wait))
      }
      return atomically(store, async (store) => {
        if (change.email !== undefined && change.email !== user.email) {
          // Nobody has shown that the address is theirs, so it must not meet what others addressed to it.
          const isTaken = (await store.userByEmail(change.email)) !== null
          const isInvited = await store.isInvited(change.email)
          if (isTaken || isInvited) return err(UNUSABLE_EMAIL)
          for (const { memberId } of await store.memberships(userId)) {
            await store.updateMember(memberId, { email: change.email })
          }
        }
        // Read in here: two settings that are changed at once must both be kept.
        const { preferences } = (await store.userById(userId)) ?? user
        await store.updateUser(userId, {
          name: change.name,
          email: change.email,
          preferences:
            change.options === undefined
              ? undefined
              : JSON.stringify(changePreferences(readPreferences(preferences), change.options)),
        })
        return ok((await store.userById(userId)) ?? user)
      })
    },
    async updatePassword(userId, change, session, device) {
      const user = await store.userById(userId)
      if (user === null) return err(failure('not_found', 'This account does not exist any more.'))
      const checked = await check(user.email, user, change.currentPassword, device)
      if (!checked.ok) return checked.error === WRONG ? err(WRONG_CURRENT) : checked
      const problem = judgePassword(change.password, [user.email, user.name])
      if (problem !== null) return err(failure('invalid', problem, { field: 'password' }))
      const hashed = await hashPassword(passwords, change.password)
      if (!hashed.ok) return hashed
      await store.transaction(async (store) => {
        await store.updateUser(userId, { passwordHash: hashed.value })
        await store.removeSessionsOf(userId, session)
        if (change.revokeTokens !== true) return
        for (const { id } of await store.personalTokens(userId)) await store.removeTokenOf(userId, id)
      })
      onAccessLost(userId)
      return ok(null)
    },
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
  }
}

const createSessions = ({ store, clock, onAccessLost }: Parts): Pick<SignIn, 'sessions' | 'end' | 'endOthers'> => ({
  sessions: (userId) => store.sessionsOf(userId, clock.now()),
  async end(userId, id) {
    const session = (await store.sessionsOf(userId, clock.now())).find(({ hash }) => sessionIdOf(hash) === id)
    if (session === undefined) return false
    await store.removeSession(session.hash)
    onAccessLost(userId)
    return true
  },
  async endOthers(userId, session) {
    await store.removeSessionsOf(userId, session)
    onAccessLost(userId)
  },
})
