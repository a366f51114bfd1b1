import { connect } from 'node:net'

/** What a run of requests came to. */
export interface LoadResult {
  readonly sent: number
  readonly ok: number
  readonly otherStatus: Readonly<Record<string, number>>
  readonly seconds: number
  /** Milliseconds, sorted. */
  readonly latencies: Float64Array
}

const HEADER_END = Buffer.from('\r\n\r\n')

/**
 * Sends prepared HTTP requests over keep-alive connections, one at a time on each. Written on bare sockets, because the
 * sender shares the machine with what it measures and should cost as little as possible.
 *
 * @param requests whole HTTP/1.1 requests; each is sent once
 */
export const sendAll = async (port: number, requests: readonly Buffer[], connections: number): Promise<LoadResult> => {
  const latencies = new Float64Array(requests.length)
  const otherStatus: Record<string, number> = {}
  let next = 0
  let ok = 0
  const started = performance.now()
  const worker = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.setTimeout(60_000, () => socket.destroy(new Error('no answer within 60 s')))
      let index = -1
      let sentAt = 0
      let pending = Buffer.alloc(0)
      const sendNext = (): void => {
        index = next
        next += 1
        if (index >= requests.length) {
          socket.end()
          resolve()
          return
        }
        sentAt = performance.now()
        socket.write(requests[index] as Buffer)
      }
      socket.on('connect', sendNext)
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
        const end = pending.indexOf(HEADER_END)
        if (end < 0) return
        const head = pending.toString('latin1', 0, end)
        const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
        if (pending.length < end + 4 + length) return
        const status = head.slice(9, 12)
        if (status === '200') ok += 1
        else otherStatus[status] = (otherStatus[status] ?? 0) + 1
        latencies[index] = performance.now() - sentAt
        pending = pending.subarray(end + 4 + length)
        sendNext()
      })
    })
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - started) / 1000
  latencies.sort()
  return { sent: requests.length, ok, otherStatus, seconds, latencies }
}

/** Value at a quantile (0…1) of sorted numbers. */
export const quantile = (sorted: Float64Array | readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
