import type { Selectable } from 'kysely'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import type { SavedSearchRecord, SaveRefusal, SaveRequest } from '../saved-searches/saved-searches.store.ts'
import type { SavedSearchTable } from './schema.ts'

type Row = Selectable<SavedSearchTable>
type Db = Pick<Ledger['db'], 'selectFrom'>

const toRecord = ({ id, user_id, name, query, sort, created_at }: Row): SavedSearchRecord => ({
  id,
  name,
  query,
  sort,
  shared: user_id === null,
  createdAt: created_at,
})

/** What the person may see. */
const visible = (db: Db, organizationId: number, userId: number) =>
  db
    .selectFrom('saved_searches')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', userId)]))

/** Why a search cannot be kept beside the others; null when it can. @param except id of the one that is changed */
const refusalOf = async (db: Db, request: SaveRequest, except: number | null): Promise<SaveRefusal | null> => {
  const rows = await visible(db, request.organizationId, request.userId).execute()
  const beside = rows.filter((row) => row.id !== except && (row.user_id === null) === request.shared)
  const same = beside.find((row) => row.query === request.query && row.sort === request.sort)
  if (same !== undefined) return { kind: 'same', name: same.name }
  return beside.length >= LIMITS.SAVED_SEARCHES ? { kind: 'full' } : null
}

const columnsOf = ({ name, query, sort, shared, userId }: SaveRequest) => ({
  name,
  query,
  sort,
  user_id: shared ? null : userId,
})

export type SavedSearches = ReturnType<typeof createLedgerSavedSearches>

/** Searches that people keep under a name. Nobody sees or changes the own ones of another person. */
export const createLedgerSavedSearches = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** Those of the person and those that the organisation shares, by name. */
  list: async (organizationId: number, userId: number): Promise<readonly SavedSearchRecord[]> => {
    const rows = await visible(ledger.db, organizationId, userId).execute()
    return rows.map(toRecord).toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id)
  },

  /** Refused when there are `SAVED_SEARCHES` of the kind, or one asks the same. */
  add: (request: SaveRequest): Promise<Result<SavedSearchRecord, SaveRefusal>> =>
    ledger.transaction(async (transaction) => {
      const refusal = await refusalOf(transaction, request, null)
      if (refusal !== null) return err(refusal)
      const row = await transaction
        .insertInto('saved_searches')
        .values({ ...columnsOf(request), organization_id: request.organizationId, created_at: request.now })
        .returningAll()
        .executeTakeFirstOrThrow()
      return ok(toRecord(row))
    }),

  /** Undefined when the person sees no search of this id. */
  change: (id: number, request: SaveRequest): Promise<Result<SavedSearchRecord, SaveRefusal> | undefined> =>
    ledger.transaction(async (transaction) => {
      const known = await visible(transaction, request.organizationId, request.userId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (known === undefined) return undefined
      const refusal = await refusalOf(transaction, request, id)
      if (refusal !== null) return err(refusal)
      const row = await transaction
        .updateTable('saved_searches')
        .set(columnsOf(request))
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return ok(toRecord(row))
    }),

  /** False when the person sees no search of this id. */
  remove: async (organizationId: number, userId: number, id: number): Promise<boolean> => {
    const result = await ledger.db
      .deleteFrom('saved_searches')
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .where((eb) => eb.or([eb('user_id', 'is', null), eb('user_id', '=', userId)]))
      .executeTakeFirst()
    return result.numDeletedRows > 0n
  },

  /** The own searches of somebody who left. */
  forget: async (organizationId: number, userId: number): Promise<void> => {
    await ledger.db
      .deleteFrom('saved_searches')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .execute()
  },
})
