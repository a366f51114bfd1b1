import type { Envelope } from '../types.ts'

const STORE = 'envelopes'
/** Envelopes that a device keeps for one DSN. */
const MAX_KEPT = 30

/** An envelope that waits, and since when (milliseconds since 1970). */
export interface Kept {
  readonly at: number
  readonly envelope: Envelope
}

/** What waits on a device, oldest first. */
export interface KeptStore {
  /** What waits in the page, where there is no database (private windows). */
  readonly inPage: Kept[]
  put(kept: Kept): Promise<void>
  keys(): Promise<IDBValidKey[]>
  get(key: IDBValidKey): Promise<Kept | undefined>
  remove(key: IDBValidKey): Promise<void>
  close(): void
}

const promised = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the database refused')))
  })

/** Stored for good: a request may succeed and its transaction fail, where there is no room left. */
const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('the database refused')))
  })

const openDatabase = (name: string): Promise<IDBDatabase> => {
  const request = indexedDB.open(name, 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE, { autoIncrement: true }))
  return promised(request)
}

/**
 * The database of one DSN, opened when it is first needed.
 *
 * @param lose told of each envelope that makes room for a newer one
 */
export const openKept = (name: string, lose: (kept: Kept | undefined) => void): KeptStore => {
  let database: Promise<IDBDatabase> | undefined
  const inPage: Kept[] = []

  const connect = async (): Promise<IDBDatabase> => {
    const opened = await openDatabase(name)
    const release = (): void => {
      opened.close()
      database = undefined
    }
    // A page that deletes its databases (at a logout, say) would wait for ever for one that stays open.
    opened.addEventListener('versionchange', release)
    // The browser's own doing: the visitor clears the site's data.
    opened.addEventListener('close', release)
    return opened
  }

  const store = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
    database ??= connect()
    return (await database).transaction(STORE, mode).objectStore(STORE)
  }

  return {
    inPage,
    put: async (kept) => {
      try {
        const target = await store('readwrite')
        const count = await promised(target.count())
        if (count >= MAX_KEPT) {
          const oldest = await promised(target.openCursor())
          lose(oldest?.value as Kept | undefined)
          if (oldest) await promised(oldest.delete())
        }
        target.add(kept)
        await committed(target.transaction)
      } catch {
        // No storage, or a full one: it is kept as long as the page is.
        if (inPage.length >= MAX_KEPT) lose(inPage.shift())
        inPage.push(kept)
      }
    },
    keys: async () => promised((await store('readonly')).getAllKeys()),
    get: async (key) => promised((await store('readonly')).get(key)) as Promise<Kept | undefined>,
    remove: async (key) => promised((await store('readwrite')).delete(key)),
    // What could not be opened need not be closed.
    close: () => void database?.then((one) => one.close()).catch(() => undefined),
  }
}
