import { err, ok, type Result } from '../../lib/result.ts'
import type { Ledger } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'

export interface SavedQueryRecord {
  readonly id: number
  readonly name: string
  /** JSON. */
  readonly query: string
  readonly shared: boolean
  /** Null once they left. */
  readonly author: { readonly id: number; readonly name: string; readonly email: string } | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface SaveRequest {
  readonly organizationId: number
  readonly userId: number
  readonly now: number
  readonly name: string
  readonly query: string
  readonly shared: boolean
}

type Db = Pick<Ledger['db'], 'selectFrom'>

/** What the person may see: their own ones, and those that are shared. */
const visible = (db: Db, organizationId: number, userId: number) =>
  db
    .selectFrom('saved_queries')
    .leftJoin('users', 'users.id', 'saved_queries.user_id')
    .select([
      'saved_queries.id',
      'saved_queries.name',
      'saved_queries.query',
      'saved_queries.shared',
      'saved_queries.user_id',
      'saved_queries.created_at',
      'saved_queries.updated_at',
      'users.name as author_name',
      'users.email as author_email',
    ])
    .where('saved_queries.organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('saved_queries.shared', '=', 1), eb('saved_queries.user_id', '=', userId)]))

type Row = Awaited<ReturnType<ReturnType<typeof visible>['execute']>>[number]

const toRecord = (row: Row): SavedQueryRecord => ({
  id: row.id,
  name: row.name,
  query: row.query,
  shared: row.shared === 1,
  author: row.user_id === null ? null : { id: row.user_id, name: row.author_name ?? '', email: row.author_email ?? '' },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export type SavedQueries = ReturnType<typeof createSavedQueries>

/** Nobody sees or changes what another person keeps for themselves. */
export const createSavedQueries = ({ ledger }: { readonly ledger: Ledger }) => {
  const find = async (db: Db, organizationId: number, userId: number, id: number): Promise<SavedQueryRecord | null> => {
    const row = await visible(db, organizationId, userId).where('saved_queries.id', '=', id).executeTakeFirst()
    return row === undefined ? null : toRecord(row)
  }
  return {
    /** Last changed first. */
    list: async (organizationId: number, userId: number): Promise<readonly SavedQueryRecord[]> => {
      const rows = await visible(ledger.db, organizationId, userId)
        .orderBy('saved_queries.updated_at', 'desc')
        .orderBy('saved_queries.id', 'desc')
        .execute()
      return rows.map(toRecord)
    },

    find: (organizationId: number, userId: number, id: number): Promise<SavedQueryRecord | null> =>
      find(ledger.db, organizationId, userId, id),

    /** Refused when the person keeps `SAVED_QUERIES` already. */
    add: (request: SaveRequest): Promise<Result<SavedQueryRecord, 'full'>> =>
      ledger.transaction(async (transaction) => {
        const { organizationId, userId, now, name, query, shared } = request
        const kept = await transaction
          .selectFrom('saved_queries')
          .select('id')
          .where('organization_id', '=', organizationId)
          .where('user_id', '=', userId)
          .execute()
        if (kept.length >= LIMITS.SAVED_QUERIES) return err('full')
        const { id } = await transaction
          .insertInto('saved_queries')
          .values({
            organization_id: organizationId,
            user_id: userId,
            shared: shared ? 1 : 0,
            name,
            query,
            created_at: now,
            updated_at: now,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const added = await find(transaction, organizationId, userId, id)
        if (added === null) throw new Error('what was just saved is not there')
        return ok(added)
      }),

    /** Null when the person sees none of this id. */
    change: (id: number, request: SaveRequest): Promise<SavedQueryRecord | null> =>
      ledger.transaction(async (transaction) => {
        const { organizationId, userId, now, name, query, shared } = request
        if ((await find(transaction, organizationId, userId, id)) === null) return null
        await transaction
          .updateTable('saved_queries')
          .set({ name, query, shared: shared ? 1 : 0, updated_at: now })
          .where('id', '=', id)
          .execute()
        return find(transaction, organizationId, userId, id)
      }),

    remove: async (organizationId: number, id: number): Promise<void> => {
      await ledger.db
        .deleteFrom('saved_queries')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute()
    },

    /** Of somebody who left, what only they saw goes; what they shared stays. */
    forget: (organizationId: number, userId: number): Promise<void> =>
      ledger.transaction(async (transaction) => {
        await transaction
          .deleteFrom('saved_queries')
          .where('organization_id', '=', organizationId)
          .where('user_id', '=', userId)
          .where('shared', '=', 0)
          .execute()
        await transaction
          .updateTable('saved_queries')
          .set({ user_id: null })
          .where('organization_id', '=', organizationId)
          .where('user_id', '=', userId)
          .execute()
      }),
  }
}
