import type { Clock } from '../../lib/clock.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { chunks as parts, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { noteBlobs } from '../../storage/ledger/note-blobs.ts'
import { LIMITS } from '../limits.ts'
import type { ReplayReference } from '../replays.view.ts'
import { readDeleted } from './replay-deletions.ts'
import './schema.ts'

/** A stretch of a replay, as a blob. */
export interface StoredChunk {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
  readonly bytes: number
  readonly nodes: number
  readonly key: string
}

/** A replay, cut into chunks. */
export interface Pack {
  /** Differs when other segments made it. */
  readonly version: number
  /** How many they were. */
  readonly segments: number
  /** When the last of them came. */
  readonly lastAt: number
  readonly chunks: readonly StoredChunk[]
}

export interface OwnedReplay extends ReplayReference {
  readonly organizationId: number
}

type WrittenChunk = readonly [from: number, to: number, bytes: number, nodes: number, key: string]

const write = (chunks: readonly StoredChunk[]): string =>
  JSON.stringify(chunks.map(({ from, to, bytes, nodes, key }): WrittenChunk => [from, to, bytes, nodes, key]))

const read = (written: string): StoredChunk[] =>
  (JSON.parse(written) as WrittenChunk[]).map(([from, to, bytes, nodes, key]) => ({ from, to, bytes, nodes, key }))

const chunksOf = async (
  transaction: Pick<LedgerTransaction, 'selectFrom'>,
  { projectId, replayId }: ReplayReference,
): Promise<StoredChunk[]> => {
  const row = await transaction
    .selectFrom('replay_packs')
    .select('chunks')
    .where('project_id', '=', projectId)
    .where('replay_id', '=', replayId)
    .executeTakeFirst()
  return row === undefined ? [] : read(row.chunks)
}

/** What replays are cut into. Its chunks are blobs; those that nothing names go with the next housekeeping. */
export const createReplayPacks = ({ ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock }) => ({
  /** Of the first of these projects that has one. */
  find: async (
    projectIds: readonly number[],
    replayId: string,
  ): Promise<{ readonly replay: ReplayReference; readonly pack: Pack } | null> => {
    if (projectIds.length === 0) return null
    const row = await ledger.db
      .selectFrom('replay_packs')
      .selectAll()
      .where('project_id', 'in', projectIds)
      .where('replay_id', '=', replayId)
      .orderBy('project_id')
      .executeTakeFirst()
    if (row === undefined) return null
    const { version, segments } = row
    return {
      replay: { projectId: row.project_id, replayId },
      pack: { version, segments, lastAt: row.last_at, chunks: read(row.chunks) },
    }
  },

  /** To be called before chunks are stored: whoever dies before their pack is saved leaves nothing that stays. */
  noteUnderWay: async (organizationId: number, chunks: readonly StoredChunk[]): Promise<void> => {
    const expiresAt = clock.now() + LIMITS.REPLAY_PACK_UNDER_WAY_MS
    const rows = new Map(chunks.map(({ key, bytes }) => [key, bytes]))
    for (const part of parts([...rows], ROWS_PER_STATEMENT)) {
      await ledger.db
        .insertInto('blobs')
        .values(part.map(([key, bytes]) => ({ key, bytes, organization_id: organizationId, expires_at: expiresAt })))
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet((expression) => ({ expires_at: expression.ref('excluded.expires_at') }))
            .whereRef('blobs.expires_at', '<', 'excluded.expires_at'),
        )
        .execute()
    }
  },

  /** In the place of the one before. A replay that was deleted meanwhile has none. */
  save: (replay: OwnedReplay, { version, segments, lastAt, chunks }: Pack): Promise<void> =>
    ledger.transaction(async (transaction) => {
      const { organizationId, projectId, replayId } = replay
      const isDeleted = (await readDeleted(transaction, [replay]))(replay)
      const before = await chunksOf(transaction, replay)
      const kept = new Set(isDeleted ? [] : chunks.map(({ key }) => key))
      const gone = [...before, ...chunks].flatMap(({ key }) => (kept.has(key) ? [] : [key]))
      for (const keys of parts(gone, ROWS_PER_STATEMENT)) {
        await transaction.updateTable('blobs').set({ expires_at: 0 }).where('key', 'in', keys).execute()
      }
      if (isDeleted) return
      const named = new Map(chunks.map((chunk) => [chunk.key, chunk]))
      await noteBlobs(
        transaction,
        Array.from(named.values(), ({ key, bytes }) => ({ key, organizationId, bytes, receivedAt: lastAt })),
      )
      const row = { version, segments, last_at: lastAt, chunks: write(chunks) }
      await transaction
        .insertInto('replay_packs')
        .values({ project_id: projectId, replay_id: replayId, ...row })
        .onConflict((conflict) => conflict.columns(['project_id', 'replay_id']).doUpdateSet(row))
        .execute()
    }),

  keysOf: async (replay: ReplayReference): Promise<readonly string[]> => [
    ...new Set((await chunksOf(ledger.db, replay)).map(({ key }) => key)),
  ],

  forget: async ({ projectId, replayId }: ReplayReference): Promise<void> => {
    await ledger.db
      .deleteFrom('replay_packs')
      .where('project_id', '=', projectId)
      .where('replay_id', '=', replayId)
      .execute()
  },
})

export type ReplayPacks = ReturnType<typeof createReplayPacks>
