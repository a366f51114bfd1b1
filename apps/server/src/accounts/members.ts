import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import type { AccountStore } from './accounts.store.ts'
import { refusalFor } from './actor.ts'
import type { Actor } from './actor.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { Member } from './model.ts'
import { NO_MEMBER } from './refusals.ts'
import { effectiveScopes, type Role, type Scope } from './roles.ts'

/** Roles of members, and their end. */

const LAST_OWNER = failure('conflict', 'An organisation needs an owner. Make somebody else an owner first.')

export const createMembers = ({
  store,
  onAccessLost,
  onMemberRemoved,
  onRoleChanged,
}: {
  readonly store: AccountStore
  /** Lets go what the person had in the organisation. */
  readonly onMemberRemoved: (organizationId: number, userId: number) => Promise<void>
  /** Lets go what somebody may not have there any more. */
  readonly onRoleChanged: (organizationId: number, userId: number, scopes: ReadonlySet<Scope>) => Promise<void>
  /** Told whose rights became fewer, once that is stored. */
  readonly onAccessLost: (userId: number) => void
}) => {
  /** @param refusalOf why the caller may not; null when they may */
  const end = async (
    organizationId: number,
    memberId: number,
    refusalOf: (member: Member) => Failure | null,
  ): Promise<Result<null, Failure>> => {
    const ended = await atomically(store, async (store): Promise<Result<Member, Failure>> => {
      const member = await store.member(organizationId, memberId)
      if (member === null) return err(NO_MEMBER)
      const refusal = refusalOf(member)
      if (refusal !== null) return err(refusal)
      if (member.role === 'owner' && member.user !== null && (await store.countOwners(organizationId)) <= 1) {
        return err(LAST_OWNER)
      }
      await store.removeMember(organizationId, memberId)
      return ok(member)
    })
    if (!ended.ok) return ended
    const { user } = ended.value
    if (user !== null) {
      onAccessLost(user.id)
      await onMemberRemoved(organizationId, user.id)
    }
    return ok(null)
  }

  return {
    async updateMember(
      organizationId: number,
      actor: Actor,
      memberId: number,
      change: { role: Role },
    ): Promise<Result<Member, Failure>> {
      const changed = await atomically(store, async (store): Promise<Result<Member, Failure>> => {
        const member = await store.member(organizationId, memberId)
        if (member === null) return err(NO_MEMBER)
        const refusal = refusalFor(actor, member.role, change.role)
        if (refusal !== null) return err(refusal)
        const isLastOwner =
          member.role === 'owner' && member.user !== null && (await store.countOwners(organizationId)) <= 1
        if (isLastOwner && change.role !== 'owner') return err(LAST_OWNER)
        // An open invitation to another role stands on the rights of who changed it.
        await store.updateMember(memberId, member.user === null ? { ...change, invitedBy: actor.userId } : change)
        return ok({ ...member, role: change.role })
      })
      const user = changed.ok ? changed.value.user : null
      if (user !== null) {
        onAccessLost(user.id)
        await onRoleChanged(organizationId, user.id, effectiveScopes(change.role, null))
      }
      return changed
    },

    /** The person's tokens of this organisation end as well. */
    removeMember: (organizationId: number, actor: Actor, memberId: number): Promise<Result<null, Failure>> =>
      end(organizationId, memberId, (member) => refusalFor(actor, member.role)),

    /** Whoever leaves needs no right for it; otherwise as if they were removed. */
    leave: (organizationId: number, memberId: number): Promise<Result<null, Failure>> =>
      end(organizationId, memberId, () => null),
  }
}
