import type { Ledger } from '../../../storage/index.ts'
import '../schema.ts'

export const createFinding = ({ ledger }: { readonly ledger: Pick<Ledger, 'db'> }) => ({
  /**
   * The blob of one that a replay has; null where it has none. Asked for hundreds of times by one page: it is looked for from
   * itself upwards, through the few sheets that it stands in, and not among all that the replay has.
   */
  find: async (
    projectIds: readonly number[],
    replayId: string,
    id: number,
  ): Promise<{ readonly key: string; readonly type: string } | null> => {
    if (projectIds.length === 0) return null
    const row = await ledger.db
      .withRecursive('holding(id)', (db) =>
        db
          .selectFrom('replay_assets')
          .select('id')
          .where('id', '=', id)
          .where('project_id', 'in', projectIds)
          .union((sheets) =>
            sheets
              .selectFrom('replay_asset_parts')
              .innerJoin('holding', 'holding.id', 'replay_asset_parts.part_id')
              .select('replay_asset_parts.asset_id as id'),
          ),
      )
      .selectFrom('replay_assets')
      .select(['blob_key', 'type'])
      .where('replay_assets.id', '=', id)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('holding')
            .innerJoin('replay_asset_uses', 'replay_asset_uses.asset_id', 'holding.id')
            .select('holding.id')
            .where('project_id', 'in', projectIds)
            .where('replay_id', '=', replayId),
        ),
      )
      .executeTakeFirst()
    return row === undefined || row.blob_key === null ? null : { key: row.blob_key, type: row.type }
  },
})
