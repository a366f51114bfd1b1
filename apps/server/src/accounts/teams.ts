import type { Clock } from '../lib/clock.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import { LIMITS } from './limits.ts'
import type { AccountStore } from './accounts.store.ts'
import { atomically } from './atomically.ts'
import { failure } from './failure.ts'
import type { Failure } from './failure.ts'
import type { Team } from './model.ts'
import { full, NO_MEMBER } from './refusals.ts'
import { freeSlug, slugify } from './slugs.ts'

const NO_TEAM = failure('not_found', 'This team does not exist.')

export const createTeams = ({ store, clock }: { readonly store: AccountStore; readonly clock: Clock }) => ({
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
})
