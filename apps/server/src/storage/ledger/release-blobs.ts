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
  const gone = [...before].filter((key) => !wanted.has(key))
  await releaseBlobs(db, gone)
  for (const part of chunks(gone, ROWS_PER_STATEMENT)) {
    await db.deleteFrom('blob_holders').where('holder', '=', holder).where('key', 'in', part).execute()
  }
  const added = [...wanted].filter((key) => !before.has(key))
  for (const part of chunks(added, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('blob_holders')
      .values(part.map((key) => ({ holder, key })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
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

/** They were looked at; of those that are gone nothing is left. */
export const settleReleases = (
  ledger: Ledger,
  { looked, gone }: { readonly looked: readonly string[]; readonly gone: readonly string[] },
): Promise<void> =>
  ledger.transaction(async (transaction) => {
    if (gone.length > 0) await transaction.deleteFrom('blobs').where('key', 'in', gone).execute()
    await transaction.deleteFrom('blob_releases').where('key', 'in', looked).execute()
  })
