import type { Clock } from '../lib/clock.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import type { AccountStore } from './accounts.store.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import { createInvitations } from './invitations.ts'
import { createMembers } from './members.ts'
import type { Organization } from './model.ts'
import type { Passwords } from './passwords.ts'
import type { Scope } from './roles.ts'
import type { SignIn } from './sign-in.ts'
import { OWN_ORGANIZATION } from './own-project.ts'
import { createTeams } from './teams.ts'
import { createTokens } from './tokens.ts'

const KEPT_SLUG = failure(
  'conflict',
  'The slug firsthand-internal is kept for the organisation in which Firsthand watches itself.',
  { field: 'slug' },
)

/** Organisations, with their members, teams and tokens. */

export type { Invited } from './invitations.ts'

export type Organizations = ReturnType<typeof createOrganizations>

export const createOrganizations = (parts: {
  readonly store: AccountStore
  readonly clock: Clock
  readonly passwords: Passwords
  readonly signIn: SignIn
  /** Told whose rights became fewer, once that is stored. */
  readonly onAccessLost: (userId: number) => void
  /** Lets go what somebody had in an organisation, once the membership is removed. */
  readonly onMemberRemoved: (organizationId: number, userId: number) => Promise<void>
  /** Lets go what somebody may not have there any more, by what they may do from now on. */
  readonly onRoleChanged: (organizationId: number, userId: number, scopes: ReadonlySet<Scope>) => Promise<void>
}) => {
  const { store } = parts
  return {
    async update(
      organizationId: number,
      change: {
        name?: string | undefined
        slug?: string | undefined
        retentionDays?: number | undefined
        bytesPerDay?: number | null | undefined
      },
    ): Promise<Result<Organization, Failure>> {
      return atomically(store, async (store) => {
        if (change.slug !== undefined) {
          const before = await store.organization(organizationId)
          const slugs = [before?.slug, change.slug]
          // Whoever had it would get what every console reports, of all organisations.
          if (before?.slug !== change.slug && slugs.includes(OWN_ORGANIZATION.slug)) return err(KEPT_SLUG)
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

    ...createInvitations(parts),
    ...createMembers(parts),
    ...createTeams(parts),
    ...createTokens(parts),
  }
}
