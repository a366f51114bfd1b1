import type { Client } from '../client.ts'
import { guard } from '../guard.ts'
import { categoryOf } from '../transport.ts'
import type { Envelope, EnvelopeItem } from '../types.ts'
import { type Kept, openKept } from './kept.ts'

/** How long a device keeps an envelope, in milliseconds. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000
/** Between attempts: doubled each time that the server cannot be reached. */
const FIRST_WAIT_MS = 5000
const LAST_WAIT_MS = 60 * 60 * 1000
/** After "too much": as long as limits last where nothing else is said (protocol.md 2.5). */
const LIMITED_WAIT_MS = 60_000

export interface Outbox {
  keep(envelope: Envelope): void
  close(): void
}

/** What waits on the device, for one DSN. */
export const createOutbox = (client: Client): Outbox => {
  const { host, projectId, publicKey } = client.getDsn() ?? {}
  const name = `firsthand-outbox:${host}/${projectId}/${publicKey}`
  let wait = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  /** First item of what we are sending ourselves: when it fails, it comes back here. */
  let sending: EnvelopeItem | undefined
  let failed = false

  const lose = (kept: Kept | undefined): void => {
    for (const [{ type }] of kept?.envelope[1] ?? []) client.recordDroppedEvent('cache_overflow', categoryOf(type))
  }

  const store = openKept(name, lose)

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
    // Too many: it stays in the outbox, and nothing is tried before the limit is over.
    wait = Math.max(wait, LIMITED_WAIT_MS)
    return false
  }

  /** Oldest first, until one of them fails. */
  const drain = async (): Promise<void> => {
    for (let kept = store.inPage[0]; kept; kept = store.inPage[0]) {
      if (!(await attempt(kept))) return plan()
      store.inPage.shift()
    }
    for (const key of await store.keys()) {
      const kept = await store.get(key)
      if (kept === undefined) continue
      if (!(await attempt(kept))) return plan()
      await store.remove(key)
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

  // What could not be sent is still kept: it is tried again after the next envelope, or when the browser is online again.
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
      else void store.put({ at: Date.now(), envelope }).then(plan)
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      removeEventListener('online', online)
      store.close()
    },
  }
}
