import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { WINDOWS, writeMinidump } from '../../apps/server/src/event/minidump/minidump.fixture.ts'
import { apiOf } from '../lib/api.ts'
import { joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const MB = 1_000_000
const ORGANIZATION = 'largefiles'

interface Attachment {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly type: string
}

describe('large files', () => {
  let server: SharedServer
  beforeAll(async () => {
    server = await joinServer(ORGANIZATION)
  })

  const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
  const path = (eventId: string): string => `/projects/${ORGANIZATION}/shop/events/${eventId}/attachments/`
  const attachmentsOf = (eventId: string): Promise<readonly Attachment[]> =>
    until(`files of event ${eventId}`, async () => {
      const answer = await fetch(`http://127.0.0.1:${server.port}/api/0${path(eventId)}`, { headers })
      const list = answer.ok ? ((await answer.json()) as Attachment[]) : []
      return list.length > 0 ? list : null
    })
  let headers: Record<string, string>
  beforeAll(() => {
    headers = { authorization: `Bearer ${server.account.token}` }
  })

  /** Hash and length of a downloaded file. */
  const download = async (eventId: string, { id }: Attachment) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/api/0${path(eventId)}${id}/?download=1`, { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=/)
    const sum = createHash('sha256')
    let bytes = 0
    for await (const piece of answer.body ?? []) {
      sum.update(piece)
      bytes += piece.byteLength
    }
    expect(answer.headers.get('content-length')).toBe(String(bytes))
    return { sha256: sum.digest('hex'), bytes }
  }

  it('of 60 MB arrive with an unmodified SDK, whole', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, 'node-large-app.cjs'), 'sentry-node-11', server.account.dsn, String(60 * MB)],
      { timeout: 120_000 },
    )
    const sent = JSON.parse(stdout) as { eventId: string; isSent: boolean; sha256: string }
    expect(sent.isSent).toBe(true)
    const [file, ...others] = await attachmentsOf(sent.eventId)
    expect(others).toEqual([])
    if (file === undefined) throw new Error('The event has no file.')
    expect(file).toMatchObject({ name: 'heap.bin', size: 60 * MB, type: 'event.attachment' })
    expect(await download(sent.eventId, file)).toEqual({ sha256: sent.sha256, bytes: 60 * MB })
    expect((await apiOf(server).issue('the shop left its memory behind')).count).toBe('1')
  }, 180_000)

  const DUMP_BYTES = 80 * MB
  /** What Crashpad reads out of a program, and the program's memory behind it. */
  const dumpOf = (file: string): Buffer =>
    Buffer.concat(
      [
        writeMinidump({
          platform: WINDOWS,
          crash: { threadId: 9, code: 0xc0000005, parameters: [1n, 0n], registers: { rip: 0x140000042n, rsp: 0n } },
          threads: [{ id: 9 }],
          modules: [{ begin: 0x140000000n, size: 0x10000, file, timestamp: 1 }],
        }),
        randomBytes(DUMP_BYTES / 2),
        Buffer.alloc(DUMP_BYTES),
      ],
      DUMP_BYTES,
    )

  /** As Crashpad sends it: a form in chunks of unknown length, compressed when it is told to. */
  const sendForm = (dump: Buffer, encoding: Transform | null): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port, pathname, username } = new URL(server.account.dsn)
      const field = (text: string): Buffer => Buffer.from(`--crash\r\nContent-Disposition: form-data; ${text}`)
      const sending = request(
        {
          host: hostname,
          port,
          path: `/api${pathname}/minidump/?sentry_key=${username}`,
          method: 'POST',
          // A connection of its own, as each crash has: one that was kept may be over while nothing was listened to.
          agent: false,
          headers: {
            'content-type': 'multipart/form-data; boundary=crash',
            ...(encoding === null ? {} : { 'content-encoding': 'gzip' }),
          },
        },
        (answer) => {
          const pieces: Buffer[] = []
          answer.on('data', (piece: Buffer) => pieces.push(piece))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }))
        },
      )
      sending.on('error', reject)
      const body = Readable.from([
        field('name="sentry[release]"\r\n\r\ntill@1\r\n'),
        field('name="guid"\r\n\r\n1-2-3\r\n'),
        field('name="upload_file_minidump"; filename="till.dmp"\r\nContent-Type: application/octet-stream\r\n\r\n'),
        dump,
        Buffer.from('\r\n--crash--\r\n'),
      ])
      const sent = encoding === null ? pipeline(body, sending) : pipeline(body, encoding, sending)
      sent.catch(reject)
    })

  it.each([
    ['as it is', 'till.exe', (dump: Buffer) => sendForm(dump, null)],
    ['as a compressed body', 'cash.exe', (dump: Buffer) => sendForm(dump, createGzip({ level: 1 }))],
    ['as a compressed file', 'desk.exe', (dump: Buffer) => sendForm(gzipSync(dump, { level: 1 }), null)],
  ])(
    'that are crash dumps of 80 MB are read and kept, sent %s',
    async (_, program, send) => {
      const dump = dumpOf(`C:\\Shop\\${program}`)
      const answer = await send(dump)
      expect(answer.status).toBe(200)
      const eventId = answer.text.replaceAll('-', '')
      const file = (await attachmentsOf(eventId)).find(({ type }) => type === 'event.minidump')
      if (file === undefined) throw new Error('The event has no dump.')
      expect(file.size).toBe(DUMP_BYTES)
      expect(await download(eventId, file)).toEqual({ sha256: sha256(dump), bytes: DUMP_BYTES })
      const issue = await apiOf(server).issue(`${program}+0x42`)
      expect(issue.title).toBe(`EXCEPTION_ACCESS_VIOLATION_WRITE: ${program}+0x42`)
    },
    120_000,
  )
})
