import { parseDsn } from '@firsthand/protocol'
import type { Clock } from '../lib/clock.ts'
import { networkOf } from '../lib/network.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import { LIMITS } from './limits.ts'
import { LIMITS as STORAGE_LIMITS } from '../storage/limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { ApiToken, User } from './model.ts'
import { judgePassword } from './passwords.ts'
import type { Passwords } from './passwords.ts'
import { insertProjectWithKey } from './projects.ts'
import { SCOPES } from './roles.ts'
import { hashSecret, makeOrganizationToken, makePublicKey, sameSecret } from './secrets.ts'
import { hashPassword } from './sign-in.ts'
import type { Device, SignedIn, SignIn } from './sign-in.ts'
import { slugify } from './slugs.ts'
import { createThrottle } from './throttle.ts'

/**
 * How an installation gets its first owner: by the set-up page, once, or by the command, as often as one likes. The command
 * has the ledger, which proves enough; whoever comes by the page shows the token that the server printed at its start.
 */

/** Where people open the set-up page with the token. A fragment is in no request, so in no log and no `Referer` either. */
export const setupLink = (publicUrl: string, token: string): string => `${publicUrl}/setup#token=${token}`

export interface FirstOwner {
  readonly email: string
  readonly name?: string | undefined
  readonly password: string
  readonly organizationName: string
  readonly organizationSlug?: string | undefined
  readonly projectName: string
  readonly platform: string
}

export interface EnsureOptions {
  readonly email: string
  readonly password: string
  readonly organizationSlug: string
  readonly projectSlug: string
  /** An existing DSN, whose public key and project id are to work here. */
  readonly adoptDsn?: string | undefined
  readonly platform?: string | undefined
  /** Goes into the token, without a final slash; null when nobody knows it yet. */
  readonly publicUrl: string | null
}

export interface Ensured {
  readonly organization: string
  readonly project: string
  readonly projectId: number
  readonly publicKey: string
  /** May read and write everything in the organisation. */
  readonly token: string
}

/** The command makes a token each time, because a token cannot be shown twice; only so many of them are kept. */
const SETUP_TOKENS_KEPT = 10
const SETUP_TOKEN_NAME = 'setup'

const SLUG = /^(?![0-9]+$)[a-z0-9][a-z0-9_-]{0,49}$/

const usedAt = (token: ApiToken): number => token.lastUsedAt ?? token.createdAt

const capitalise = (slug: string): string => slug.charAt(0).toUpperCase() + slug.slice(1).replaceAll('-', ' ')

const TOKEN_MISSING = failure(
  'forbidden',
  'Setting up takes the set-up token, which shows that you run this server. Open the link that the server printed when it started, or have it printed again on its machine: npx firsthand setup-link',
  { field: 'setupToken' },
)
const TOKEN_WRONG = failure(
  'forbidden',
  'This is not the set-up token of this server. Open the link that the server printed when it started, or have it printed again on its machine: npx firsthand setup-link',
  { field: 'setupToken' },
)

const tooManyTokens = (retryAfterSeconds: number): Failure =>
  failure(
    'too_many_attempts',
    `Too many wrong set-up tokens came from your address. Wait ${Math.ceil(retryAfterSeconds / 60)} minutes, or open the link that the server printed: the right token always works.`,
    { field: 'setupToken', retryAfterSeconds },
  )

const ALREADY = failure('conflict', 'Firsthand is set up already. Sign in, or ask an owner to invite you.')

export type Setup = ReturnType<typeof createSetup>

