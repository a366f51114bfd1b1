import type { Selectable } from 'kysely'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import type { Deploy } from '../release.ts'
import type { ReleaseDeployTable } from './schema.ts'

export type Deploys = ReturnType<typeof createDeploys>

export const deployOf = (row: Selectable<ReleaseDeployTable>): Deploy => ({
  id: row.id,
  environment: row.environment,
  name: row.name,
  url: row.url,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
})

/**
 * Where these releases run: in each environment, the newest deploy of each of their projects. Another project's deploy to
 * `production` takes no place away. Newest first.
 */
export const currentDeploys = async (
  db: Ledger['db'],
  releaseIds: readonly number[],
): Promise<readonly { readonly releaseId: number; readonly deploy: Deploy }[]> => {
  const rows = await db
    .with('newest', (query) =>
      query
        .selectFrom('release_deploys')
        .innerJoin('release_projects', 'release_projects.release_id', 'release_deploys.release_id')
        .select('release_deploys.id')
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) =>
              over
                .partitionBy(['release_projects.project_id', 'release_deploys.environment'])
                .orderBy('release_deploys.finished_at', 'desc')
                .orderBy('release_deploys.id', 'desc'),
            )
            .as('place'),
        )
        .where('release_projects.project_id', 'in', (own) =>
          own.selectFrom('release_projects as own').select('own.project_id').where('own.release_id', 'in', releaseIds),
        ),
    )
    .selectFrom('release_deploys')
    .selectAll('release_deploys')
    .where('release_deploys.release_id', 'in', releaseIds)
    .where('release_deploys.id', 'in', ({ selectFrom }) =>
      selectFrom('newest').select('newest.id').where('newest.place', '=', 1),
    )
    .orderBy('release_deploys.finished_at', 'desc')
    .orderBy('release_deploys.id', 'desc')
    .execute()
  return rows.map((row) => ({ releaseId: row.release_id, deploy: deployOf(row) }))
}

/** Where releases run. */
export const createDeploys = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** Newest first. */
  list: async (
    releaseId: number,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<readonly Deploy[]> => {
    const rows = await ledger.db
      .selectFrom('release_deploys')
      .selectAll()
      .where('release_id', '=', releaseId)
      .orderBy('finished_at', 'desc')
      .orderBy('id', 'desc')
      .limit(page.limit)
      .offset(page.offset)
      .execute()
    return rows.map(deployOf)
  },

  add: (releaseId: number, deploy: Omit<Deploy, 'id'>): Promise<Deploy> =>
    ledger.transaction(async (transaction) => {
      const row = await transaction
        .insertInto('release_deploys')
        .values({
          release_id: releaseId,
          environment: deploy.environment,
          name: deploy.name,
          url: deploy.url,
          started_at: deploy.startedAt,
          finished_at: deploy.finishedAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      const beyond = await transaction
        .selectFrom('release_deploys')
        .select('id')
        .where('release_id', '=', releaseId)
        .orderBy('id', 'desc')
        .offset(LIMITS.RELEASE_DEPLOYS)
        .limit(1)
        .executeTakeFirst()
      if (beyond !== undefined) {
        await transaction
          .deleteFrom('release_deploys')
          .where('release_id', '=', releaseId)
          .where('id', '<=', beyond.id)
          .execute()
      }
      return deployOf(row)
    }),
})
