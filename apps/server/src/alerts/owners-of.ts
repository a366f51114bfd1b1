import type { Owners } from '../ownership/owners.ts'
import type { Ledger } from '../storage/index.ts'
import type { Outlets } from './outlets.ts'

/** Users who own an issue: whoever it is assigned to, else who owns it by what its project says; of teams, their members. */
export const createOwnersOf =
  ({ db }: Ledger, owners: Pick<Owners, 'ownersOf'>): Outlets['ownersOf'] =>
  async (issue) => {
    const { eventId, issueId, organizationId } = issue
    const assigned = await db
      .selectFrom('issues')
      .select(['assigned_user_id', 'assigned_team_id'])
      .where('id', '=', issueId)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()
    const [user, team] = [assigned?.assigned_user_id ?? null, assigned?.assigned_team_id ?? null]
    if (user !== null) return [user]
    const found = team === null ? await owners.ownersOf(issue, eventId) : { users: [], teams: [team] }
    const members = await db
      .selectFrom('team_members')
      .innerJoin('teams', 'teams.id', 'team_members.team_id')
      .innerJoin('members', 'members.id', 'team_members.member_id')
      .select('members.user_id')
      .where('teams.organization_id', '=', organizationId)
      .where('teams.id', 'in', [0, ...found.teams])
      .execute()
    return [...new Set([...found.users, ...members.flatMap(({ user_id: id }) => id ?? [])])]
  }