export const createSetup = (parts: {
  readonly store: AccountStore
  readonly clock: Clock
  readonly passwords: Passwords
  readonly signIn: SignIn
  /** What the set-up page has to show; the same in every process of the installation. */
  readonly token: string
  readonly onChange: () => void
}) => {
  const { store, clock, passwords, signIn, onChange } = parts
  const wrongTokens = createThrottle({
    clock,
    windowSeconds: LIMITS.LOGIN_WINDOW_SECONDS,
    limit: LIMITS.SETUP_ATTEMPTS_PER_ADDRESS,
    capacity: LIMITS.LOGIN_REMEMBERED,
  })

  /** Only wrong ones count: nobody who guesses keeps out the operator, who may come from the same address. */
  const checkToken = (given: string, device: Device): Failure | null => {
    if (sameSecret(given, parts.token)) return null
    const wait = wrongTokens.attempt(networkOf(device.address))
    if (wait > 0) return tooManyTokens(wait)
    return given === '' ? TOKEN_MISSING : TOKEN_WRONG
  }

  return {
    needed: async (): Promise<boolean> => !(await store.hasUsers()),

    /**
     * Owner, organisation, project and key; signs in.
     *
     * @param token as the server printed it; empty when the visitor showed none
     */
    async create(
      first: FirstOwner,
      token: string,
      device: Device,
    ): Promise<
      Result<
        { signedIn: SignedIn; organization: string; project: string; projectId: number; publicKey: string },
        Failure
      >
    > {
      if (await store.hasUsers()) return err(ALREADY)
      const refused = checkToken(token, device)
      if (refused !== null) return err(refused)
      const passwordHash = await hashNew(passwords, first.password, [
        first.email,
        first.name ?? '',
        first.organizationName,
      ])
      if (!passwordHash.ok) return passwordHash
      const made = await store.transaction((store) => insertFirst(store, first, passwordHash.value, clock.now()))
      if (made === null) return err(ALREADY)
      onChange()
      const { user, ...rest } = made
      return ok({ signedIn: await signIn.start(user, device), ...rest })
    },

    /**
     * Makes what is missing and leaves alone what is there (an existing account keeps its password). Safe beside a running
     * server, and as often as one likes.
     */
    async ensure(options: EnsureOptions): Promise<Result<Ensured, Failure>> {
      const email = options.email.trim().toLowerCase()
      const { organizationSlug, projectSlug } = options
      const dsn = checkOptions(options, email)
      if (!dsn.ok) return dsn
      const passwordHash = await passwordFor(store, passwords, options, email)
      if (!passwordHash.ok) return passwordHash
      const result = await atomically(store, async (store): Promise<Result<Ensured, Failure>> => {
        const now = clock.now()
        const user =
          (await store.userByEmail(email)) ??
          (await store.insertUser({ email, name: '', passwordHash: passwordHash.value, now }))
        await store.claimSetup(now)
        const organization = await ensureOwner(store, user, organizationSlug, now)
        if (!organization.ok) return organization
        const ensured = await ensureProject(store, organization.value, now, options, dsn.value)
        if (!ensured.ok) return ensured
        const token = await replaceToken(store, organization.value, user.id, options, now)
        return ok({ organization: organizationSlug, project: projectSlug, ...ensured.value, token })
      })
      if (result.ok) onChange()
      return result
    },
  }
}

/** @param personal what a password must not be made of */
const hashNew = async (
  passwords: Passwords,
  password: string,
  personal: readonly string[],
): Promise<Result<string, Failure>> => {
  const problem = judgePassword(password, personal)
  return problem === null ? hashPassword(passwords, password) : err(failure('invalid', problem, { field: 'password' }))
}

/** Of a new account, for its password; of one that exists it is empty. The account must be who is meant. */
const passwordFor = async (
  store: AccountStore,
  passwords: Passwords,
  options: EnsureOptions,
  email: string,
): Promise<Result<string, Failure>> => {
  const account = await store.userByEmail(email)
  if (account === null) return hashNew(passwords, options.password, [email])
  if ((await store.membership(account.id, options.organizationSlug)) !== null) return ok('')
  // Anybody may have given their account this address. Who gets an organisation must be the one who is meant.
  const { matches } = await passwords.verify(options.password, account.passwordHash)
  if (matches) return ok('')
  const detail = `The account ${email} exists, and this is not its password, so it gets no part in ${options.organizationSlug}. Give its password, or another e-mail address.`
  return err(failure('conflict', detail, { field: 'password' }))
}

/** Inside a transaction: owner, organisation and project. Null when somebody else was first. */
const insertFirst = async (store: AccountStore, first: FirstOwner, passwordHash: string, now: number) => {
  if ((await store.hasUsers()) || !(await store.claimSetup(now))) return null
  const user = await store.insertUser({
    email: first.email,
    name: first.name ?? '',
    passwordHash,
    now,
  })
  const organization = await store.insertOrganization({
    slug: first.organizationSlug ?? slugify(first.organizationName, 'organization'),
    name: first.organizationName,
    retentionDays: STORAGE_LIMITS.RETENTION_DEFAULT_DAYS,
    now,
  })
  await store.insertMember({
    organizationId: organization.id,
    userId: user.id,
    email: user.email,
    role: 'owner',
    inviteHash: null,
    inviteExpiresAt: null,
    now,
  })
  const project = slugify(first.projectName, 'project')
  const { projectId, publicKey } = await insertProjectWithKey(store, {
    organizationId: organization.id,
    slug: project,
    name: first.projectName,
    platform: first.platform,
    now,
  })
  return { user, organization: organization.slug, project, projectId, publicKey }
}

type AdoptedDsn = NonNullable<ReturnType<typeof parseDsn>>

/** The DSN to adopt, null for none; refuses options that cannot be. */
const checkOptions = (options: EnsureOptions, email: string): Result<AdoptedDsn | null, Failure> => {
  const { organizationSlug, projectSlug } = options
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
    return err(failure('invalid', `"${options.email}" is not an e-mail address.`, { field: 'email' }))
  }
  for (const [field, slug] of [
    ['organization', organizationSlug],
    ['project', projectSlug],
  ] as const) {
    if (!SLUG.test(slug)) {
      const detail = `"${slug}" cannot be the slug of the ${field}: use up to 50 lower-case letters, digits, - and _, not digits alone.`
      return err(failure('invalid', detail, { field }))
    }
  }
  const dsn = options.adoptDsn === undefined ? null : parseDsn(options.adoptDsn)
  if (options.adoptDsn !== undefined && dsn === null) {
    const detail = `"${options.adoptDsn}" is not a DSN. It looks like https://<public key>@<host>/<project id>.`
    return err(failure('invalid', detail, { field: 'adopt-dsn' }))
  }
  if (dsn !== null && (dsn.projectId < 1 || dsn.projectId > LIMITS.ADOPTED_PROJECT_ID)) {
    const detail = `The project id ${dsn.projectId} cannot be adopted: it must be between 1 and ${LIMITS.ADOPTED_PROJECT_ID}.`
    return err(failure('invalid', detail, { field: 'adopt-dsn' }))
  }
  return ok(dsn)
}

