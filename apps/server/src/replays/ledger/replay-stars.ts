import type { Clock } from '../../lib/clock.ts'
import type { Expiring, Ledger } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { LIMITS } from '../limits.ts'
import type { ReplayReference, ReplaysOfProject } from '../replay.ts'
import { referenceOf } from './reference-of.ts'
import './schema.ts'

/** Replays that somebody wants to keep. */
export const createReplayStars = ({ ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock }) => ({
  /** @returns false when the project has as many already as it may have */
  add: ({ projectId, replayId }: ReplayReference, userId: number): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom('replay_stars')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('project_id', '=', projectId)
        .where('replay_id', '!=', replayId)
        .executeTakeFirst()
      if ((row?.count ?? 0) >= LIMITS.REPLAY_STARS) return false
      await transaction
        .insertInto('replay_stars')
        .values({ project_id: projectId, replay_id: replayId, user_id: userId, starred_at: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return true
    }),

  forget: async ({ projectId, replayIds }: Pick<ReplaysOfProject, 'projectId' | 'replayIds'>): Promise<void> => {
    for (const part of chunks(replayIds, ROWS_PER_STATEMENT)) {
      await ledger.db
        .deleteFrom('replay_stars')
        .where('project_id', '=', projectId)
        .where('replay_id', 'in', part)
        .execute()
    }
  },

  expire: async ({ before, projectIds }: Expiring): Promise<void> => {
    await ledger.db
      .deleteFrom('replay_stars')
      .where('project_id', 'in', projectIds)
      .where('starred_at', '<', before)
      .execute()
  },

  /** All of these projects. */
  of: async (projectIds: readonly number[]): Promise<readonly ReplayReference[]> => {
    if (projectIds.length === 0) return []
    const rows = await ledger.db
      .selectFrom('replay_stars')
      .select(['project_id', 'replay_id'])
      .where('project_id', 'in', projectIds)
      .execute()
    return rows.map(referenceOf)
  },

  /** Which of these have one. */
  among: async (replays: readonly ReplayReference[]): Promise<readonly ReplayReference[]> => {
    if (replays.length === 0) return []
    const ids = replays.map(({ replayId }) => replayId)
    const rows = await ledger.db
      .selectFrom('replay_stars')
      .select(['project_id', 'replay_id'])
      .where('project_id', 'in', [...new Set(replays.map(({ projectId }) => projectId))])
      .where('replay_id', 'in', ids)
      .execute()
    return rows.map(referenceOf)
  },
})

export type ReplayStars = ReturnType<typeof createReplayStars>
