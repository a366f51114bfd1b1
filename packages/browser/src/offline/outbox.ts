import type { Client } from '../client.ts'
import { guard } from '../guard.ts'
import { categoryOf } from '../transport.ts'
import type { Envelope, EnvelopeItem } from '../types.ts'

const STORE = 'envelopes'
/** Envelopes that a device keeps for one DSN, and how long, in milliseconds. */
const MAX_KEPT = 30
const KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Between attempts: doubled each time that the server cannot be reached. */
const FIRST_WAIT_MS = 5000
const LAST_WAIT_MS = 60 * 60 * 1000
/** After "too much": as long as limits last where nothing else is said (protocol.md 2.5). */
const LIMITED_WAIT_MS = 60_000

interface Kept {
  readonly at: number
  readonly envelope: Envelope
}

export interface Outbox {
  keep(envelope: Envelope): void
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

const open = (name: string): Promise<IDBDatabase> => {
  const request = indexedDB.open(name, 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE, { autoIncrement: true }))
  return promised(request)
}

/** What waits on the device, for one DSN. */
export const createOutbox = (client: Client): Outbox => {
  const { host, projectId, publicKey } = client.getDsn() ?? {}
  const name = `firsthand-outbox:${host}/${projectId}/${publicKey}`
  let database: Promise<IDBDatabase> | undefined
  /** Where there is no database (private windows), what waits does so in the page. */
  const inPage: Kept[] = []
  let wait = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  /** First item of what we are sending ourselves: when it fails, it comes back here. */
  let sending: EnvelopeItem | undefined
  let failed = false

  const connect = async (): Promise<IDBDatabase> => {
    const opened = await open(name)
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

  const lose = (kept: Kept | undefined): void => {
    for (const [{ type }] of kept?.envelope[1] ?? []) client.recordDroppedEvent('cache_overflow', categoryOf(type))
  }

  const put = async (kept: Kept): Promise<void> => {
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
      if (inPage.length >= MAX_KEPT) lose(inPage.shift())
      inPage.push(kept)
    }
  }

  const attempt = async ({ at, envelope }: Kept): Promise<boolean> => {
    if (Date.now() - at > KEPT_MS) {
      lose({ at, envelope })
      return true
    }
    failed = false
    sending = envelope[1][0]
    const { statusCode } = await client.sendEnvelope(envelope)
    sending = undefined
    if (statusCode !== 429) return !failed
    // It has waited so long already: it waits until it may be sent.
    wait = Math.max(wait, LIMITED_WAIT_MS)
    return false
  }

  /** Oldest first, until one of them fails. */
  const drain = async (): Promise<void> => {
    for (let kept = inPage[0]; kept; kept = inPage[0]) {
      if (!(await attempt(kept))) return plan()
      inPage.shift()
    }
    const keys = await promised(await store('readonly').then((target) => target.getAllKeys()))
    for (const key of keys) {
      const kept = (await promised((await store('readonly')).get(key))) as Kept | undefined
      if (kept === undefined) continue
      if (!(await attempt(kept))) return plan()
      await promised((await store('readwrite')).delete(key))
    }
    wait = FIRST_WAIT_MS
  }

  /** One tab at a time, so that nothing is sent twice. */
  const run = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (isClosed || sending) return
    if (!navigator.onLine) return
    if (!navigator.locks) return drain()
    const alone = (lock: Lock | null): unknown => (lock ? drain() : plan())
    // A sandboxed frame has locks, and may not use them.
    await navigator.locks.request(name, { ifAvailable: true }, alone).catch(drain)
  }

  const start = (): void => void run().catch(() => undefined)

  const plan = (): void => {
    timer ??= setTimeout(start, wait)
    wait = Math.min(wait * 2, LAST_WAIT_MS)
  }

  const online = (): void => {
    wait = FIRST_WAIT_MS
    start()
  }
  addEventListener('online', online)
  guard(start)

  return {
    keep: (envelope) => {
      // Sent by ourselves: it is still where it was.
      if (sending && envelope[1].includes(sending)) failed = true
      else void put({ at: Date.now(), envelope }).then(plan)
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      removeEventListener('online', online)
      void database?.then((one) => one.close()).catch(() => undefined)
    },
  }
}
