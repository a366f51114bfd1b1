import type { Ledger } from '../../storage/index.ts'
import { readNames } from '../ledger/names.ts'
import type { KnownNames } from './read-rule.ts'

const inverted = (map: ReadonlyMap<string, number>): ReadonlyMap<number, string> =>
  new Map([...map].map(([name, id]) => [id, name]))

/** What rules of Sentry's may name, of an organisation. */
export const readKnownNames = async ({ db }: Ledger, organizationId: number): Promise<KnownNames> => {
  const { teams, users } = await readNames(db, organizationId)
  const channels = await db
    .selectFrom('channels')
    .select(['id', 'kind', 'name'])
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .execute()
  const byName = new Map(channels.map(({ id, kind, name }) => [`${kind} ${name.toLowerCase().replace(/^#/, '')}`, id]))
  const [emails, slugs] = [inverted(users), inverted(teams)]
  return {
    email: (id) => emails.get(id) ?? null,
    team: (id) => slugs.get(id) ?? null,
    channel: (kind, name) => byName.get(`${kind} ${name}`) ?? null,
  }
}
