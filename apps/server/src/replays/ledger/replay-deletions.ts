import type { Clock } from '../../lib/clock.ts'
import type { Expiring, Ledger, LedgerTransaction } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { LIMITS } from '../limits.ts'
import { keyOfReplay, type ReplayReference, type ReplaysOfProject } from '../replay.ts'
import { referenceOf } from './reference-of.ts'
import './schema.ts'

export interface Deletion extends ReplayReference {
  readonly organizationId: number
  /** Milliseconds since the epoch. */
  readonly deletedAt: number
  /** What deletes it, if it is a deletion of many. */
  readonly jobId: number | null
}

const NONE: Deletion = { organizationId: 0, projectId: 0, replayId: '', deletedAt: 0, jobId: null }

/** Notes a deletion of many together with its replays. */
export interface CountingJob {
  readonly id: number
  /** Told in the same transaction how many replays were not noted before. */
  readonly count: (transaction: LedgerTransaction, added: number) => Promise<void>
}

/** @returns a test whether a replay was deleted, of these */
export const readDeleted = async (
  transaction: Pick<LedgerTransaction, 'selectFrom'>,
  replays: readonly ReplayReference[],
): Promise<(replay: ReplayReference) => boolean> => {
  if (replays.length === 0) return () => false
  const rows = await transaction
    .selectFrom('replay_deletions')
    .select(['project_id', 'replay_id'])
    .where('project_id', 'in', [...new Set(replays.map(({ projectId }) => projectId))])
    .where('replay_id', 'in', [...new Set(replays.map(({ replayId }) => replayId))])
    .execute()
  const deleted = new Set(rows.map((row) => keyOfReplay(referenceOf(row))))
  return (replay) => deleted.has(keyOfReplay(replay))
}

/** Replays that were deleted: what is on its way or comes later is known by it. */
export const createReplayDeletions = ({ ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock }) => ({
  note: ({ projectId, replayIds }: ReplaysOfProject, job?: CountingJob): Promise<void> =>
    ledger.transaction(async (transaction) => {
      const deletedAt = clock.now()
      const replays = [...new Set(replayIds)].map((replayId) => ({ projectId, replayId }))
      let added = 0
      for (const part of chunks(replays, ROWS_PER_STATEMENT)) {
        const isKnown = await readDeleted(transaction, part)
        added += part.filter((one) => !isKnown(one)).length
        await transaction
          .insertInto('replay_deletions')
          .values(
            part.map(({ replayId }) => ({
              project_id: projectId,
              replay_id: replayId,
              deleted_at: deletedAt,
              done_at: null,
              job_id: job?.id ?? null,
            })),
          )
          .onConflict((conflict) =>
            conflict
              .columns(['project_id', 'replay_id'])
              .doUpdateSet({ deleted_at: deletedAt, done_at: null, job_id: job?.id ?? null }),
          )
          .execute()
      }
      await job?.count(transaction, added)
    }),

  /** The first of these projects in which it was. */
  find: async (projectIds: readonly number[], replayId: string): Promise<ReplayReference | null> => {
    if (projectIds.length === 0) return null
    const row = await ledger.db
      .selectFrom('replay_deletions')
      .select('project_id')
      .where('project_id', 'in', projectIds)
      .where('replay_id', '=', replayId)
      .orderBy('project_id')
      .executeTakeFirst()
    return row === undefined ? null : { projectId: row.project_id, replayId }
  },

  /** Some of which something may still come, oldest first. */
  toDo: async (after: Deletion | null): Promise<readonly Deletion[]> => {
    const rows = await ledger.db
      .selectFrom('replay_deletions')
      .innerJoin('projects', 'projects.id', 'replay_deletions.project_id')
      .select(['project_id', 'replay_id', 'replay_deletions.deleted_at', 'job_id', 'projects.organization_id'])
      .where('done_at', 'is', null)
      .$if(after !== null, (all) =>
        all.where(({ and, eb, or }) => {
          const { deletedAt, projectId, replayId } = after ?? NONE
          return or([
            eb('replay_deletions.deleted_at', '>', deletedAt),
            and([eb('replay_deletions.deleted_at', '=', deletedAt), eb('project_id', '>', projectId)]),
            and([
              eb('replay_deletions.deleted_at', '=', deletedAt),
              eb('project_id', '=', projectId),
              eb('replay_id', '>', replayId),
            ]),
          ])
        }),
      )
      .orderBy('replay_deletions.deleted_at')
      .orderBy('project_id')
      .orderBy('replay_id')
      .limit(LIMITS.REPLAY_DELETIONS_AT_ONCE)
      .execute()
    return rows.map((row) => ({
      organizationId: row.organization_id,
      ...referenceOf(row),
      deletedAt: row.deleted_at,
      jobId: row.job_id,
    }))
  },

  /** No more of them than one statement takes. */
  done: async ({ projectId, replayIds }: ReplaysOfProject): Promise<void> => {
    await ledger.db
      .updateTable('replay_deletions')
      .set({ done_at: clock.now() })
      .where('project_id', '=', projectId)
      .where('replay_id', 'in', replayIds)
      .execute()
  },

  /** Nothing comes of a replay that is older than its organisation keeps data, and nobody asks for it. */
  expire: async ({ before, projectIds }: Expiring): Promise<void> => {
    await ledger.db
      .deleteFrom('replay_deletions')
      .where('project_id', 'in', projectIds)
      .where('deleted_at', '<', before)
      .where('done_at', 'is not', null)
      .execute()
  },
})

export type ReplayDeletions = ReturnType<typeof createReplayDeletions>
