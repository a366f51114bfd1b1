import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { createIssueApp, nextId, NOW, sampleEvent, type IssueApp, type TestOrganization } from '../test/issue-app.ts'
import { downloadHeaders, fileName, mediaType } from '../../kept-items/index.ts'

const ENGINES_START_MS = 240_000
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00])

interface Attachment {
  id: string
  name: string
  mimetype: string
  size: number
  type: string
}

describe('attachments of an event', () => {
  let app: IssueApp
  let acme: TestOrganization
  let rival: TestOrganization
  const eventId = nextId()
  const bare = nextId()
  const feedbackId = nextId()
  const [logId, shotId] = [nextId(), nextId()]
  const [engine] = LEDGER_ENGINES

  beforeAll(async () => {
    if (engine === undefined) throw new Error('there is no ledger engine')
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    rival = await app.organization('rival')
    await app.store(acme, [sampleEvent({ kind: 'cart', id: eventId }), sampleEvent({ kind: 'cart', id: bare })])
    await app.store(rival, [sampleEvent({ kind: 'cart', id: eventId })])
    const item = {
      organizationId: acme.organizationId,
      projectId: acme.projectId,
      itemType: 'attachment',
      eventId,
      traceId: null,
      envelopeHeader: '{}',
      itemHeader: '{"type":"attachment"}',
      payload: null,
    }
    await app.keep([
      {
        ...item,
        id: logId,
        receivedAt: NOW,
        filename: 'ünder/../<log>.html',
        contentType: 'text/html',
        payload: '<script>alert(1)</script>\n',
        bytes: 26,
      },
      {
        ...item,
        id: shotId,
        receivedAt: NOW + 1,
        filename: 'screen.png',
        contentType: null,
        itemHeader: '{"type":"attachment","attachment_type":"event.view_hierarchy"}',
        bytes: PNG,
      },
      { ...item, id: nextId(), itemType: 'replay_event', receivedAt: NOW, filename: null, contentType: null, bytes: 0 },
      { ...item, id: nextId(), eventId: feedbackId, receivedAt: NOW, filename: null, contentType: null, bytes: 0 },
    ])
  }, ENGINES_START_MS)
  afterAll(() => app.close())

  const path = (event: string, rest = ''): string => `/projects/acme/web/events/${event}/attachments/${rest}`

  it('lists them in the order of arrival, in Sentry’s shape', async () => {
    const { status, body } = await acme.call('GET', path(eventId))
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        id: logId,
        event_id: eventId,
        type: 'event.attachment',
        name: 'ünder_.._log_.html',
        mimetype: 'text/html',
        dateCreated: '2026-11-20T12:00:00.000Z',
        size: 26,
        headers: { 'Content-Type': 'text/html' },
        sha1: '',
      },
      expect.objectContaining({ id: shotId, type: 'event.view_hierarchy', mimetype: 'image/png', size: 9 }),
    ])
    const first = await acme.call('GET', path(eventId, '?limit=1'))
    expect((first.body as Attachment[]).map(({ id }) => id)).toEqual([logId])
    expect(first.headers.get('link')).toContain('rel="next"; results="true"')
    expect((await acme.call('GET', path(bare))).body).toEqual([])
    expect((await acme.call('GET', path(feedbackId))).body).toHaveLength(1)
    expect((await acme.call('GET', path(nextId()))).status).toBe(404)
    expect((await acme.call('GET', path('latest'))).status).toBe(404)
  })

  it('answers the file itself, to be saved and never run', async () => {
    const log = await acme.download(path(eventId, `${logId}/?download=1`))
    expect(log.status).toBe(200)
    expect(await log.text()).toBe('<script>alert(1)</script>\n')
    expect(Object.fromEntries(log.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="_nder_.._log_.html"; filename*=UTF-8''%C3%BCnder_.._log_.html`,
      'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox$/) as string,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    const shot = await acme.download(path(eventId, `${shotId}/?download`))
    expect(shot.headers.get('content-type')).toBe('image/png')
    expect(new Uint8Array(await shot.arrayBuffer())).toEqual(PNG)
    expect((await acme.call('GET', path(eventId, `${shotId}/`))).body).toMatchObject({ name: 'screen.png' })
  })

  it('shows nothing of other organisations, other events, or what is gone', async () => {
    expect((await rival.call('GET', '/projects/rival/web/events/' + eventId + '/attachments/')).body).toEqual([])
    expect(
      (await rival.download(`/projects/rival/web/events/${eventId}/attachments/${logId}/?download=1`)).status,
    ).toBe(404)
    expect((await rival.download(path(eventId, `${logId}/?download=1`))).status).toBe(404)
    expect((await acme.download(path(bare, `${logId}/?download=1`))).status).toBe(404)
    expect((await acme.download(path(eventId, `${'x'.repeat(32)}/?download=1`))).status).toBe(404)
  })
})

describe('names and types of files', () => {
  it.each([
    ['', 'attachment'],
    ['..', 'attachment'],
    ['../../etc/passwd', '_.._etc_passwd'],
    ['a\u202Egnp.exe', 'a_gnp.exe'],
    ['x\r\nset-cookie: a=b', 'x_set-cookie_ a=b'],
    ['.env', '.env'],
  ])('%j is saved as %j', (filename, saved) => {
    expect(fileName({ filename })).toBe(saved)
  })

  it('believes a type only when it is written like one, and paints no SVG', () => {
    expect(mediaType({ filename: 'a.PNG', contentType: 'nonsense' })).toBe('image/png')
    expect(mediaType({ filename: 'a.txt', contentType: 'Text/CSV; charset=utf-8' })).toBe('text/csv')
    expect(mediaType({ filename: 'a', contentType: 'text/html\r\nx: y' })).toBe('application/octet-stream')
    const record = {
      id: '',
      itemHeader: '{}',
      bytes: 0,
      receivedAt: 0,
      filename: 'a.svg',
      contentType: 'image/svg+xml',
    }
    expect(downloadHeaders(record)['content-type']).toBe('application/octet-stream')
  })
})
