import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '../../tools/harness/server.ts'
import { newEventId } from '../lib/send.ts'
import { until } from '../lib/until.ts'
import { freshFolder, removeFolder, setUp, startFirsthand } from './lib/firsthand.ts'
import type { Firsthand } from './lib/firsthand.ts'
import { post } from './lib/send.ts'

/** Checks of protocol.md section 7 that are true only of the whole way, from the request to the API. */

interface Attachment {
  readonly id: string
  readonly name: string
}

const RACERS = 24

describe('from the request to the API', () => {
  const dataDir = freshFolder()
  let server: Firsthand
  let account: Account
  let path = ''

  beforeAll(async () => {
    server = await startFirsthand({ dataDir })
    account = await setUp(dataDir, server.port)
    path = `/api/${account.projectId}/envelope/?sentry_key=${new URL(account.dsn).username}`
  })
  afterAll(async () => {
    await server.killAll()
    removeFolder(dataDir)
  })

  const send = async (body: Buffer | string): Promise<string> => {
    const answer = await post(server.port, path, body)
    expect(answer.status, answer.text).toBe(200)
    return answer.text
  }
  const read = (where: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}/api/0${where}`, { headers: { authorization: `Bearer ${account.token}` } })
  const eventsPath = `/projects/acme/shop/events`
  const groupOf = (id: string): Promise<string> =>
    until(`the event ${id}`, async () => {
      const answer = await read(`${eventsPath}/${id}/`)
      return answer.status === 200 ? ((await answer.json()) as { groupID: string }).groupID : null
    })
  const countOf = async (issue: string): Promise<string> =>
    ((await (await read(`/organizations/acme/issues/${issue}/`)).json()) as { count: string }).count
  const attachmentsOf = (id: string, wanted: number): Promise<readonly Attachment[]> =>
    until(`${wanted} attachments of ${id}`, async () => {
      const answer = await read(`${eventsPath}/${id}/attachments/`)
      const list = answer.status === 200 ? ((await answer.json()) as Attachment[]) : []
      return list.length === wanted ? list : null
    })
  const eventOf = (id: string, event: object): string =>
    `{"event_id":"${id}"}\n{"type":"event"}\n${JSON.stringify(event)}`
  const crash = (name: string) => ({
    exception: {
      values: [
        { type: name, value: 'x', stacktrace: { frames: [{ function: name, filename: 'a.js', in_app: true }] } },
      ],
    },
  })

  it('check 64: the same event twice → one stored, both answers the same', async () => {
    const id = newEventId()
    const body = eventOf(id, crash('Twice'))
    expect(await send(body)).toBe(await send(body))
    const issue = await groupOf(id)
    const later = newEventId()
    await send(eventOf(later, crash('Twice')))
    expect(await groupOf(later)).toBe(issue)
    expect(await countOf(issue)).toBe('2')
  })

  it('check 65: attachments are listed under their event, also those that come later', async () => {
    const id = newEventId()
    const bytes = Buffer.from([0xff, 0xfe, 0x0a, 0x00, 0x0a])
    const header = `{"type":"attachment","length":${bytes.byteLength},"filename":"first.bin"}`
    await send(Buffer.concat([Buffer.from(`${eventOf(id, { message: 'with files' })}\n${header}\n`), bytes]))
    await groupOf(id)
    await send(`{"event_id":"${id}"}\n{"type":"attachment","length":5,"filename":"later.txt"}\nlater`)
    const files = await attachmentsOf(id, 2)
    expect(files.map(({ name }) => name)).toEqual(['first.bin', 'later.txt'])
    const file = await read(`${eventsPath}/${id}/attachments/${files[0]?.id ?? ''}/?download=1`)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes)
  })

  it('check 113: hostile file names are names, and nothing else', async () => {
    const names = ['../../etc/passwd', 'a\0b', 'CON', '\u202Egnp.exe', 'x'.repeat(10_000), 'a"\r\nX-Evil: 1', '..\\x']
    const id = newEventId()
    const items = names.map((filename) => `${JSON.stringify({ type: 'attachment', length: 1, filename })}\nx`)
    await send([eventOf(id, { message: 'names' }), ...items].join('\n'))
    await groupOf(id)
    for (const { id: file, name } of await attachmentsOf(id, names.length)) {
      expect(name).toMatch(/^[^\p{Cc}\p{Cf}/\\"]{1,255}$/u)
      const answer = await read(`${eventsPath}/${id}/attachments/${file}/?download=1`)
      expect([name, answer.status, await answer.text()]).toEqual([name, 200, 'x'])
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[^"\r\n]+"/)
      expect(answer.headers.has('x-evil')).toBe(false)
    }
  })

  it('check 114: SVG and HTML are saved, never shown', async () => {
    const id = newEventId()
    const files = [
      ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
      ['text/html', '<script>alert(1)</script>'],
      ['application/xhtml+xml', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ] as const
    const items = files.map(
      ([type, text]) => `${JSON.stringify({ type: 'attachment', length: text.length, content_type: type })}\n${text}`,
    )
    await send([eventOf(id, { message: 'pages' }), ...items].join('\n'))
    await groupOf(id)
    for (const { id: file } of await attachmentsOf(id, files.length)) {
      const { headers } = await read(`${eventsPath}/${id}/attachments/${file}/?download=1`)
      expect(headers.get('content-disposition')).toMatch(/^attachment/)
      expect(headers.get('content-type')).toBe('application/octet-stream')
      expect(headers.get('content-security-policy')).toContain('sandbox')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('check 120: clients racing for one new fingerprint → one issue', async () => {
    const ids = Array.from({ length: RACERS }, newEventId)
    await Promise.all(ids.map((id) => send(eventOf(id, crash('Race')))))
    const issues = new Set(await Promise.all(ids.map(groupOf)))
    expect(issues.size).toBe(1)
    const [issue = ''] = issues
    expect(await countOf(issue)).toBe(String(RACERS))
  })
})
