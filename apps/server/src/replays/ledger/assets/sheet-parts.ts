import type { Ledger, LedgerTransaction } from '../../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../../storage/ledger/chunks.ts'
import type { WaitingAsset } from '../../asset.ts'
import { LIMITS } from '../../limits.ts'
import '../schema.ts'

/** What stands in style sheets. */

/**
 * Sheets that lie as deep or deeper named it as a picture, and a sheet came: it is no part of them any more, as sheets are
 * parts only of those that lie less deep.
 */
export const leaveSheets = async (transaction: LedgerTransaction, { depth, id }: WaitingAsset): Promise<void> => {
  await transaction
    .deleteFrom('replay_asset_parts')
    .where('part_id', '=', id)
    .where('asset_id', 'in', (sheets) =>
      sheets
        .selectFrom('replay_asset_parts as own')
        .innerJoin('replay_assets', 'replay_assets.id', 'own.asset_id')
        .select('own.asset_id')
        .where('own.part_id', '=', id)
        .where('replay_assets.depth', '>=', depth),
    )
    .execute()
}

/** What of a sheet has no part: those that import it are there as it is. */
export const countMissing = async (
  transaction: LedgerTransaction,
  id: number,
  urls: readonly string[],
): Promise<void> => {
  const importing = await transaction
    .selectFrom('replay_asset_parts')
    .innerJoin('replay_assets', 'replay_assets.id', 'replay_asset_parts.asset_id')
    .select('url')
    .where('part_id', '=', id)
    .where('url', 'in', urls)
    .execute()
  const there = new Set(importing.map(({ url }) => url))
  const missing = urls.filter((url) => !there.has(url)).length
  if (missing === 0) return
  await transaction
    .updateTable('replay_assets')
    .set(({ eb }) => ({ left_out: eb('left_out', '+', missing) }))
    .where('id', '=', id)
    .execute()
}

/** How many more parts the sheets of a project may have. */
export const roomForParts = async (db: Ledger['db'], projectId: number): Promise<number> => {
  const some = db
    .selectFrom('replay_assets')
    .innerJoin('replay_asset_parts', 'replay_asset_parts.asset_id', 'replay_assets.id')
    .select('part_id')
    .where('project_id', '=', projectId)
    .limit(LIMITS.REPLAY_ASSET_PARTS)
  const row = await db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number | string>().as('parts'))
    .executeTakeFirst()
  return LIMITS.REPLAY_ASSET_PARTS - Number(row?.parts ?? 0)
}

export const addParts = async (
  transaction: LedgerTransaction,
  id: number,
  parts: ReadonlySet<number>,
): Promise<void> => {
  for (const some of chunks([...parts], ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('replay_asset_parts')
      .values(some.map((part) => ({ asset_id: id, part_id: part })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
