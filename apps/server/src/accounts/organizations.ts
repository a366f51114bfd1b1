import type { Clock } from '../lib/clock.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import { LIMITS } from '../limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { ApiToken, Member, Organization, Team } from './model.ts'
import { judgePassword, PasswordsBusyError } from './passwords.ts'
import type { Passwords } from './passwords.ts'
import { mayManage } from './roles.ts'
import type { Role, Scope } from './roles.ts'
import { hashSecret, makeOrganizationToken, makeSecret } from './secrets.ts'
import { BUSY } from './sign-in.ts'
import type { Device, SignedIn, SignIn } from './sign-in.ts'
import { freeSlug, slugify } from './slugs.ts'

/** Organisations, their members, teams and tokens. */

/** Who wants to change something. */
export interface Actor {
  /** Null for tokens without a person. */
  readonly role: Role | null
  readonly scopes: ReadonlySet<Scope>
}

export interface Invited {
  readonly member: Member
  /** Goes into the link; only its hash is stored. */
  readonly secret: string
}

const DAY_MS = 86_400_000
const INVITATION_MS = LIMITS.INVITATION_DAYS * DAY_MS

const NO_MEMBER = failure('not_found', 'This member does not exist.')
const NO_TEAM = failure('not_found', 'This team does not exist.')
const LAST_OWNER = failure('conflict', 'An organisation needs an owner. Make somebody else an owner first.')
const NO_INVITATION = failure(
  'not_found',
  'This invitation does not exist, was used, or is out of date. Ask for a new one.',
)

const full = (what: string, limit: number): Failure =>
  failure('conflict', `An organisation has at most ${limit} ${what}. Remove some first.`)

export type Organizations = ReturnType<typeof createOrganizations>

