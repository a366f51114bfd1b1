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
