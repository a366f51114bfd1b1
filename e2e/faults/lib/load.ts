import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { createEventFactory } from '../../../bench/events.ts'
import type { Account } from '../../../tools/harness/server.ts'

/**
 * Senders that remember what was acknowledged: error events with known ids, and now and then an envelope of something that
 * is only kept. A request without an answer may or may not have been accepted.
 */

/** What an envelope carries, by the name of its item type. */
export type Cargo = 'event' | 'transaction' | 'attachment' | 'client_report'

export interface Sent {
  readonly id: string
  readonly cargo: Cargo
  readonly bytes: Buffer
}

export interface Ledger {
  /** Answered with 200. */
  readonly acknowledged: Map<string, Sent>
  /** Sent at least once, never answered with 200. */
  readonly doubtful: Map<string, Sent>
  /** How often each id was sent. */
  readonly sendings: Map<string, number>
  /** Answers that were not 200, by status. */
  readonly refused: Map<number, number>
}

export const createLedger = (): Ledger => ({
  acknowledged: new Map(),
  doubtful: new Map(),
  sendings: new Map(),
  refused: new Map(),
})

/** Quantity that each client report tells; a number that nothing else has. */
export const REPORTED_DISCARDS = 3

const factory = createEventFactory(2000, 60)

const items = (cargo: Cargo, index: number, id: string): string => {
  const now = Date.now()
  switch (cargo) {
    case 'event':
      // The factory's ids depend on its seed alone; these must never repeat.
      return `{"type":"event"}\n${factory.make(index, now).replace(/"event_id":"[0-9a-f]{32}"/, `"event_id":"${id}"`)}`
    case 'transaction': {
      const trace = {
        // By which it is found again.
        trace_id: id,
        span_id: randomBytes(8).toString('hex'),
        op: 'pageload',
      }
      const transaction = {
        event_id: id,
        type: 'transaction',
        transaction: '/cart',
        start_timestamp: now / 1000 - 1,
        timestamp: now / 1000,
        contexts: { trace },
        spans: [],
      }
      return `{"type":"transaction"}\n${JSON.stringify(transaction)}`
    }
    case 'attachment': {
      // Too large for a row, so that the blob store takes part.
      const payload = randomBytes(80_000)
        .toString('latin1')
        .replaceAll(/[^\x20-\x7e]/g, '.')
      return `{"type":"attachment","length":${payload.length},"filename":"log-${index}.txt"}\n${payload}`
    }
    case 'client_report':
      return `{"type":"client_report"}\n${JSON.stringify({ timestamp: now / 1000, discarded_events: [{ reason: 'sample_rate', category: 'error', quantity: REPORTED_DISCARDS }] })}`
  }
}

const cargoOf = (index: number): Cargo => {
  if (index % 20 === 7) return 'transaction'
  if (index % 40 === 13) return 'attachment'
  if (index % 40 === 33) return 'client_report'
  return 'event'
}

/** A whole HTTP request with an id that was never used before. */
export const makeSent = (account: Account, index: number, cargo: Cargo = cargoOf(index)): Sent => {
  const id = randomBytes(16).toString('hex')
  const header = JSON.stringify({
    event_id: id,
    sent_at: new Date().toISOString(),
    sdk: { name: 'sentry.javascript.node', version: '11.10.0' },
  })
  const body = Buffer.from(`${header}\n${items(cargo, index, id)}`)
  const key = new URL(account.dsn).username
  const head = `POST /api/${account.projectId}/envelope/?sentry_version=7&sentry_key=${key} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: ${body.length}\r\n\r\n`
  return { id, cargo, bytes: Buffer.concat([Buffer.from(head, 'latin1'), body]) }
}

const HEADER_END = Buffer.from('\r\n\r\n')
const ANSWER_MS = 60_000

/** One request and its status; null when the connection ended without an answer. */
const exchange = (socket: Socket, bytes: Buffer): Promise<number | null> =>
  new Promise((resolve) => {
    let pending = Buffer.alloc(0)
    const settle = (status: number | null): void => {
      socket.off('data', onData).off('close', onClose)
      resolve(status)
    }
    const onClose = (): void => settle(null)
    const onData = (chunk: Buffer): void => {
      pending = Buffer.concat([pending, chunk])
      const end = pending.indexOf(HEADER_END)
      if (end < 0) return
      const head = pending.toString('latin1', 0, end)
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      if (pending.length < end + 4 + length) return
      // What a server that is stopping says to those who would keep the connection.
      if (/^connection: *close/im.test(head)) socket.destroy()
      settle(Number(head.slice(9, 12)))
    }
    socket.on('data', onData).on('close', onClose)
    if (socket.destroyed) settle(null)
    else socket.write(bytes)
  })

const open = (port: number): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    socket.once('connect', () => {
      socket.off('error', onError)
      // Whatever happens later shows as 'close'.
      socket.on('error', () => undefined)
      resolve(socket)
    })
    const onError = (): void => resolve(null)
    socket.once('error', onError)
  })

export interface Load {
  /** Requests that got an answer so far. */
  answered(): number
  /** Lets what is under way end, and stops. */
  stop(): Promise<void>
}

/**
 * Sends without a pause over so many connections until it is stopped; a lost connection is opened again.
 *
 * @param next makes the request with this running number
 */
export const startLoad = (port: number, connections: number, ledger: Ledger, next: (index: number) => Sent): Load => {
  const stopping = new AbortController()
  let index = 0
  let answered = 0
  const worker = async (): Promise<void> => {
    let socket: Socket | null = null
    while (!stopping.signal.aborted) {
      if (socket === null || socket.destroyed) {
        socket = await open(port)
        if (socket === null) {
          await new Promise((resolve) => {
            setTimeout(resolve, 20)
          })
          continue
        }
      }
      const sent = next(index)
      index += 1
      ledger.sendings.set(sent.id, (ledger.sendings.get(sent.id) ?? 0) + 1)
      ledger.doubtful.set(sent.id, sent)
      const status = await exchange(socket, sent.bytes)
      if (status === null) continue
      answered += 1
      if (status === 200) {
        ledger.doubtful.delete(sent.id)
        ledger.acknowledged.set(sent.id, sent)
      } else ledger.refused.set(status, (ledger.refused.get(status) ?? 0) + 1)
    }
    socket?.destroy()
  }
  const workers = Promise.all(Array.from({ length: connections }, worker))
  return {
    answered: () => answered,
    stop: async () => {
      stopping.abort()
      await workers
    },
  }
}

/** Sends one request on a connection of its own. */
export const sendOne = async (port: number, sent: Sent, ledger: Ledger): Promise<number | null> => {
  ledger.sendings.set(sent.id, (ledger.sendings.get(sent.id) ?? 0) + 1)
  if (!ledger.acknowledged.has(sent.id)) ledger.doubtful.set(sent.id, sent)
  const socket = await open(port)
  if (socket === null) return null
  const status = await exchange(socket, sent.bytes)
  socket.destroy()
  if (status === 200) {
    ledger.doubtful.delete(sent.id)
    ledger.acknowledged.set(sent.id, sent)
  } else if (status !== null) ledger.refused.set(status, (ledger.refused.get(status) ?? 0) + 1)
  return status
}
