import type { Ledger } from '../storage/index.ts'
import { projectOfSpool, SPOOLS_BEGIN } from './backfill.ts'

/**
 * How far the backfills of projects were that were deleted meanwhile. Of a project that exists the rows stay, one for each
 * type of item: without them everything would be read again, and the tokens of its batches must not be given a second time.
 *
 * Before anything is digested, because the row of a backfill under way must not go.
 */
export const forgetProgress = async (
  ledger: Ledger,
  exists: (projectId: number) => Promise<boolean>,
): Promise<void> => {
  const rows = await ledger.db
    .selectFrom('digest_progress')
    .select('spool')
    .where('spool', 'like', `${SPOOLS_BEGIN}%`)
    .execute()
  for (const { spool } of rows) {
    if (await exists(projectOfSpool(spool))) continue
    await ledger.db.deleteFrom('digest_progress').where('spool', '=', spool).execute()
  }
}
