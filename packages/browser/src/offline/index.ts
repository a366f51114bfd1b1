import { guard } from '../guard.ts'
import type { Envelope, Integration } from '../types.ts'
import type { Outbox } from './outbox.ts'

/** Kept in the page until the part with the database is there. */
const MAX_WAITING = 30
/** There is room for few, and errors come first: how fast or how it was an hour ago is not worth one of them. */
const NOT_KEPT: ReadonlySet<string> = new Set(['client_report', 'span', 'log', 'replay_event', 'replay_recording'])

/**
 * Keeps what could not be sent on the device, and sends it when the connection is back, also at the next visit. The database
 * comes in a part of its own, loaded when the page has nothing better to do: without a connection it could not be had.
 */
export const offlineIntegration = (): Integration => ({
  name: 'Offline',
  setup: (client) => {
    if (typeof addEventListener === 'undefined') return
    let outbox: Outbox | undefined
    let isClosed = false
    let waiting: Envelope[] = []
    let loading: Promise<void> | undefined

    const load = (): void => {
      if (isClosed) return
      loading ??= import('./outbox.ts')
        .then(({ createOutbox }) => {
          if (isClosed) return
          outbox = createOutbox(client)
          for (const envelope of waiting) outbox.keep(envelope)
          waiting = []
        })
        // The file did not come: the next envelope that cannot be sent tries again.
        .catch(() => {
          loading = undefined
        })
    }

    client.on('undelivered', (envelope: Envelope) => {
      if (isClosed || envelope[1].every(([{ type }]) => NOT_KEPT.has(type))) return false
      if (outbox) outbox.keep(envelope)
      else {
        if (waiting.length >= MAX_WAITING) return false
        waiting.push(envelope)
        load()
      }
      return true
    })
    addEventListener('online', load)
    const timer = setTimeout(() => guard(load), 2000)
    client.on('close', () => {
      isClosed = true
      clearTimeout(timer)
      removeEventListener('online', load)
      outbox?.close()
    })
  },
})
