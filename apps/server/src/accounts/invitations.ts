import type { Clock } from '../lib/clock.ts'
import { DAY_MS } from '../lib/durations.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import { LIMITS } from './limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { refusalFor } from './actor.ts'
import type { Actor } from './actor.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { Member, Organization } from './model.ts'
import { judgePassword } from './passwords.ts'
import type { Passwords } from './passwords.ts'
import { full, NO_MEMBER } from './refusals.ts'
import { effectiveScopes, missingFor } from './roles.ts'
import type { Role } from './roles.ts'
import { hashSecret, makeSecret } from './secrets.ts'
import { hashPassword } from './sign-in.ts'
import type { Device, SignedIn, SignIn } from './sign-in.ts'

/** How people come into an organisation: an owner or manager invites, the person accepts by the link. */

export interface Invited {
  readonly member: Member
  /** Goes into the link; only its hash is stored. */
  readonly secret: string
}

const INVITATION_MS = LIMITS.INVITATION_DAYS * DAY_MS

const NO_INVITATION = failure(
  'not_found',
  'This invitation does not exist, was used, or is out of date. Ask for a new one.',
)

interface Parts {
  readonly store: AccountStore
  readonly clock: Clock
  readonly passwords: Passwords
  readonly signIn: SignIn
}

/** An invitation that may be accepted, and into what. */
interface OpenInvitation {
  readonly member: Member
  readonly organization: Organization
}

/** An invitation stands on the rights of who gave it, and falls with them. */
const isStillGiven = async (store: AccountStore, { invitedBy, organizationId, role }: Member): Promise<boolean> => {
  if (invitedBy === null) return true
  const giver = await store.membership(invitedBy, String(organizationId))
  return giver !== null && missingFor(effectiveScopes(giver.role, null), role).length === 0
}

const openInvitation = async ({ store, clock }: Parts, secret: string): Promise<OpenInvitation | null> => {
  const member = await store.memberByInvite(hashSecret(secret))
  if (member === null || member.user !== null) return null
  if (member.inviteExpiresAt === null || member.inviteExpiresAt <= clock.now()) return null
  if (!(await isStillGiven(store, member))) return null
  const organization = await store.organization(member.organizationId)
  return organization === null ? null : { member, organization }
}

export const createInvitations = (parts: Parts) => {
  const { store, clock } = parts
  return {
    /** Invites, or renews the invitation that is open. */
    async invite(
      organizationId: number,
      actor: Actor,
      invitation: { email: string; role: Role; teams?: readonly string[] | undefined },
    ): Promise<Result<Invited, Failure>> {
      const refusal = refusalFor(actor, invitation.role)
      if (refusal !== null) return err(refusal)
      const teams = invitation.teams ?? []
      if (teams.length > 0 && !actor.scopes.has('team:write')) {
        return err(failure('forbidden', 'Putting somebody into a team needs the scope team:write.', { field: 'teams' }))
      }
      return atomically(store, async (store) => {
        const known = await store.memberByEmail(organizationId, invitation.email)
        if (known?.user != null) {
          return err(failure('conflict', 'This person is a member already.', { field: 'email' }))
        }
        const refusal = known === null ? null : refusalFor(actor, known.role)
        if (refusal !== null) return err(refusal)
        if (known === null && (await store.countMembers(organizationId)) >= LIMITS.MEMBERS_PER_ORGANIZATION) {
          return err(full('members', LIMITS.MEMBERS_PER_ORGANIZATION))
        }
        const secret = makeSecret()
        const invite = {
          inviteHash: hashSecret(secret),
          inviteExpiresAt: clock.now() + INVITATION_MS,
          invitedBy: actor.userId,
        }
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
        for (const reference of teams) {
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
        const refusal = refusalFor(actor, member.role)
        if (refusal !== null) return err(refusal)
        const secret = makeSecret()
        const inviteExpiresAt = clock.now() + INVITATION_MS
        await store.updateMember(memberId, {
          inviteHash: hashSecret(secret),
          inviteExpiresAt,
          invitedBy: actor.userId,
        })
        return ok({ member: { ...member, inviteExpiresAt }, secret })
      })
    },

    /** Whether its address has an account is not said: who invites would learn it of anybody. */
    async invitation(secret: string): Promise<Result<OpenInvitation, Failure>> {
      const found = await openInvitation(parts, secret)
      return found === null ? err(NO_INVITATION) : ok(found)
    },

    acceptInvitation: (secret: string, person: NewMember, device: Device): Promise<Result<SignedIn, Failure>> =>
      acceptInvitation(parts, secret, person, device),
  }
}

interface NewMember {
  readonly name?: string | undefined
  readonly password: string
}

/** With an account: its password is asked for. Without: the account is made. Signs in. */
const acceptInvitation = async (
  parts: Parts,
  secret: string,
  person: NewMember,
  device: Device,
): Promise<Result<SignedIn, Failure>> => {
  const { store, clock, passwords, signIn } = parts
  const found = await openInvitation(parts, secret)
  if (found === null) return err(NO_INVITATION)
  const { email } = found.member
  // Of an existing account as well, whose password has passed: a weak one is answered alike with and without an account.
  // Not with the name that is typed here, which an existing account's password was not judged with.
  const problem = judgePassword(person.password, [email])
  if (problem !== null) return err(failure('invalid', problem, { field: 'password' }))
  const known = await store.userByEmail(email)
  let passwordHash = ''
  if (known === null) {
    const hashed = await hashPassword(passwords, person.password)
    if (!hashed.ok) return hashed
    passwordHash = hashed.value
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
}
