import { chunks, ROWS_PER_STATEMENT } from './chunks.ts'
import type { Ledger, LedgerTransaction } from './ledger.ts'

/** Which blobs nothing may need any more, and what of the ledger names some. `storage/blobs/freeing.ts` looks at both. */

type Db = Pick<LedgerTransaction, 'insertInto' | 'deleteFrom' | 'selectFrom'>

/** To be called before what names them goes: whoever dies in between goes on with it. */
export const releaseBlobs = async (db: Pick<Db, 'insertInto'>, keys: readonly string[]): Promise<void> => {
  for (const part of chunks([...new Set(keys)], ROWS_PER_STATEMENT)) {
    await db
      .insertInto('blob_releases')
      .values(part.map((key) => ({ key })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** From now on `holder` names these blobs and no others; those that it named before are released. */
export const holdBlobs = async (db: Db, holder: string, keys: readonly string[]): Promise<void> => {
  const rows = await db.selectFrom('blob_holders').select('key').where('holder', '=', holder).execute()
  const before = new Set(rows.map(({ key }) => key))
  const wanted = new Set(keys)
  await letGo(
    db,
    holder,
    [...before].filter((key) => !wanted.has(key)),
  )
  await holdToo(
    db,
    holder,
    [...wanted].filter((key) => !before.has(key)),
  )
}

/** From now on `holder` names these as well. */
export const holdToo = async (db: Pick<Db, 'insertInto'>, holder: string, keys: readonly string[]): Promise<void> => {
  for (const part of chunks(keys, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('blob_holders')
      .values(part.map((key) => ({ holder, key })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** From now on `holder` names these no more: they are released. */
export const letGo = async (db: Db, holder: string, keys: readonly string[]): Promise<void> => {
  await releaseBlobs(db, keys)
  for (const part of chunks(keys, ROWS_PER_STATEMENT)) {
    await db.deleteFrom('blob_holders').where('holder', '=', holder).where('key', 'in', part).execute()
  }
}

/** From now on these name no blobs: what they named is released. */
export const releaseHolders = async (db: Db, holders: readonly string[]): Promise<void> => {
  for (const part of chunks(holders, ROWS_PER_STATEMENT)) {
    const rows = await db.selectFrom('blob_holders').select('key').distinct().where('holder', 'in', part).execute()
    await releaseBlobs(
      db,
      rows.map(({ key }) => key),
    )
    await db.deleteFrom('blob_holders').where('holder', 'in', part).execute()
  }
}

/** Which of these wait still: something may need them again. */
export const stillReleased = async (
  { db }: Pick<Ledger, 'db'>,
  keys: readonly string[],
): Promise<readonly string[]> => {
  if (keys.length === 0) return []
  const rows = await db.selectFrom('blob_releases').select('key').where('key', 'in', keys).execute()
  return rows.map(({ key }) => key)
}

/** Some that wait to be looked at. */
export const releasedBlobs = async ({ db }: Pick<Ledger, 'db'>): Promise<readonly string[]> => {
  const rows = await db.selectFrom('blob_releases').select('key').orderBy('key').limit(ROWS_PER_STATEMENT).execute()
  return rows.map(({ key }) => key)
}

/** Which of these something in the ledger names. */
export const heldBlobs = async ({ db }: Pick<Ledger, 'db'>, keys: readonly string[]): Promise<readonly string[]> => {
  const rows = await db.selectFrom('blob_holders').select('key').distinct().where('key', 'in', keys).execute()
  return rows.map(({ key }) => key)
}

/** Until `endFreeing`, also of a later process, what is released is released for `freedFor`. */
export const beginFreeing = async ({ db }: Pick<Ledger, 'db'>, freedFor: string): Promise<void> => {
  await db
    .insertInto('blob_freed')
    .values({ freed_for: freedFor, bytes: 0, is_under_way: 1 })
    .onConflict((conflict) => conflict.column('freed_for').doUpdateSet({ is_under_way: 1 }))
    .execute()
}

export const endFreeing = (ledger: Ledger): Promise<void> =>
  ledger.transaction(async (transaction) => {
    const row = await transaction
      .selectFrom('blob_freed')
      .select('freed_for')
      .where('is_under_way', '=', 1)
      .executeTakeFirst()
    if (row === undefined) return
    await transaction.updateTable('blob_releases').set(row).where('freed_for', 'is', null).execute()
    await transaction.updateTable('blob_freed').set({ is_under_way: 0 }).where('is_under_way', '=', 1).execute()
  })

/** To be called before they are removed: afterwards nobody knows it. */
export const noteStoredBytes = (
  ledger: Ledger,
  keys: readonly string[],
  sizes: ReadonlyMap<string, number>,
): Promise<void> =>
  ledger.transaction(async (transaction) => {
    if (keys.length === 0) return
    const rows = await transaction
      .selectFrom('blob_releases')
      .select(['key', 'freed_for'])
      .where('key', 'in', keys)
      .where('freed_for', 'is not', null)
      .where('stored_bytes', 'is', null)
      .execute()
    for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
      await transaction
        .insertInto('blob_releases')
        .values(part.map((row) => ({ ...row, stored_bytes: sizes.get(row.key) ?? 0 })))
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet(({ ref }) => ({ stored_bytes: ref('excluded.stored_bytes') })),
        )
        .execute()
    }
  })

/** What was freed for each of these, in bytes. */
export const freedBytes = async (
  { db }: Pick<Ledger, 'db'>,
  freedFor: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (freedFor.length === 0) return new Map()
  const rows = await db.selectFrom('blob_freed').selectAll().where('freed_for', 'in', freedFor).execute()
  return new Map(rows.map((row) => [row.freed_for, row.bytes]))
}

/** In the transaction in which their releases go: what is freed is counted once. */
const countFreed = async (transaction: LedgerTransaction, gone: readonly string[]): Promise<void> => {
  const freed = await transaction
    .selectFrom('blob_releases')
    .select(['freed_for', ({ fn }) => fn.sum<number | string | null>('stored_bytes').as('bytes')])
    .where('key', 'in', gone)
    .where('freed_for', 'is not', null)
    .groupBy('freed_for')
    .execute()
  for (const { bytes, freed_for: freedFor } of freed) {
    await transaction
      .updateTable('blob_freed')
      .set(({ eb }) => ({ bytes: eb('bytes', '+', Number(bytes ?? 0)) }))
      .where('freed_for', '=', freedFor)
      .execute()
  }
}

/** They were looked at; of those that are gone nothing is left. */
export const settleReleases = (
  ledger: Ledger,
  { looked, gone }: { readonly looked: readonly string[]; readonly gone: readonly string[] },
): Promise<void> =>
  ledger.transaction(async (transaction) => {
    if (gone.length > 0) {
      await countFreed(transaction, gone)
      await transaction.deleteFrom('blobs').where('key', 'in', gone).execute()
    }
    await transaction.deleteFrom('blob_releases').where('key', 'in', looked).execute()
  })
