import { once } from 'node:events'
import { serializeEnvelope } from '@firsthand/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import type { DoorParts } from './door.ts'
import { ENVELOPE_PATH, EVENT_ID, KEY, startDoor, type TestDoor } from './test-door.ts'

const MB = 1024 * 1024
/** More than the buffers of two sockets hold. */
const FILE = Buffer.alloc(18 * MB, 'x')
const withFile = Buffer.from(
  serializeEnvelope({ event_id: EVENT_ID }, [
    { header: { type: 'event' }, payload: Buffer.from('{"message":"out of memory"}') },
    { header: { type: 'attachment', filename: 'heap.bin' }, payload: FILE },
  ]),
)
const small = { ...LIMITS, COMPRESSED_BODY_BYTES: MB, ENVELOPE_BYTES: 4 * MB }
const noDisk = (): Promise<never> => Promise.reject(new Error('ENOSPC: no space left on device'))

interface Refused {
  readonly parts?: Partial<DoorParts>
  readonly pressure?: TestDoor['state']['pressure']
  readonly method?: string
  readonly path?: string
  readonly body?: Buffer
  readonly status: number
  readonly detail: string
}

describe('a sender that reads nothing before it has sent all', () => {
  let door: TestDoor | null = null
  afterEach(() => door?.close())

  const REFUSED: Readonly<Record<string, Refused>> = {
    'wrong key': { path: `/api/42/envelope/?sentry_key=${'f'.repeat(32)}`, status: 403, detail: 'ProjectId' },
    'no key': { path: '/api/42/minidump/', status: 401, detail: 'missing authorization' },
    'wrong key in the body': {
      path: '/api/42/envelope/',
      body: Buffer.concat([Buffer.from(`{"dsn":"http://${'f'.repeat(32)}@h/42"}\n`), FILE]),
      status: 403,
      detail: 'ProjectId',
    },
    'body that is too large': { parts: { limits: small }, status: 413, detail: 'larger than' },
    'form that is too large': {
      parts: { limits: small },
      path: `/api/42/store/?sentry_key=${KEY}`,
      status: 413,
      detail: 'larger than',
    },
    'no envelope': { body: FILE, status: 400, detail: 'invalid envelope' },
    'wrong method': { method: 'DELETE', status: 405, detail: 'method not allowed' },
    'digest behind': { pressure: 'behind', status: 429, detail: 'more than it can process' },
    'no room for bodies': {
      parts: { limits: { ...LIMITS, STAGED_BODIES_BYTES: MB } },
      status: 503,
      detail: 'as many request bodies as it can',
    },
    'full disk': { pressure: 'full', status: 503, detail: 'its disk is full' },
    'disk that becomes full': {
      parts: {
        spool: { append: noDisk, stage: noDisk, pressure: () => 'ok', hasShare: () => true, takesHeavy: () => true },
      },
      status: 503,
      detail: 'its disk is full',
    },
  }

  const KEPT = [
    ['is closed', 'Connection: close\r\n'],
    ['is kept', ''],
  ] as const
  const CASES = Object.entries(REFUSED).flatMap(([name, refused]) =>
    KEPT.map(([end, header]) => [name, end, header, refused] as const),
  )

  it.each(CASES)('%s, on a connection that %s: is told', async (_name, _end, header, refused) => {
    const { body = withFile, detail, method = 'POST', parts = {}, path = ENVELOPE_PATH, pressure = 'ok' } = refused
    door = await startDoor(parts)
    door.state.pressure = pressure
    const socket = await door.raw()
    // What was not sent is told by the answer that is missing.
    socket.on('error', () => undefined)
    socket.pause()
    const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\n${header}Content-Length: ${body.byteLength}\r\n\r\n`
    socket.write(head)
    const problem = await new Promise<Error | null | undefined>((resolve) => {
      socket.write(body, resolve)
    })
    expect(problem ?? null).toBeNull()
    socket.resume()
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${refused.status} [^]*"detail":"[^"]*${detail}`))
    socket.destroy()
  })
})
