import { flag, forgetDraft, KEPT_FLAG, KEPT_MS, readDraft } from './draft.ts'
import type { Report } from './envelope.ts'
import { rememberThread } from './threads.ts'
import { deliver } from './transport.ts'

/** What stays on the device: the outbox of reports on their way, and the pictures of drafts. */
const DATABASE = 'firsthand-feedback'
const REPORTS = 'reports'
const PICTURES = 'pictures'
/** Attempts by another tab that never ended are taken over after this, where the browser has no locks. */
const LEASE_MS = 30_000

interface KeptReport {
  readonly id: string
  readonly at: number
  readonly report: Report
  readonly leaseUntil: number
  /** Draft that the report was made of, to be forgotten once it has arrived. */
  readonly draft: string
}

interface KeptPictures {
  readonly id: string
  readonly at: number
  readonly pictures: readonly unknown[]
}

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(REPORTS, { keyPath: 'id' })
      request.result.createObjectStore(PICTURES, { keyPath: 'id' })
    })
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('the database did not open')))
    request.addEventListener('blocked', () => reject(new Error('the database is blocked')))
  })

/** One transaction. Rejects where storage is full, blocked or absent; callers decide what that means. */
const within = async <Value>(
  store: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> => {
  const database = await open()
  try {
    return await new Promise<Value>((resolve, reject) => {
      const transaction = database.transaction(store, mode)
      const request = work(transaction.objectStore(store))
      const refuse = (): void => reject(transaction.error ?? new Error('not stored'))
      transaction.addEventListener('complete', () => resolve(request.result))
      transaction.addEventListener('error', refuse)
      transaction.addEventListener('abort', refuse)
    })
  } finally {
    database.close()
  }
}

/** Puts a report into the outbox. False when the device does not keep it. */
export const keepReport = async (report: Report, draft: string): Promise<boolean> => {
  try {
    await within(REPORTS, 'readwrite', (store) =>
      store.put({ id: report.id, at: Date.now(), report, leaseUntil: 0, draft }),
    )
    flag()
    return true
  } catch {
    // No storage, or a full one: the caller says that nothing is kept.
    return false
  }
}

export const forgetReport = (id: string): Promise<void> =>
  within(REPORTS, 'readwrite', (store) => store.delete(id)).then(
    () => undefined,
    () => undefined,
  )

/**
 * Runs the work while this tab alone has the report; otherwise not at all.
 * Locks end with their tab; where there are none (plain http) or they are refused (sandboxed frames), a lease in the database
 * does.
 */
export const withReport = async <Value>(id: string, work: () => Promise<Value>): Promise<Value | null> => {
  let isAsked = false
  try {
    return (await navigator.locks.request(`${DATABASE}:${id}`, { ifAvailable: true }, (lock) => {
      isAsked = true
      return lock === null ? null : work()
    })) as Value | null
  } catch (error) {
    if (isAsked) throw error
  }
  return (await lease(id)) ? work() : null
}

const lease = async (id: string): Promise<boolean> => {
  let isOurs = false
  try {
    await within(REPORTS, 'readwrite', (store) => {
      const request = store.get(id) as IDBRequest<KeptReport | undefined>
      request.onsuccess = () => {
        const kept = request.result
        isOurs = kept === undefined || kept.leaseUntil < Date.now()
        if (isOurs && kept !== undefined) store.put({ ...kept, leaseUntil: Date.now() + LEASE_MS })
      }
      return request
    })
    return isOurs
  } catch {
    // Without storage no other tab can know of the report.
    return true
  }
}

let isWatching = false

/** Sends what waits, now and whenever the connection comes back. */
export const watchOutbox = (): void => {
  if (!isWatching) {
    isWatching = true
    addEventListener('online', () => void flushOutbox())
  }
  void flushOutbox()
}

/** Each waiting report is sent once, by one tab; what has no answer stays for the next time. */
export const flushOutbox = async (): Promise<void> => {
  await forgetOld()
  if (!navigator.onLine) return
  const waiting = await within(REPORTS, 'readonly', (store) => store.getAll() as IDBRequest<KeptReport[]>).catch(
    () => [],
  )
  for (const { id } of waiting) {
    await withReport(id, async () => {
      // Another tab may have sent it since.
      const kept = await within(REPORTS, 'readonly', (store) => store.get(id) as IDBRequest<KeptReport | undefined>)
      if (kept === undefined) return
      const { status, threadUrl } = await deliver(kept.report)
      // Refusals would be repeated for ever; no answer, too busy and broken servers may change.
      if (status === 0 || status === 429 || status >= 500) return
      await forgetReport(id)
      if (threadUrl !== undefined) rememberThread(String(kept.report.header['dsn']), threadUrl)
      forgetDraftOf(kept.draft, id)
      // Storage failed under it: what is still there is tried with the next visit, and the server knows a report by its id.
    }).catch(() => undefined)
  }
}

/** The draft is the report that has just arrived. */
const forgetDraftOf = (draft: string, eventId: string): void => {
  if (readDraft(draft)?.eventId !== eventId) return
  forgetDraft(draft)
  forgetPictures(draft)
}

/** The pictures of a draft, once it is sent or discarded. */
export const forgetPictures = (id: string): void => keepPictures(id, [])

export const keepPictures = (id: string, pictures: readonly unknown[]): void => {
  const work =
    pictures.length === 0
      ? within(PICTURES, 'readwrite', (store) => store.delete(id))
      : within(PICTURES, 'readwrite', (store) => store.put({ id, at: Date.now(), pictures }))
  // The text is kept all the same; the pictures are still in the open dialog.
  void work.catch(() => undefined)
}

export const readPictures = async (id: string): Promise<readonly unknown[]> => {
  const kept = await within(
    PICTURES,
    'readonly',
    (store) => store.get(id) as IDBRequest<KeptPictures | undefined>,
    // Without storage nothing was kept.
  ).catch(() => undefined)
  return kept !== undefined && Date.now() - kept.at <= KEPT_MS ? kept.pictures : []
}

/** Nothing stays longer than seven days (widget.md E 92). The flag goes with the last of it. */
const forgetOld = async (): Promise<void> => {
  let left = 0
  for (const name of [REPORTS, PICTURES]) {
    // Without storage nothing was kept, and nothing is too old. What cannot be deleted now is, with the next visit.
    const all = await within(
      name,
      'readonly',
      (store) => store.getAll() as IDBRequest<{ id: string; at: number }[]>,
    ).catch(() => [])
    for (const { id, at } of all) {
      if (Date.now() - at > KEPT_MS) await within(name, 'readwrite', (store) => store.delete(id)).catch(() => undefined)
      else left += 1
    }
  }
  try {
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith(`${KEPT_FLAG}:`))) {
      if (readDraft(key.slice(KEPT_FLAG.length + 1)) === null) localStorage.removeItem(key)
      else left += 1
    }
    if (left === 0) localStorage.removeItem(KEPT_FLAG)
  } catch {
    // No storage, nothing old.
  }
}

/** Everything of the widget that is on the device. */
export const purge = async (): Promise<void> => {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(KEPT_FLAG)) localStorage.removeItem(key)
    }
  } catch {
    // No storage, nothing to delete.
  }
  await new Promise<void>((resolve) => {
    try {
      const request = indexedDB.deleteDatabase(DATABASE)
      for (const end of ['success', 'error', 'blocked']) request.addEventListener(end, () => resolve())
    } catch {
      // No storage, nothing to delete.
      resolve()
    }
  })
}
