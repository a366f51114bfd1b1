import type { SheetImport } from '@firsthand/recording'
import type { Ledger } from '../../../storage/index.ts'
import type { AssetFailure, AssetRecord } from '../../asset.ts'
import { LIMITS } from '../../limits.ts'
import type { ReplayReference } from '../../replay.ts'
import { readAssetBytes } from './asset-bytes.ts'
import '../schema.ts'

/** What a replay has, and what a project has. */
export const createReads = ({ ledger }: { readonly ledger: Pick<Ledger, 'db'> }) => {
  /** All that a replay has, also what stands in its style sheets. */
  const had = (projectId: number, replayId: string) =>
    ledger.db
      .withRecursive('had(id)', (db) =>
        db
          .selectFrom('replay_asset_uses')
          .select('asset_id as id')
          .where('project_id', '=', projectId)
          .where('replay_id', '=', replayId)
          .union((parts) =>
            parts
              .selectFrom('replay_asset_parts')
              .innerJoin('had', 'had.id', 'replay_asset_parts.asset_id')
              .select('replay_asset_parts.part_id as id'),
          ),
      )
      .selectFrom('had')
      .innerJoin('replay_assets', 'replay_assets.id', 'had.id')

  return {
    /** By the order in which they were noted. */
    of: async ({ projectId, replayId }: ReplayReference): Promise<readonly AssetRecord[]> => {
      const rows = await had(projectId, replayId)
        .select(['replay_assets.id', 'url', 'state', 'reason', 'type', 'bytes', 'blob_key', 'imports'])
        .orderBy('replay_assets.id')
        .limit(LIMITS.REPLAY_ASSETS)
        .execute()
      return rows.map(({ blob_key: blobKey, imports, reason, ...row }) => ({
        ...row,
        blobKey,
        reason: reason as AssetFailure | '',
        imports: JSON.parse(imports) as SheetImport[],
      }))
    },

    /** How many addresses a replay names beyond those, as far as they are counted. */
    leftOut: async ({ projectId, replayId }: ReplayReference): Promise<number> => {
      const noted = await ledger.db
        .selectFrom('replay_assets_left_out')
        .select(({ fn }) => fn.countAll<number | string>().as('addresses'))
        .where('project_id', '=', projectId)
        .where('replay_id', '=', replayId)
        .executeTakeFirst()
      const all = await had(projectId, replayId)
        .select(({ fn }) => [
          fn.countAll<number | string>().as('assets'),
          fn.sum<number | string | null>('left_out').as('bySheets'),
        ])
        .executeTakeFirst()
      const unlisted = Math.max(0, Number(all?.assets ?? 0) - LIMITS.REPLAY_ASSETS)
      return Number(noted?.addresses ?? 0) + Number(all?.bySheets ?? 0) + unlisted
    },

    /** What a project has, by state. */
    sums: async (
      projectId: number,
    ): Promise<Readonly<Record<AssetRecord['state'], number>> & { readonly bytes: number }> => {
      const rows = await ledger.db
        .selectFrom('replay_assets')
        .select(({ fn }) => ['state', fn.countAll<number | string>().as('assets')])
        .where('project_id', '=', projectId)
        .groupBy('state')
        .execute()
      const sums = { waiting: 0, kept: 0, failed: 0, bytes: await readAssetBytes(ledger.db, projectId) }
      for (const row of rows) sums[row.state] = Number(row.assets)
      return sums
    },
  }
}
