import { parseDsn } from '@firsthand/protocol'
import type { Clock } from '../lib/clock.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import { LIMITS } from '../limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { ApiToken } from './model.ts'
import { judgePassword, PasswordsBusyError } from './passwords.ts'
import type { Passwords } from './passwords.ts'
import { insertProjectWithKey } from './projects.ts'
import { SCOPES } from './roles.ts'
import { hashSecret, makeOrganizationToken, makePublicKey } from './secrets.ts'
import { BUSY } from './sign-in.ts'
import type { Device, SignedIn, SignIn } from './sign-in.ts'
import { slugify } from './slugs.ts'

/** How an installation gets its first owner: by the set-up page, once, or by the command, as often as one likes. */

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
  /** Goes into the token, without a final slash. */
  readonly publicUrl: string
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

const ALREADY = failure('conflict', 'Firsthand is set up already. Sign in, or ask an owner to invite you.')

export type Setup = ReturnType<typeof createSetup>

export const createSetup = (parts: {
  readonly store: AccountStore
  readonly clock: Clock
  readonly passwords: Passwords
  readonly signIn: SignIn
  readonly onChange: () => void
}) => {
  const { store, clock, passwords, signIn, onChange } = parts

  const hash = async (password: string, personal: readonly string[]): Promise<Result<string, Failure>> => {
    const problem = judgePassword(password, personal)
    if (problem !== null) return err(failure('invalid', problem, { field: 'password' }))
    try {
      return ok(await passwords.hash(password))
    } catch (error) {
      if (error instanceof PasswordsBusyError) return err(BUSY)
      throw error
    }
  }

  return {
    needed: async (): Promise<boolean> => !(await store.hasUsers()),

    /** Owner, organisation, project and key; signs in. */
    async create(
      first: FirstOwner,
      device: Device,
    ): Promise<
      Result<
        { signedIn: SignedIn; organization: string; project: string; projectId: number; publicKey: string },
        Failure
      >
    > {
      if (await store.hasUsers()) return err(ALREADY)
      const passwordHash = await hash(first.password, [first.email, first.name ?? '', first.organizationName])
      if (!passwordHash.ok) return passwordHash
      const made = await store.transaction(async (store) => {
        const now = clock.now()
        if ((await store.hasUsers()) || !(await store.claimSetup(now))) return null
        const user = await store.insertUser({
          email: first.email,
          name: first.name ?? '',
          passwordHash: passwordHash.value,
          now,
        })
        const organization = await store.insertOrganization({
          slug: first.organizationSlug ?? slugify(first.organizationName, 'organization'),
          name: first.organizationName,
          retentionDays: LIMITS.RETENTION_DEFAULT_DAYS,
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
      })
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

      let passwordHash = ''
      if ((await store.userByEmail(email)) === null) {
        const hashed = await hash(options.password, [email])
        if (!hashed.ok) return hashed
        passwordHash = hashed.value
      }

      const result = await atomically(store, async (store): Promise<Result<Ensured, Failure>> => {
        const now = clock.now()
        const user =
          (await store.userByEmail(email)) ?? (await store.insertUser({ email, name: '', passwordHash, now }))
        await store.claimSetup(now)

        const organization =
          (await store.organizationBySlug(organizationSlug)) ??
          (await store.insertOrganization({
            slug: organizationSlug,
            name: capitalise(organizationSlug),
            retentionDays: LIMITS.RETENTION_DEFAULT_DAYS,
            now,
          }))
        const organizationId = organization.id
        if ((await store.membership(user.id, String(organizationId))) === null) {
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

        const ensured = await ensureProject(store, organizationId, now, options, dsn)
        if (!ensured.ok) return ensured

        const own = (await store.tokens(organizationId)).filter((token) => token.name === SETUP_TOKEN_NAME)
        // Those go that were not used for longest: the one that a script lives on stays, however old it is.
        const stale = own.toSorted((a, b) => usedAt(b) - usedAt(a)).slice(SETUP_TOKENS_KEPT - 1)
        for (const old of stale) await store.removeToken(organizationId, old.id)
        const token = makeOrganizationToken({ organizationSlug, publicUrl: options.publicUrl, now })
        await store.insertToken({
          organizationId,
          userId: null,
          name: SETUP_TOKEN_NAME,
          hash: hashSecret(token),
          tail: token.slice(-4),
          scopes: SCOPES,
          now,
          expiresAt: null,
        })
        return ok({ organization: organizationSlug, project: projectSlug, ...ensured.value, token })
      })
      if (result.ok) onChange()
      return result
    },
  }
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
