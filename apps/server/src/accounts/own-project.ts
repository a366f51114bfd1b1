import type { Clock } from '../lib/clock.ts'
import { LIMITS } from '../storage/limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { insertProjectWithKey } from './projects.ts'

/**
 * Where Firsthand reports to itself: errors of its console, and what people say in it. An organisation of its own, so that
 * nobody's lists and counts change by it; the owners of the first organisation own it.
 */
export const OWN_ORGANIZATION = { slug: 'firsthand-internal', name: 'Firsthand itself' }
export const OWN_PROJECT = { slug: 'console', name: 'Console', platform: 'javascript-react' }

const OWNERS = 20

export interface OwnProject {
  readonly projectId: number
  readonly publicKey: string
}

export const createOwnProject = ({
  store,
  clock,
  onChange,
}: {
  readonly store: AccountStore
  readonly clock: Clock
  /** Told when a key was made that the door must know. */
  readonly onChange: () => void
}) => {
  const find = async (): Promise<OwnProject | null> => {
    const organization = await store.organizationBySlug(OWN_ORGANIZATION.slug)
    const project = organization === null ? null : await store.project(organization.id, OWN_PROJECT.slug)
    if (project === null) return null
    const [key] = await store.keys(project.id, { limit: 1, offset: 0 })
    return key === undefined || !key.active ? null : { projectId: project.id, publicKey: key.publicKey }
  }

  return {
    /** Null when it does not exist (yet), was deleted, or its key was switched off: then nothing is reported. */
    find,

    /** Makes it, once: what an owner deleted is not made again. */
    async ensure(): Promise<void> {
      const made = await store.transaction(async (store) => {
        if ((await store.organizationBySlug(OWN_ORGANIZATION.slug)) !== null) return false
        const first = await store.firstOrganization()
        if (first === null) return false
        const now = clock.now()
        const organization = await store.insertOrganization({
          ...OWN_ORGANIZATION,
          retentionDays: LIMITS.RETENTION_DEFAULT_DAYS,
          now,
        })
        const members = await store.members(first.id, '', { limit: OWNERS, offset: 0 })
        for (const { role, user } of members) {
          if (role !== 'owner' || user === null) continue
          await store.insertMember({
            organizationId: organization.id,
            userId: user.id,
            email: user.email,
            role: 'owner',
            inviteHash: null,
            inviteExpiresAt: null,
            now,
          })
        }
        await insertProjectWithKey(store, { organizationId: organization.id, ...OWN_PROJECT, now })
        return true
      })
      if (made) onChange()
    },
  }
}
