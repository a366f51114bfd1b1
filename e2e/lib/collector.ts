import { createServer } from 'node:http'
import { inflateSync } from 'node:zlib'
import { parseEnvelope } from '@firsthand/protocol'

/** One event of a recording. */
export interface CollectedEvent {
  readonly type: number
  readonly timestamp: number
  readonly data: Readonly<Record<string, unknown>>
}

export interface CollectedSegment {
  readonly event: Readonly<Record<string, unknown>>
  readonly events: readonly CollectedEvent[]
  /** The JSON of the recording, as it was before it was packed. */
  readonly text: string
  readonly isPacked: boolean
  /** Of the whole request. */
  readonly bytes: number
}

/** Takes what an SDK sends, like a server that forgets nothing and does nothing with it. */
export interface Collector {
  readonly dsn: string
  readonly origin: string
  readonly segments: readonly CollectedSegment[]
  /** Payloads of the items of a type that are JSON. */
  items(type: string): Readonly<Record<string, unknown>>[]
  /** Everything that was recorded, in order of time. */
  events(): CollectedEvent[]
  close(): Promise<void>
}

const segmentOf = (event: Record<string, unknown>, recording: Uint8Array, bytes: number): CollectedSegment => {
  const end = recording.indexOf(0x0a)
  const body = recording.subarray(end + 1)
  const isPacked = body[0] === 0x78
  const text = (isPacked ? inflateSync(body) : Buffer.from(body)).toString()
  return { event, events: JSON.parse(text) as CollectedEvent[], text, isPacked, bytes }
}

export const startCollector = async (): Promise<Collector> => {
  const segments: CollectedSegment[] = []
  const items: { type: string; payload: Record<string, unknown> }[] = []
  const take = (body: Buffer): void => {
    const parsed = parseEnvelope(body)
    if (!parsed.ok) throw new Error(`an envelope that nobody can read: ${parsed.error.message}`)
    let event: Record<string, unknown> = {}
    for (const { header, payload } of parsed.value.items) {
      if (header.type === 'replay_recording') segments.push(segmentOf(event, payload, body.length))
      else {
        const read = JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>
        items.push({ type: header.type, payload: read })
        if (header.type === 'replay_event') event = read
      }
    }
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-expose-headers', 'x-sentry-rate-limits, retry-after')
      if (request.method === 'POST') take(Buffer.concat(parts))
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the collector has no port')
  return {
    dsn: `http://0123456789abcdef0123456789abcdef@127.0.0.1:${address.port}/1`,
    origin: `http://127.0.0.1:${address.port}`,
    segments,
    items: (type) => items.filter((item) => item.type === type).map(({ payload }) => payload),
    events: () => segments.flatMap(({ events }) => events).toSorted((one, other) => one.timestamp - other.timestamp),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
