import type { Ledger, LedgerTransaction } from '../../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../../storage/ledger/chunks.ts'
import { releaseHolders } from '../../../storage/ledger/release-blobs.ts'
import type { ReplaysOfProject } from '../../replay.ts'
import { forgettingInParts } from '../forget-in-parts.ts'
import { holderOf } from './asset-row.ts'
import '../schema.ts'

/** Takes away what no replay and no style sheet has any more; what only that had comes with it. */
export const forgetUnused = async (transaction: LedgerTransaction, candidates: Iterable<number>): Promise<void> => {
  const looked = new Set(candidates)
  for (const part of chunks([...looked], ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('replay_assets')
      .select('id')
      .where('id', 'in', part)
      .where(({ exists, not, selectFrom }) =>
        not(exists(selectFrom('replay_asset_uses').select('asset_id').whereRef('asset_id', '=', 'replay_assets.id'))),
      )
      .where(({ exists, not, selectFrom }) =>
        not(exists(selectFrom('replay_asset_parts').select('part_id').whereRef('part_id', '=', 'replay_assets.id'))),
      )
      .execute()
    const gone = rows.map(({ id }) => id)
    if (gone.length === 0) continue
    const parts = await transaction
      .selectFrom('replay_asset_parts')
      .select('part_id')
      .distinct()
      .where('asset_id', 'in', gone)
      .execute()
    await releaseHolders(transaction, gone.map(holderOf))
    await transaction.deleteFrom('replay_asset_parts').where('asset_id', 'in', gone).execute()
    await transaction.deleteFrom('replay_assets').where('id', 'in', gone).execute()
    await forgetUnused(
      transaction,
      parts.map((row) => row.part_id),
    )
  }
}

/** Assets go with the last replay that has them. */
export const createForgetting = ({ ledger }: { readonly ledger: Ledger }) => {
  /** Some that a project's replays have, of those that were noted before a moment, or of all. @returns whether there were any */
  const forgetSome = (projectId: number, before: number | null): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const rows = await transaction
        .selectFrom('replay_asset_uses')
        .select(['replay_id', 'asset_id'])
        .where('project_id', '=', projectId)
        .$if(before !== null, (all) => all.where('noted_at', '<', before ?? 0))
        .limit(ROWS_PER_STATEMENT)
        .execute()
      if (rows.length === 0) {
        await transaction
          .deleteFrom('replay_assets_left_out')
          .where('project_id', '=', projectId)
          .$if(before !== null, (all) => all.where('noted_at', '<', before ?? 0))
          .execute()
      }
      for (const [replayId, own] of Map.groupBy(rows, (row) => row.replay_id)) {
        const ids = own.map((row) => row.asset_id)
        await transaction
          .deleteFrom('replay_asset_uses')
          .where('project_id', '=', projectId)
          .where('replay_id', '=', replayId)
          .where('asset_id', 'in', ids)
          .execute()
        await forgetUnused(transaction, ids)
      }
      return rows.length > 0
    })
  return {
    forget: ({ projectId, replayIds }: Pick<ReplaysOfProject, 'projectId' | 'replayIds'>): Promise<void> =>
      ledger.transaction(async (transaction) => {
        for (const part of chunks(replayIds, ROWS_PER_STATEMENT)) {
          const rows = await transaction
            .deleteFrom('replay_asset_uses')
            .where('project_id', '=', projectId)
            .where('replay_id', 'in', part)
            .returning('asset_id')
            .execute()
          await forgetUnused(
            transaction,
            rows.map((row) => row.asset_id),
          )
          await transaction
            .deleteFrom('replay_assets_left_out')
            .where('project_id', '=', projectId)
            .where('replay_id', 'in', part)
            .execute()
        }
      }),

    ...forgettingInParts(forgetSome),
  }
}
