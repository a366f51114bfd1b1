import type { Ledger } from '../../../storage/index.ts'
import type { Projects } from '../plan.ts'

/** Living ones of all organisations: rules for all projects are about those that come later as well. */
export const projectsByOrganization = async ({ db }: Pick<Ledger, 'db'>): Promise<Projects> => {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'organization_id'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const found = new Map<number, number[]>()
  for (const { id, organization_id: organization } of rows) {
    const own = found.get(organization)
    if (own === undefined) found.set(organization, [id])
    else own.push(id)
  }
  return found
}

/** When the first of these was made. */
export const projectsSince =
  ({ db }: Pick<Ledger, 'db'>) =>
  async (ids: readonly number[]): Promise<number> => {
    const { first } = await db
      .selectFrom('projects')
      .select(({ fn }) => fn.min('created_at').as('first'))
      .where('id', 'in', [0, ...ids])
      .executeTakeFirstOrThrow()
    return first ?? 0
  }
