import { sql } from 'kysely'
import type { Ledger } from '../../storage/ledger/ledger.ts'

export type EnvironmentView = ReturnType<typeof createEnvironmentView>

/** What screens read of environments. */
export const createEnvironmentView = ({ ledger: { db } }: { readonly ledger: Pick<Ledger, 'db'> }) => ({
  /** Names, in order. Null for all projects of the organisation. */
  environments: async (organizationId: number, projectIds: readonly number[] | null): Promise<string[]> => {
    if (projectIds?.length === 0) return []
    const query = db
      .selectFrom('environments')
      .innerJoin('projects', 'projects.id', 'environments.project_id')
      .select('environments.name')
      .distinct()
      .where('projects.organization_id', '=', organizationId)
      .where('projects.deleted_at', 'is', null)
    const rows = await (projectIds === null ? query : query.where('environments.project_id', 'in', projectIds))
      .orderBy('environments.name')
      .limit(1000)
      .execute()
    return rows.map((row) => row.name)
  },
  /** By project, in the order of the names: the first `limit` of each. */
  environmentsOf: async (
    projectIds: readonly number[],
    limit: number,
  ): Promise<ReadonlyMap<number, readonly string[]>> => {
    const found = new Map<number, string[]>()
    if (projectIds.length === 0) return found
    // One project with very many of them must not be all that is seen.
    const rows = await db
      .selectFrom((expression) =>
        expression
          .selectFrom('environments')
          .select(['project_id', 'name'])
          .select(sql<number>`row_number() OVER (PARTITION BY project_id ORDER BY name)`.as('place'))
          .where('project_id', 'in', [...projectIds])
          .as('placed'),
      )
      .select(['placed.project_id', 'placed.name'])
      .where('placed.place', '<=', limit)
      .orderBy('placed.name')
      .execute()
    for (const { project_id: id, name } of rows) found.set(id, [...(found.get(id) ?? []), name])
    return found
  },
})
