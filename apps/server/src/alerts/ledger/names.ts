import { livingProjects } from '../../accounts/index.ts'
import type { Ledger } from '../../storage/index.ts'
import type { Names } from '../happened/predicate.ts'

/** What searches of an organisation's rules may name. */
export const readNames = async (db: Ledger['db'], organizationId: number): Promise<Names> => {
  const users = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.email'])
    .where('members.organization_id', '=', organizationId)
    .execute()
  const teams = await db
    .selectFrom('teams')
    .select(['id', 'slug'])
    .where('organization_id', '=', organizationId)
    .execute()
  const projects = await livingProjects({ db })(organizationId)
  return {
    users: new Map(users.map(({ id, email }) => [email, id])),
    teams: new Map(teams.map(({ id, slug }) => [slug, id])),
    projects: new Map(projects.map(({ id, slug }) => [slug, id])),
  }
}
