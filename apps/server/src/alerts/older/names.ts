import type { Ledger } from '../../storage/index.ts'
import type { Surroundings } from './from-sentry.ts'
import type { ShownNames } from './to-sentry.ts'

/** What scripts call by name, of one organisation. */
export const readOlderNames = async (
  { db }: Pick<Ledger, 'db'>,
  organizationId: number,
): Promise<Surroundings & ShownNames> => {
  const [projects, channels, users] = await Promise.all([
    db
      .selectFrom('projects')
      .select(['id', 'slug'])
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .execute(),
    db
      .selectFrom('channels')
      .select(['id', 'kind', 'name'])
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .execute(),
    db
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.user_id')
      .select(['users.id', 'users.name', 'users.email'])
      .where('members.organization_id', '=', organizationId)
      .execute(),
  ])
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]))
  return {
    projects: new Map(projects.flatMap(({ id, slug }) => [[slug, id] as const, [String(id), id] as const])),
    channels,
    slugOf: (projectId) => slugs.get(projectId) ?? '',
    channelOf: (channelId) => channels.find(({ id }) => id === channelId) ?? null,
    userOf: (userId) => users.find(({ id }) => id === userId) ?? null,
  }
}
