import type { Clock } from '../../lib/clock.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { chunks as parts, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { noteBlobs, noteBlobsUntil } from '../../storage/ledger/note-blobs.ts'
import { holdBlobs, releaseBlobs, releaseHolders } from '../../storage/ledger/release-blobs.ts'
import { LIMITS } from '../limits.ts'
import type { OwnedReplay, ReplayReference, ReplaysOfProject } from '../replay.ts'
import { forgettingInParts } from './forget-in-parts.ts'
import { referenceOf } from './reference-of.ts'
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

type WrittenChunk = readonly [from: number, to: number, bytes: number, nodes: number, key: string]

const write = (chunks: readonly StoredChunk[]): string =>
  JSON.stringify(chunks.map(({ from, to, bytes, nodes, key }): WrittenChunk => [from, to, bytes, nodes, key]))

const read = (written: string): StoredChunk[] =>
  (JSON.parse(written) as WrittenChunk[]).map(([from, to, bytes, nodes, key]) => ({ from, to, bytes, nodes, key }))

const holderOf = ({ projectId, replayId }: ReplayReference): string => `chunks of ${projectId}/${replayId}`

/** Their packs go, and what their chunks are is released. No more of them than one statement takes. */
const forget = async (
  transaction: LedgerTransaction,
  { projectId, replayIds }: Pick<ReplaysOfProject, 'projectId' | 'replayIds'>,
): Promise<void> => {
  await releaseHolders(
    transaction,
    replayIds.map((replayId) => holderOf({ projectId, replayId })),
  )
  await transaction
    .deleteFrom('replay_packs')
    .where('project_id', '=', projectId)
    .where('replay_id', 'in', replayIds)
    .execute()
}

/** What replays are cut into. Its chunks are blobs; those that nothing names go with the next housekeeping. */
export const createReplayPacks = (parts: { readonly ledger: Ledger; readonly clock: Clock }) => ({
  ...createChunks(parts),
  ...createEnds(parts.ledger),
  ...createSizes(parts.ledger),
})

const createChunks = ({ ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock }) => ({
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
      replay: referenceOf(row),
      pack: { version, segments, lastAt: row.last_at, chunks: read(row.chunks) },
    }
  },

  /** To be called before chunks are stored: whoever dies before their pack is saved leaves nothing that stays. */
  noteUnderWay: async (organizationId: number, chunks: readonly StoredChunk[]): Promise<void> => {
    const named = new Map(chunks.map(({ key, bytes }) => [key, { key, bytes, organizationId }]))
    await noteBlobsUntil(ledger.db, [...named.values()], clock.now() + LIMITS.REPLAY_PACK_UNDER_WAY_MS)
  },

  /** In the place of the one before. A replay that was deleted meanwhile has none. */
  save: (replay: OwnedReplay, { version, segments, lastAt, chunks }: Pack): Promise<void> =>
    ledger.transaction(async (transaction) => {
      const { organizationId, projectId, replayId } = replay
      const isDeleted = (await readDeleted(transaction, [replay]))(replay)
      const keys = chunks.map(({ key }) => key)
      await holdBlobs(transaction, holderOf(replay), isDeleted ? [] : keys)
      if (isDeleted) {
        await releaseBlobs(transaction, keys)
        return
      }
      const named = new Map(chunks.map((chunk) => [chunk.key, chunk]))
      await noteBlobs(
        transaction,
        Array.from(named.values(), ({ key, bytes }) => ({ key, organizationId, bytes, receivedAt: lastAt })),
      )
      const row = { version, segments, last_at: lastAt, chunks: write(chunks), stored_bytes: null }
      await transaction
        .insertInto('replay_packs')
        .values({ project_id: projectId, replay_id: replayId, ...row })
        .onConflict((conflict) => conflict.columns(['project_id', 'replay_id']).doUpdateSet(row))
        .execute()
    }),
})

/** How packs go: their chunks are released with them. */
const createEnds = (ledger: Ledger) => {
  /** Some of a project; all that came last before a moment, or all. @returns whether there were any */
  const forgetSome = (projectId: number, before: number | null): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const rows = await transaction
        .selectFrom('replay_packs')
        .select('replay_id')
        .where('project_id', '=', projectId)
        .$if(before !== null, (all) => all.where('last_at', '<', before ?? 0))
        .orderBy('last_at')
        .limit(ROWS_PER_STATEMENT)
        .execute()
      if (rows.length === 0) return false
      await forget(transaction, { projectId, replayIds: rows.map((row) => row.replay_id) })
      return true
    })
  return {
    forget: ({ projectId, replayIds }: Pick<ReplaysOfProject, 'projectId' | 'replayIds'>): Promise<void> =>
      ledger.transaction(async (transaction) => {
        for (const part of parts(replayIds, ROWS_PER_STATEMENT)) {
          await forget(transaction, { projectId, replayIds: part })
        }
      }),

    ...forgettingInParts(forgetSome),
  }
}

/** What chunks take in the store. */
const createSizes = (ledger: Ledger) => ({
  /** That all chunks of a project take in the store, as far as they were measured. */
  storedBytes: async (projectId: number): Promise<number> => {
    const row = await ledger.db
      .selectFrom('replay_packs')
      .select(({ fn }) => fn.sum<number | string | null>('stored_bytes').as('bytes'))
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    return Number(row?.bytes ?? 0)
  },

  /** The same of some replays, without those that are not cut. */
  storedBytesOf: async (projectId: number, replayIds: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const sizes = new Map<string, number>()
    for (const part of parts(replayIds, ROWS_PER_STATEMENT)) {
      const rows = await ledger.db
        .selectFrom('replay_packs')
        .select(['replay_id', 'stored_bytes'])
        .where('project_id', '=', projectId)
        .where('replay_id', 'in', part)
        .execute()
      for (const row of rows) sizes.set(row.replay_id, row.stored_bytes ?? 0)
    }
    return sizes
  },

  /** Notes what chunks take that were stored since. @param sizes asks the store */
  measure: async (sizes: (keys: readonly string[]) => Promise<ReadonlyMap<string, number>>): Promise<void> => {
    for (let measured = 0; measured < LIMITS.REPLAY_PACKS_MEASURED; measured += 1) {
      const row = await ledger.db
        .selectFrom('replay_packs')
        .selectAll()
        .where('stored_bytes', 'is', null)
        .orderBy('project_id')
        .orderBy('replay_id')
        .executeTakeFirst()
      if (row === undefined) return
      const found = await sizes([...new Set(read(row.chunks).map(({ key }) => key))])
      await ledger.db
        .updateTable('replay_packs')
        .set({ stored_bytes: [...found.values()].reduce((sum, bytes) => sum + bytes, 0) })
        .where('project_id', '=', row.project_id)
        .where('replay_id', '=', row.replay_id)
        .where('version', '=', row.version)
        .execute()
    }
  },
})

export type ReplayPacks = ReturnType<typeof createReplayPacks>
