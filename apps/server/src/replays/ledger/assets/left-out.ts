import type { LedgerTransaction } from '../../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../../storage/ledger/chunks.ts'
import { LIMITS } from '../../limits.ts'
import type { ReplayReference } from '../../replay.ts'
import type { Chosen } from './choose-addresses.ts'
import '../schema.ts'

/** Counts addresses for which there was no room, each once; one that a later segment has room for counts no more. */
export const noteLeftOut = async (
  transaction: LedgerTransaction,
  { projectId, replayId }: ReplayReference,
  { beyond, taken }: Pick<Chosen, 'beyond' | 'taken'>,
  now: number,
): Promise<void> => {
  const own = await transaction
    .selectFrom('replay_assets_left_out')
    .select('url_hash')
    .where('project_id', '=', projectId)
    .where('replay_id', '=', replayId)
    .execute()
  const before = new Set(own.map((row) => row.url_hash))
  const later = taken.filter((hash) => before.delete(hash))
  for (const part of chunks(later, ROWS_PER_STATEMENT)) {
    await transaction
      .deleteFrom('replay_assets_left_out')
      .where('project_id', '=', projectId)
      .where('replay_id', '=', replayId)
      .where('url_hash', 'in', part)
      .execute()
  }
  const room = Math.max(0, LIMITS.REPLAY_ASSETS_LEFT_OUT - before.size)
  const added = beyond.filter((hash) => !before.has(hash)).slice(0, room)
  for (const part of chunks(added, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('replay_assets_left_out')
      .values(part.map((hash) => ({ project_id: projectId, replay_id: replayId, url_hash: hash, noted_at: now })))
      .execute()
  }
}