export const createOrganizations = (parts: {
  readonly store: AccountStore
  readonly clock: Clock
  readonly passwords: Passwords
  readonly signIn: SignIn
}) => {
  const { store, clock, passwords, signIn } = parts

  const roleOf = (actor: Actor): Role => actor.role ?? (actor.scopes.has('org:admin') ? 'owner' : 'admin')

  const openInvitation = async (secret: string): Promise<{ member: Member; organization: Organization } | null> => {
    const member = await store.memberByInvite(hashSecret(secret))
    if (member === null || member.user !== null) return null
    if (member.inviteExpiresAt === null || member.inviteExpiresAt <= clock.now()) return null
    const organization = await store.organization(member.organizationId)
    return organization === null ? null : { member, organization }
  }

  return {
    async update(
      organizationId: number,
      change: { name?: string | undefined; slug?: string | undefined; retentionDays?: number | undefined },
    ): Promise<Result<Organization, Failure>> {
      return atomically(store, async (store) => {
        if (change.slug !== undefined) {
          const other = await store.organizationBySlug(change.slug)
          if (other !== null && other.id !== organizationId) {
            return err(failure('conflict', 'Another organisation has this slug.', { field: 'slug' }))
          }
        }
        await store.updateOrganization(organizationId, change)
        const organization = await store.organization(organizationId)
        return organization === null ? err(failure('not_found', 'This organisation does not exist.')) : ok(organization)
      })
    },

    /** Invites, or renews the invitation that is open. */
    async invite(
      organizationId: number,
      actor: Actor,
      invitation: { email: string; role: Role; teams?: readonly string[] | undefined },
    ): Promise<Result<Invited, Failure>> {
      if (!mayManage(roleOf(actor), invitation.role)) {
        return err(failure('forbidden', `Only an owner can invite an ${invitation.role}.`, { field: 'role' }))
      }
      return atomically(store, async (store) => {
        const known = await store.memberByEmail(organizationId, invitation.email)
        if (known?.user != null) {
          return err(failure('conflict', 'This person is a member already.', { field: 'email' }))
        }
        if (known !== null && !mayManage(roleOf(actor), known.role)) {
          return err(failure('forbidden', `Only an owner can renew the invitation of an ${known.role}.`))
        }
        if (known === null && (await store.countMembers(organizationId)) >= LIMITS.MEMBERS_PER_ORGANIZATION) {
          return err(full('members', LIMITS.MEMBERS_PER_ORGANIZATION))
        }
        const secret = makeSecret()
        const invite = { inviteHash: hashSecret(secret), inviteExpiresAt: clock.now() + INVITATION_MS }
        if (known !== null) await store.updateMember(known.id, { role: invitation.role, ...invite })
        const id =
          known?.id ??
          (await store.insertMember({
            organizationId,
            userId: null,
            email: invitation.email,
            role: invitation.role,
            ...invite,
            now: clock.now(),
          }))
        for (const reference of invitation.teams ?? []) {
          const team = await store.team(organizationId, reference)
          if (team === null) return err(failure('invalid', `There is no team "${reference}".`, { field: 'teams' }))
          await store.addTeamMember(team.id, id)
        }
        const member = await store.member(organizationId, id)
        return member === null ? err(NO_MEMBER) : ok({ member, secret })
      })
    },

    async renewInvitation(organizationId: number, actor: Actor, memberId: number): Promise<Result<Invited, Failure>> {
      return atomically(store, async (store) => {
        const member = await store.member(organizationId, memberId)
        if (member === null) return err(NO_MEMBER)
        if (member.user !== null) return err(failure('conflict', 'This person has accepted the invitation.'))
        if (!mayManage(roleOf(actor), member.role)) {
          return err(failure('forbidden', `Only an owner can invite an ${member.role}.`))
        }
        const secret = makeSecret()
        const inviteExpiresAt = clock.now() + INVITATION_MS
        await store.updateMember(memberId, { inviteHash: hashSecret(secret), inviteExpiresAt })
        return ok({ member: { ...member, inviteExpiresAt }, secret })
      })
    },

    async invitation(
      secret: string,
    ): Promise<Result<{ member: Member; organization: Organization; hasAccount: boolean }, Failure>> {
      const found = await openInvitation(secret)
      if (found === null) return err(NO_INVITATION)
      return ok({ ...found, hasAccount: (await store.userByEmail(found.member.email)) !== null })
    },

    /** With an account: its password is asked for. Without: the account is made. Signs in. */
    async acceptInvitation(
      secret: string,
      person: { name?: string | undefined; password: string },
      device: Device,
    ): Promise<Result<SignedIn, Failure>> {
      const found = await openInvitation(secret)
      if (found === null) return err(NO_INVITATION)
      const { email } = found.member
      const known = await store.userByEmail(email)
      let passwordHash = ''
      if (known === null) {
        const problem = judgePassword(person.password, [email, person.name ?? ''])
        if (problem !== null) return err(failure('invalid', problem, { field: 'password' }))
        try {
          passwordHash = await passwords.hash(person.password)
        } catch (error) {
          if (error instanceof PasswordsBusyError) return err(BUSY)
          throw error
        }
      } else {
        const confirmed = await signIn.confirm(known, person.password, device)
        if (!confirmed.ok) return confirmed
      }
      const accepted = await store.transaction(async (store) => {
        const member = await store.memberByInvite(hashSecret(secret))
        if (member === null) return null
        const user =
          (await store.userByEmail(email)) ??
          (await store.insertUser({ email, name: person.name ?? '', passwordHash, now: clock.now() }))
        // Somebody else made the account between the two looks: its password was not confirmed.
        if (known === null && user.passwordHash !== passwordHash) return null
        const isMember = (await store.membership(user.id, String(member.organizationId))) !== null
        if (isMember) await store.removeMember(member.organizationId, member.id)
        else await store.updateMember(member.id, { userId: user.id, inviteHash: null, inviteExpiresAt: null })
        return user
      })
      return accepted === null ? err(NO_INVITATION) : ok(await signIn.start(accepted, device))
    },

    async updateMember(
      organizationId: number,
      actor: Actor,
      memberId: number,
      change: { role: Role },
    ): Promise<Result<Member, Failure>> {
      return atomically(store, async (store) => {
        const member = await store.member(organizationId, memberId)
        if (member === null) return err(NO_MEMBER)
        const own = roleOf(actor)
        if (!mayManage(own, member.role) || !mayManage(own, change.role)) {
          return err(
            failure('forbidden', 'Only an owner can make somebody an owner or change an owner.', { field: 'role' }),
          )
        }
        const isLastOwner =
          member.role === 'owner' && member.user !== null && (await store.countOwners(organizationId)) <= 1
        if (isLastOwner && change.role !== 'owner') return err(LAST_OWNER)
        await store.updateMember(memberId, change)
        return ok({ ...member, role: change.role })
      })
    },

    async removeMember(organizationId: number, actor: Actor, memberId: number): Promise<Result<null, Failure>> {
      return atomically(store, async (store) => {
        const member = await store.member(organizationId, memberId)
        if (member === null) return err(NO_MEMBER)
        if (!mayManage(roleOf(actor), member.role)) {
          return err(failure('forbidden', 'Only an owner can remove an owner.'))
        }
        if (member.role === 'owner' && member.user !== null && (await store.countOwners(organizationId)) <= 1) {
          return err(LAST_OWNER)
        }
        await store.removeMember(organizationId, memberId)
        return ok(null)
      })
    },

    async createTeam(
      organizationId: number,
      team: { name?: string | undefined; slug?: string | undefined },
    ): Promise<Result<Team, Failure>> {
      return atomically(store, async (store) => {
        if ((await store.countTeams(organizationId)) >= LIMITS.TEAMS_PER_ORGANIZATION) {
          return err(full('teams', LIMITS.TEAMS_PER_ORGANIZATION))
        }
        const name = team.name ?? team.slug
        if (name === undefined) return err(failure('invalid', 'A team needs a name.', { field: 'name' }))
        const isTaken = async (slug: string): Promise<boolean> => (await store.team(organizationId, slug)) !== null
        if (team.slug !== undefined && (await isTaken(team.slug))) {
          return err(failure('conflict', 'A team with this slug exists.', { field: 'slug' }))
        }
        const slug = team.slug ?? (await freeSlug(slugify(name, 'team'), isTaken))
        await store.insertTeam({ organizationId, slug, name, now: clock.now() })
        const created = await store.team(organizationId, slug)
        return created === null ? err(NO_TEAM) : ok(created)
      })
    },

    async updateTeam(
      organizationId: number,
      reference: string,
      change: { name?: string | undefined; slug?: string | undefined },
    ): Promise<Result<Team, Failure>> {
      return atomically(store, async (store) => {
        const team = await store.team(organizationId, reference)
        if (team === null) return err(NO_TEAM)
        const other = change.slug === undefined ? null : await store.team(organizationId, change.slug)
        if (other !== null && other.id !== team.id) {
          return err(failure('conflict', 'A team with this slug exists.', { field: 'slug' }))
        }
        await store.updateTeam(team.id, change)
        return ok({ ...team, name: change.name ?? team.name, slug: change.slug ?? team.slug })
      })
    },

    async removeTeam(organizationId: number, reference: string): Promise<Result<null, Failure>> {
      return atomically(store, async (store) => {
        const team = await store.team(organizationId, reference)
        if (team === null) return err(NO_TEAM)
        await store.removeTeam(team.id)
        return ok(null)
      })
    },

    async setTeamMember(
      organizationId: number,
      reference: string,
      memberId: number,
      belongs: boolean,
    ): Promise<Result<Team, Failure>> {
      return atomically(store, async (store) => {
        const team = await store.team(organizationId, reference)
        if (team === null) return err(NO_TEAM)
        if ((await store.member(organizationId, memberId)) === null) return err(NO_MEMBER)
        await (belongs ? store.addTeamMember(team.id, memberId) : store.removeTeamMember(team.id, memberId))
        const changed = await store.team(organizationId, String(team.id))
        return changed === null ? err(NO_TEAM) : ok(changed)
      })
    },

    /** The token is in this answer only. It does not do more than its maker may do now. */
    async createToken(
      organization: { readonly id: number; readonly slug: string },
      actor: Actor,
      token: { name: string; scopes: readonly Scope[]; expiresInDays?: number | undefined; publicUrl: string },
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
      const secret = makeOrganizationToken({ organizationSlug: organization.slug, publicUrl: token.publicUrl, now })
      return atomically(store, async (store) => {
        if ((await store.tokens(organization.id)).length >= LIMITS.TOKENS_PER_ORGANIZATION) {
          return err(full('tokens', LIMITS.TOKENS_PER_ORGANIZATION))
        }
        await store.insertToken({
          organizationId: organization.id,
          userId: null,
          name: token.name,
          hash: hashSecret(secret),
          tail: secret.slice(-4),
          scopes: [...new Set(token.scopes)],
          now,
          expiresAt: token.expiresInDays === undefined ? null : now + token.expiresInDays * DAY_MS,
        })
        const created = await store.tokenByHash(hashSecret(secret))
        return created === null
          ? err(failure('not_found', 'This token does not exist.'))
          : ok({ token: created, secret })
      })
    },

    async removeToken(organizationId: number, id: number): Promise<Result<null, Failure>> {
      return (await store.removeToken(organizationId, id))
        ? ok(null)
        : err(failure('not_found', 'This token does not exist.'))
    },
  }
}
