import { connect, type Socket } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'

/** What a run of requests came to. */
export interface LoadResult {
  readonly sent: number
  readonly ok: number
  readonly otherStatus: Readonly<Record<string, number>>
  readonly seconds: number
  /** Milliseconds, sorted. */
  readonly latencies: Float64Array
}

const ANSWER_MS = 60_000
const HEADER_END = Buffer.from('\r\n\r\n')

/** The next whole HTTP/1.1 request, perhaps not at once; null when there are no more. */
type Source = () => Buffer | null | Promise<Buffer | null>

/** Sends prepared HTTP requests, each once, as fast as they are answered. */
export const sendAll = (port: number, requests: readonly Buffer[], connections: number): Promise<LoadResult> => {
  let next = 0
  return sendFrom(port, () => requests[next++] ?? null, connections)
}

/** So many requests a second, for as long as is said; when answers come late, what is due is sent as soon as one came. */
export const sendPaced = (
  port: number,
  load: { readonly perSecond: number; readonly isOver: () => boolean; readonly make: (index: number) => Buffer },
  connections: number,
): Promise<LoadResult> => {
  const started = performance.now()
  let next = 0
  const take = async (): Promise<Buffer | null> => {
    const index = next
    next += 1
    const early = started + (index * 1000) / load.perSecond - performance.now()
    if (early > 0) await pass(early)
    return load.isOver() ? null : load.make(index)
  }
  return sendFrom(port, take, connections)
}

/**
 * Sends over keep-alive connections, one at a time on each. Written on bare sockets, because the sender shares the machine
 * with what it measures and should cost as little as possible.
 */
const sendFrom = async (port: number, source: Source, connections: number): Promise<LoadResult> => {
  const latencies: number[] = []
  const otherStatus: Record<string, number> = {}
  let sent = 0
  let ok = 0
  const started = performance.now()
  const lose = (): void => {
    otherStatus['no answer'] = (otherStatus['no answer'] ?? 0) + 1
  }
  const worker = () =>
    new Promise<void>((resolve, reject) => {
      let sentAt: number | null = null
      let pending: Buffer = Buffer.alloc(0)
      const open = (): Socket => {
        const opened = connect({ port, host: '127.0.0.1', noDelay: true })
        opened.setTimeout(ANSWER_MS, () => opened.destroy(new Error('no answer within 60 s')))
        let isConnected = false
        opened.on('connect', () => (isConnected = true))
        opened.on('data', onData)
        opened.on('error', (error) => {
          if (!isConnected) reject(error)
        })
        // One on which nothing was under way is opened again with the next request.
        opened.on('close', () => {
          if (sentAt === null || !isConnected) return
          sentAt = null
          lose()
          sendNext()
        })
        return opened
      }
      let socket: Socket | null = null
      const send = (request: Buffer | null): void => {
        if (request === null) {
          socket?.end()
          resolve()
          return
        }
        if (socket === null || socket.destroyed || socket.readableEnded) {
          socket = open()
          pending = Buffer.alloc(0)
        }
        sent += 1
        sentAt = performance.now()
        socket.write(request)
      }
      const sendNext = (): void => {
        const request = source()
        if (request instanceof Promise) request.then(send, reject)
        else send(request)
      }
      const onData = (chunk: Buffer): void => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
        const end = pending.indexOf(HEADER_END)
        if (end < 0) return
        const head = pending.toString('latin1', 0, end)
        const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
        if (pending.length < end + 4 + length) return
        const status = head.slice(9, 12)
        if (status === '200') ok += 1
        else otherStatus[status] = (otherStatus[status] ?? 0) + 1
        latencies.push(performance.now() - (sentAt ?? 0))
        sentAt = null
        pending = pending.subarray(end + 4 + length)
        sendNext()
      }
      sendNext()
    })
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - started) / 1000
  return { sent, ok, otherStatus, seconds, latencies: Float64Array.from(latencies).sort() }
}

/** Value at a quantile (0…1) of sorted numbers. */
export const quantile = (sorted: Float64Array | readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