/** Inside a transaction: the organisation's id, whose owner the user is or becomes. */
const ensureOwner = async (
  store: AccountStore,
  user: User,
  organizationSlug: string,
  now: number,
): Promise<Result<number, Failure>> => {
  const { email } = user
  const organization =
    (await store.organizationBySlug(organizationSlug)) ??
    (await store.insertOrganization({
      slug: organizationSlug,
      name: capitalise(organizationSlug),
      retentionDays: STORAGE_LIMITS.RETENTION_DEFAULT_DAYS,
      now,
    }))
  const organizationId = organization.id
  const membership = await store.membership(user.id, String(organizationId))
  if (membership !== null && membership.role !== 'owner') {
    const detail = `${email} is ${membership.role} of ${organizationSlug} and no owner, so a token of theirs cannot do everything there. Give the e-mail address of an owner.`
    return err(failure('conflict', detail, { field: 'email' }))
  }
  if (membership === null) {
    const invited = await store.memberByEmail(organizationId, email)
    if (invited === null) {
      await store.insertMember({
        organizationId,
        userId: user.id,
        email,
        role: 'owner',
        inviteHash: null,
        inviteExpiresAt: null,
        now,
      })
    } else {
      const accepted = { userId: user.id, role: 'owner', inviteHash: null, inviteExpiresAt: null } as const
      await store.updateMember(invited.id, accepted)
    }
  }
  return ok(organizationId)
}

/** Inside a transaction: another token of the command, in place of the ones that were not used for longest. */
const replaceToken = async (
  store: AccountStore,
  organizationId: number,
  userId: number,
  { organizationSlug, publicUrl }: EnsureOptions,
  now: number,
): Promise<string> => {
  const own = (await store.tokens(organizationId)).filter((token) => token.name === SETUP_TOKEN_NAME)
  // Those go that were not used for longest: the one that a script lives on stays, however old it is.
  const stale = own.toSorted((a, b) => usedAt(b) - usedAt(a)).slice(SETUP_TOKENS_KEPT - 1)
  for (const old of stale) await store.removeToken(organizationId, old.id)
  const token = makeOrganizationToken({ organizationSlug, publicUrl, now })
  await store.insertToken({
    organizationId,
    userId,
    name: SETUP_TOKEN_NAME,
    hash: hashSecret(token),
    tail: token.slice(-4),
    scopes: SCOPES,
    now,
    expiresAt: null,
  })
  return token
}

const ensureProject = async (
  store: AccountStore,
  organizationId: number,
  now: number,
  options: EnsureOptions,
  dsn: { readonly publicKey: string; readonly projectId: number } | null,
): Promise<Result<{ projectId: number; publicKey: string }, Failure>> => {
  const slug = options.projectSlug
  const project = await store.project(organizationId, slug)
  const taken = dsn === null ? null : await store.keyContext(dsn.publicKey)
  if (dsn !== null) {
    if (taken !== null && taken.projectId !== project?.id) {
      return err(
        failure(
          'conflict',
          `The key ${dsn.publicKey} belongs to another project (${taken.projectSlug}). Remove it there first.`,
        ),
      )
    }
    if (project !== null && project.id !== dsn.projectId) {
      const detail = `The project ${slug} exists with the id ${project.id}, so it cannot take over the id ${dsn.projectId}. Choose another --project.`
      return err(failure('conflict', detail))
    }
    if (project === null && (await store.hasProjectId(dsn.projectId))) {
      const detail = `The project id ${dsn.projectId} is in use by another project, or was by a deleted one, so the DSN cannot be adopted.`
      return err(failure('conflict', detail))
    }
  }
  if (project === null) {
    const made = await insertProjectWithKey(store, {
      id: dsn?.projectId,
      publicKey: dsn?.publicKey,
      organizationId,
      slug,
      name: capitalise(slug),
      platform: options.platform ?? '',
      now,
    })
    return ok(made)
  }
  if (dsn !== null) {
    if (taken === null) {
      await store.insertKey({ projectId: project.id, publicKey: dsn.publicKey, label: 'Adopted', rateLimit: null, now })
    } else if (!taken.active) {
      await store.updateKey(taken.keyId, { active: true })
    }
    return ok({ projectId: project.id, publicKey: dsn.publicKey })
  }
  const usable = (await store.keys(project.id, { offset: 0, limit: LIMITS.KEYS_PER_PROJECT })).find((key) => key.active)
  if (usable !== undefined) return ok({ projectId: project.id, publicKey: usable.publicKey })
  const publicKey = makePublicKey()
  await store.insertKey({ projectId: project.id, publicKey, label: 'Default', rateLimit: null, now })
  return ok({ projectId: project.id, publicKey })
}
