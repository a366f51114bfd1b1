import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  ApiEvent,
  EventSummary,
  Feedback,
  FeedbackDetail,
  FeedbackMessage,
  FeedbackSettings,
  Issue,
  IssueDetail,
  IssueTag,
  ServerStatus,
} from '../../packages/contract/src/index.ts'
import { ENDPOINTS } from '../../packages/contract/src/index.ts'
import { OWNER, startServer } from '../../tools/harness/server.ts'
import type { RunningServer } from '../../tools/harness/server.ts'
import { post } from '../faults/lib/send.ts'
import { apiOf } from '../lib/api.ts'
import { sendFeedback, type SentFeedback } from '../lib/feedback.ts'
import { errorEvent, ingestUrl, newEventId, sendEvent, sendItems } from '../lib/send.ts'
import { until } from '../lib/until.ts'
import { headersOf, startMailbox, textOf } from './mailbox.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let mailbox: Awaited<ReturnType<typeof startMailbox>>
let server: RunningServer

beforeAll(async () => {
  mailbox = await startMailbox()
  server = await startServer({ environment: { FIRSTHAND_SMTP_URL: mailbox.url, FIRSTHAND_TUNNEL_PATH: '/k3x9' } })
  // Everything here comes from one address, which the default rules would soon take for spam.
  const settings = `/projects/${server.account.organization}/shop/feedback-settings/`
  const { status } = await call('PUT', settings, { spam: { reportsPerAddress: 10_000 } })
  if (status !== 200) throw new Error(`The settings of the inbox were refused: ${status}`)
})
afterAll(async () => {
  await server.stop()
  server.remove()
  await mailbox.close()
})

type Sent = SentFeedback

const send = (
  context: Readonly<Record<string, unknown>>,
  more: {
    readonly event?: Readonly<Record<string, unknown>>
    readonly picture?: Uint8Array
    readonly path?: string
  } = {},
): Promise<Sent> =>
  sendFeedback(server.account.dsn, context, {
    ...(more.event === undefined ? {} : { event: more.event }),
    ...(more.picture === undefined
      ? {}
      : { files: [{ name: 'screenshot.png', type: 'image/png', bytes: more.picture }] }),
    ...(more.path === undefined ? {} : { url: `http://127.0.0.1:${server.port}${more.path}` }),
  })

const call = async <Body>(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/0${path}`, {
    method,
    headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as Body }
}

const main = join(import.meta.dirname, '..', '..', 'apps', 'server', 'dist', 'main.js')
const firsthand = (...args: string[]) =>
  spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args, '--data-dir', server.dataDir], {
    encoding: 'utf8',
    env: { ...process.env, FIRSTHAND_SMTP_URL: mailbox.url },
    timeout: 60_000,
  })

const inbox = (rest = '') => `/organizations/${server.account.organization}/feedback/${rest}`

const report = ({ eventId }: Pick<Sent, 'eventId'>): Promise<FeedbackDetail> =>
  until('the report', async () => {
    const { status, body } = await call<FeedbackDetail>('GET', inbox(`${eventId}/`))
    return status === 200 ? body : null
  })

/** The id of a report among issues. */
const asIssue = ({ id }: { readonly id: string }): string => String(10 ** 12 + Number(id))

const list = async (query: string): Promise<Feedback[]> => (await call<Feedback[]>('GET', inbox(`?${query}`))).body

describe('a report in the inbox', () => {
  it('shows everything that came with it', async () => {
    const sent = await send(
      {
        message: 'The cart is\nempty  ',
        name: 'Ada\r\nBcc: evil@example.com',
        contact_email: 'ada@shop.example',
        url: 'https://shop.example/cart',
        replay_id: 'c'.repeat(32),
        fields: { stars: 4 },
      },
      {
        picture: PNG,
        event: {
          tags: { plan: 'pro' },
          user: { id: '7', username: 'ada' },
          release: 'shop@1.0',
          breadcrumbs: { values: [{ timestamp: 1_700_000_000, category: 'ui.click', message: 'button' }] },
        },
      },
    )
    const detail = await report(sent)
    expect(detail).toMatchObject({
      message: 'The cart is\nempty',
      name: 'Ada Bcc: evil@example.com',
      email: 'ada@shop.example',
      url: 'https://shop.example/cart',
      source: 'widget',
      status: 'open',
      isRead: false,
      release: 'shop@1.0',
      tags: [{ key: 'plan', value: 'pro' }],
      fields: [{ key: 'stars', value: '4' }],
      replay: { replayId: 'c'.repeat(32), offsetMs: null },
      user: { id: '7', username: 'ada' },
      breadcrumbs: [{ timestamp: '2023-11-14T22:13:20.000Z', category: 'ui.click' }],
      attachments: [{ name: 'screenshot.png', isImage: true, size: PNG.byteLength }],
      reply: { canReply: true, by: 'email', reason: null },
      issue: null,
    })
    const bytes = await fetch(`http://127.0.0.1:${server.port}/api/0${detail.attachments[0]?.url ?? ''}`, {
      headers: { authorization: `Bearer ${server.account.token}` },
    })
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(PNG)
    const outsider = await fetch(`http://127.0.0.1:${server.port}/api/0${inbox(`${detail.id}/`)}`)
    expect(outsider.status).toBe(401)
  })

  it('R19 R57 says at which moment of its replay it was sent, once anything of that came', async () => {
    const replayId = newEventId()
    const began = Date.now() - 5000
    const segment = {
      type: 'replay_event',
      replay_id: replayId,
      event_id: replayId,
      segment_id: 0,
      replay_start_timestamp: began / 1000,
      timestamp: Date.now() / 1000,
    }
    const answer = await sendItems(server.account.dsn, [{ type: 'replay_event', payload: segment }], {
      event_id: replayId,
    })
    expect(answer.status).toBe(200)
    const sent = await send({ message: `recorded ${replayId}`, replay_id: replayId })
    const offset = await until('the moment in the replay', async () => (await report(sent)).replay?.offsetMs ?? null)
    expect(offset).toBeGreaterThanOrEqual(4900)
    expect(offset).toBeLessThan(Date.now() - began + 1)
    // One that waited for a connection was sent earlier than it came; the recording shows that second.
    const late = await send(
      { message: `written before ${replayId}`, replay_id: replayId },
      { event: { timestamp: (began + 2000) / 1000 } },
    )
    expect((await report(late)).replay?.offsetMs).toBe(2000)
    // SDK 7 says nothing but the event: what is known of that is known of the report, whichever of the two comes first.
    const contexts = {
      replay: { replay_id: replayId },
      browser: { name: 'Chrome', version: '156.0' },
      os: { name: 'Linux' },
    }
    const said = {
      contexts,
      release: 'shop@1.2',
      environment: 'qa',
      request: { url: `https://shop.example/${replayId}` },
    }
    const about = async (order: 'report first' | 'event first'): Promise<string> => {
      const eventId = newEventId()
      const message = `${order}, ${eventId}`
      const ask = () =>
        sendItems(server.account.dsn, [{ type: 'user_report', payload: { event_id: eventId, comments: message } }])
      const fail = () =>
        sendEvent(server.account.dsn, { ...said, ...errorEvent('TypeError', order), event_id: eventId })
      for (const step of order === 'report first' ? [ask, fail] : [fail, ask]) expect((await step()).status).toBe(200)
      return message
    }
    const messages = [await about('report first'), await about('event first')]
    for (const message of messages) {
      const row = await until('what the event says', async () => {
        const [found] = await list(`mailbox=all&query=${encodeURIComponent(`${message} ${replayId}`)}`)
        return found ?? null
      })
      const { body } = await call<FeedbackDetail>('GET', inbox(`${row.id}/`))
      expect(body).toMatchObject({ release: 'shop@1.2', environment: 'qa', browser: 'Chrome 156.0', os: 'Linux' })
      expect(body.url).toBe(`https://shop.example/${replayId}`)
      expect(body.replay?.replayId).toBe(replayId)
      expect(body.replay?.offsetMs).toBeLessThan(Date.now() - began + 1)
      expect(body.replay?.offsetMs).toBeGreaterThanOrEqual(4900)
    }
  })

  it('has category and rating among its answers, and is found by them; what a page tags itself stands', async () => {
    const words = `topics ${newEventId()}`
    const first = await send({ message: `${words} one`, category: 'idea\n', rating: 4 })
    const second = await send(
      { message: `${words} two`, category: 'x'.repeat(300), rating: 5 },
      { event: { tags: { rating: 'own' } } },
    )
    const odd = await send({ message: `${words} three`, category: { toString: 1 }, rating: 6 })
    expect((await report(first)).fields).toEqual([
      { key: 'category', label: 'Category', value: 'idea' },
      { key: 'rating', label: 'Rating, of 5', value: '4' },
    ])
    expect((await report(first)).tags).toEqual([
      { key: 'category', value: 'idea' },
      { key: 'rating', value: '4' },
    ])
    expect((await report(second)).tags).toEqual([
      { key: 'category', value: 'x'.repeat(200) },
      { key: 'rating', value: 'own' },
    ])
    expect(await report(odd)).toMatchObject({ fields: [], tags: [] })
    const query = `query=${encodeURIComponent(words)}&mailbox=all`
    expect((await list(`${query}&tag=category:idea`)).map(({ message }) => message)).toEqual([`${words} one`])
    expect(await list(`${query}&tag=rating:5`)).toEqual([])
    const asIssues = encodeURIComponent(`issue.category:feedback category:idea rating:4 ${words}`)
    const found = await call<{ title: string }[]>(
      'GET',
      `/organizations/${server.account.organization}/issues/?query=${asIssues}`,
    )
    expect([found.status, found.body.length]).toEqual([200, 1])
  })

  it('widget 27: a picture is shown as one, also when it is called application/png', async () => {
    const files = [{ name: 'screenshot.png', type: 'application/png', bytes: PNG }]
    const detail = await report(await sendFeedback(server.account.dsn, { message: 'Odd type' }, { files }))
    expect(detail.attachments).toMatchObject([{ mimetype: 'image/png', isImage: true }])
  })

  it.each([-5, 5])('widget 83: a clock that is %i days off is no reason to lose a report', async (days) => {
    const timestamp = Date.now() / 1000 + days * 86_400
    const detail = await report(await send({ message: `Clock ${days}` }, { event: { timestamp } }))
    expect(Math.abs(Date.parse(detail.dateCreated) - Date.now())).toBeLessThan(60_000)
  })

  it('widget 103: what programs send is marked with the reason, never dropped, and can be taken back', async () => {
    const trapped = await report(await send({ message: 'Buy lamps', honeypot: 'http://spam.example' }))
    expect(trapped).toMatchObject({ status: 'spam', spam: { score: 100, decidedBy: 'automatic' } })
    expect(trapped.spam.reasons.map(({ reason }) => reason)).toContain('honeypot')
    const fast = await report(await send({ message: 'Sent at once', fill_ms: 20 }))
    expect(fast.spam.reasons.map(({ reason }) => reason)).toContain('too_fast')
    const back = await call<FeedbackDetail>('PUT', inbox(`${trapped.id}/`), { status: 'open' })
    expect(back.body).toMatchObject({ status: 'open', spam: { decidedBy: 'person' } })
  })

  it('changes: read, assigned, tagged, found by all of it, noted, deleted with its picture', async () => {
    const sent = await send({ message: 'Where is my parcel? zebra' }, { picture: PNG })
    const { id } = await report(sent)
    const tagged = await call<FeedbackDetail>('PUT', inbox(`${id}/`), {
      isRead: true,
      addTags: [{ key: 'area', value: 'shipping' }],
    })
    expect(tagged.body).toMatchObject({ isRead: true, tags: [{ key: 'area', value: 'shipping' }] })
    expect((await list('query=zebra%20PARCEL&tag=area:shipping&statsPeriod=1h')).map((row) => row.id)).toEqual([id])
    expect(await list('query=zebra&mailbox=unread')).toEqual([])
    const tags = await call<{ key: string }[]>('GET', `/organizations/${server.account.organization}/feedback-tags/`)
    expect(tags.body.map((tag) => tag.key)).toContain('area')
    expect((await call('PUT', inbox(`${id}/`), { assignedTo: 'user:999' })).status).toBe(400)
    expect((await call('GET', inbox('?project=nothing'))).status).toBe(404)
    await call('POST', inbox(`${id}/notes/`), { text: 'Asked the warehouse.' })
    const noted = await report(sent)
    expect(noted.notes.map((note) => note.data)).toEqual([{ text: 'Asked the warehouse.' }])

    expect((await call('DELETE', inbox(`?id=${id}`))).status).toBe(204)
    expect((await call('GET', inbox(`${id}/`))).status).toBe(404)
    const picture = await call('GET', noted.attachments[0]?.url.replace('?download=1', '') ?? '/')
    expect(picture.status).toBe(404)
  })

  it('belongs to the issue of its event, to one that was linked, or to one made of it', async () => {
    const eventId = newEventId()
    await sendEvent(server.account.dsn, { ...errorEvent('TypeError', 'cart is null'), event_id: eventId })
    const issue = await apiOf(server).issue('cart is null')
    const sent = await send({ message: 'It said something about a cart', associated_event_id: eventId })
    const detail = await report(sent)
    expect(detail).toMatchObject({
      issue: { id: issue.id, shortId: issue.shortId },
      associatedEvent: { eventId, issue: { id: issue.id } },
    })
    expect((await call<FeedbackDetail>('PUT', inbox(`${detail.id}/issue/`), { issue: null })).body).toMatchObject({
      issue: null,
      associatedEvent: { eventId },
    })
    expect((await call('PUT', inbox(`${detail.id}/issue/`), { issue: 'NOPE-1' })).status).toBe(400)
    const linked = await call<FeedbackDetail>('PUT', inbox(`${detail.id}/issue/`), { issue: issue.shortId })
    expect(linked.body.issue?.id).toBe(issue.id)

    const lonely = await report(await send({ message: 'Please add a dark mode\nthanks', name: 'Bo' }))
    const made = await call<FeedbackDetail>('POST', inbox(`${lonely.id}/issue/`), {})
    expect([made.status, made.body.issue?.title]).toEqual([201, 'Please add a dark mode'])
    expect((await call('POST', inbox(`${lonely.id}/issue/`), {})).status).toBe(409)
    const event = await apiOf(server).latestEvent(made.body.issue?.id ?? '')
    expect(event.contexts['feedback']).toMatchObject({ message: 'Please add a dark mode\nthanks', name: 'Bo' })
  })
})

describe('the issue search, asked for issue.category:feedback', () => {
  const stream = (query: string, rest = '') =>
    `/organizations/${server.account.organization}/issues/?query=${encodeURIComponent(query)}${rest}`
  const ids = async (query: string, rest = ''): Promise<string[]> => {
    const { status, body } = await call<Issue[]>('GET', stream(`issue.category:feedback ${query}`, rest))
    expect(status, JSON.stringify(body)).toBe(200)
    return body.map((one) => one.id)
  }

  it('answers reports in the shape of issues, which nobody can take for an issue', async () => {
    const mark = newEventId()
    const said = { message: `Stream ${mark}\nof reports`, name: 'Dot', contact_email: 'dot@example.com' }
    const sent = await send({ ...said, url: 'https://shop.example/pay' }, { event: { environment: `env-${mark}` } })
    const detail = await report(sent)
    const { body, status } = await call<Issue[]>('GET', stream(`issue.category:feedback ${mark}`))
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject([
      {
        id: asIssue(detail),
        title: `User Feedback: Stream ${mark}`,
        status: 'unresolved',
        issueCategory: 'feedback',
        issueType: 'feedback',
        project: { slug: 'shop' },
        metadata: {
          value: said.message,
          message: said.message,
          name: 'Dot',
          contact_email: 'dot@example.com',
          source: 'widget',
          url: 'https://shop.example/pay',
          is_spam: false,
        },
        count: '1',
        permalink: expect.stringMatching(
          new RegExp(`/organizations/${server.account.organization}/issues/${asIssue(detail)}/$`),
        ),
        firstSeen: detail.dateCreated,
      },
    ])
    const project = `/projects/${server.account.organization}/shop/issues/?query=issue.category:feedback%20${mark}`
    expect((await call<Issue[]>('GET', project)).body.map((one) => one.id)).toEqual([asIssue(detail)])
    expect(
      (await call<Issue[]>('GET', stream('issue.category:error'))).body.map((one) => one.issueCategory),
    ).not.toContain('feedback')
  })

  it('keeps to status, assignee, project, environment, dates, pages, and refuses what reports do not have', async () => {
    const mark = newEventId()
    const first = asIssue(await report(await send({ message: `One ${mark}` }, { event: { environment: 'staging' } })))
    const { id } = await report(await send({ message: `Two ${mark}` }, { event: { environment: 'production' } }))
    const second = asIssue({ id })
    const both = [second, first]
    expect(await ids(mark)).toEqual(both)
    expect(await ids(`is:unresolved is:unassigned assigned:none ${mark}`)).toEqual(both)
    expect(await ids(`project:shop age:-1h ${mark}`, `&statsPeriod=1h&project=${server.account.projectId}`)).toEqual(
      both,
    )
    expect(await ids(`age:+1h ${mark}`)).toEqual([])
    expect(await ids(`environment:staging ${mark}`)).toEqual([first])
    expect(await ids(mark, `&group=${second}&group=1`)).toEqual([second])
    expect(await ids(mark, '&environment=production')).toEqual([second])
    expect(await ids(`environment:staging ${mark}`, '&environment=production')).toEqual([])

    await call('POST', `/organizations/${server.account.organization}/teams/`, { slug: 'readers' })
    const handed = await call('PUT', `/organizations/${server.account.organization}/issues/${first}/`, {
      assignedTo: 'team:readers',
    })
    expect(handed.status).toBe(200)
    for (const team of ['team:readers', '#readers']) expect(await ids(`assigned:${team} ${mark}`)).toEqual([first])

    await call('PUT', inbox(`${id}/`), { status: 'resolved' })
    expect(await ids(`is:unresolved ${mark}`)).toEqual([first])
    expect(await ids(`is:resolved ${mark}`)).toEqual([second])
    await call('PUT', inbox(`${id}/`), { status: 'spam' })
    expect(await ids(`is:ignored ${mark}`)).toEqual([second])

    const answer = await fetch(
      `http://127.0.0.1:${server.port}/api/0${stream(`issue.category:feedback ${mark}`, '&limit=1')}`,
      {
        headers: { authorization: `Bearer ${server.account.token}` },
      },
    )
    expect(answer.headers.get('x-hits')).toBe('2')
    const [, cursor = ''] = /rel="next"; results="true"; cursor="([^"]+)"/.exec(answer.headers.get('link') ?? '') ?? []
    expect(await ids(mark, `&limit=1&cursor=${cursor}`)).toEqual([first])

    for (const [query, rest, words] of [
      ['is:regressed', '', 'unresolved, resolved'],
      ['timesSeen:>5', '', 'cannot be asked of what visitors say'],
      ['', '&sort=loudest', 'sort'],
      ['assigned:nobody@example.com', '', 'neither a member nor a team'],
    ] as const) {
      const { status, body } = await call<{ detail: string }>('GET', stream(`issue.category:feedback ${query}`, rest))
      expect([query, status, body.detail]).toEqual([query, 400, expect.stringContaining(words)])
    }
    const nowhere = await call('GET', stream('issue.category:feedback project:elsewhere'))
    expect(nowhere.status).toBe(404)
    // Changes are for issues alone.
    const change = await call('PUT', stream('issue.category:feedback'), { status: 'resolved' })
    expect(change.status).toBe(400)
    const byId = `/organizations/${server.account.organization}/issues/?id=${first}`
    expect((await call('PUT', byId, { status: 'resolved' })).status).toBe(400)
    expect((await call('DELETE', byId)).status).toBe(400)
  })
})

describe('a report that was found among issues', () => {
  const issue = (id: string, rest = '') => `/organizations/${server.account.organization}/issues/${id}/${rest}`
  const read = async <Body>(path: string): Promise<Body> => {
    const { status, body } = await call<Body>('GET', path)
    expect(status, `${path}: ${JSON.stringify(body)}`).toBe(200)
    return body
  }

  it('tells nothing of what was said to who may change it but not read it', async () => {
    const message = `A secret ${newEventId()}`
    const sent = await send(
      { message, name: 'Ann', contact_email: 'ann@example.com', url: 'https://shop.example/pay' },
      { event: { environment: 'production', release: 'shop@2.1.0', tags: { kind: 'idea' } } },
    )
    const { id } = await report(sent)
    const { organization } = server.account
    const made = firsthand('token', 'create', '--organization', organization, '--scopes', 'event:write')
    for (const address of [issue(asIssue({ id })), inbox(`${id}/`)]) {
      const ask = (method: string, body?: string) =>
        fetch(`http://127.0.0.1:${server.port}/api/0${address}`, {
          method,
          headers: { authorization: `Bearer ${made.stdout.trim()}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body }),
        })
      expect((await ask('GET')).status).toBe(403)
      const changed = await ask('PUT', '{}')
      expect(changed.status).toBe(200)
      const text = await changed.text()
      for (const secret of [message, 'ann@example.com', 'Ann', 'shop.example', 'shop@2.1.0', 'idea']) {
        expect(text).not.toContain(secret)
      }
      expect(JSON.parse(text)).toMatchObject({ project: { slug: 'shop' } })
    }
  })

  it('is opened by its id and by its short id, with its event, tags, notes and activity', async () => {
    const message = `Found ${newEventId()}`
    const sent = await send(
      { message, name: 'Ann', contact_email: 'ann@example.com', url: 'https://shop.example/pay' },
      { event: { environment: 'production', release: 'shop@2.1.0', tags: { kind: 'idea' } } },
    )
    const { id } = await report(sent)
    const found = await read<IssueDetail>(issue(sent.eventId))
    const own = asIssue({ id })
    expect(found).toMatchObject({
      id: own,
      shortId: expect.stringMatching(/^SHOP-U[0-9A-Z]+$/),
      issueCategory: 'feedback',
      status: 'unresolved',
      metadata: { message, contact_email: 'ann@example.com', name: 'Ann' },
      firstRelease: { version: 'shop@2.1.0', shortVersion: '2.1.0' },
      tags: [{ key: 'kind' }, { key: 'environment' }, { key: 'release' }],
    })
    const dashed = sent.eventId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-').toUpperCase()
    const addresses = [issue(own), issue(found.shortId), issue(dashed), `/issues/${own}/`, `/issues/${sent.eventId}/`]
    for (const address of addresses) expect((await read<IssueDetail>(address)).id).toBe(own)
    expect(found.permalink).toMatch(new RegExp(`${issue(own)}$`))
    const named = `/organizations/${server.account.organization}/shortids/${found.shortId}/`
    expect(await read(named)).toMatchObject({ groupId: own, projectSlug: 'shop', group: { id: own } })
    expect((await call('GET', named.replace('SHOP', 'ELSEWHERE'))).status).toBe(404)
    expect((await call('GET', issue(asIssue({ id: '999999' })))).status).toBe(404)
    expect((await call('GET', `/issues/${asIssue({ id: '999999' })}/`)).status).toBe(404)
    expect((await call('GET', issue(found.shortId.replace('SHOP', 'ELSEWHERE')))).status).toBe(404)
    expect((await call('GET', issue(newEventId()))).status).toBe(404)
    expect((await call('GET', `/issues/${newEventId()}/`)).status).toBe(404)
    for (const reference of ['latest', 'oldest', 'recommended', sent.eventId]) {
      expect(await read<ApiEvent>(issue(found.shortId, `events/${reference}/`))).toMatchObject({
        eventID: sent.eventId,
        groupID: own,
        type: 'generic',
        contexts: { feedback: { message, contact_email: 'ann@example.com', url: 'https://shop.example/pay' } },
        occurrence: { evidenceDisplay: expect.arrayContaining([{ name: 'message', value: message, important: true }]) },
        nextEventID: null,
        previousEventID: null,
      })
    }
    expect(await read<EventSummary[]>(issue(sent.eventId, 'events/'))).toMatchObject([{ eventID: sent.eventId }])
    expect((await call('GET', issue(sent.eventId, 'events/?query=x'))).status).toBe(400)
    expect(await read<IssueTag>(issue(sent.eventId, 'tags/kind/'))).toMatchObject({ topValues: [{ value: 'idea' }] })
    expect(await read<IssueTag>(issue(own, 'tags/environment/'))).toMatchObject({
      topValues: [{ value: 'production' }],
    })

    expect((await call('POST', issue(sent.eventId, 'notes/'), { text: 'Seen' })).status).toBe(201)
    const other = await call<{ id: string }>('POST', issue(sent.eventId, 'comments/'), { text: 'Noted' })
    expect(await read<object[]>(issue(sent.eventId, 'comments/?limit=1'))).toMatchObject([{ data: { text: 'Noted' } }])
    expect((await call('DELETE', issue(sent.eventId, `notes/${other.body.id}/`))).status).toBe(204)
    expect(await read<object[]>(issue(sent.eventId, 'notes/'))).toMatchObject([{ data: { text: 'Seen' } }])
    expect((await read<FeedbackDetail>(inbox(`${id}/`))).notes).toMatchObject([{ data: { text: 'Seen' } }])
  })

  it('is changed as the inbox changes it, and what it does not have is refused', async () => {
    const sent = await send({ message: `Changed ${newEventId()}` })
    const { id } = await report(sent)
    const change = (body: object) => call<IssueDetail & { detail: string }>('PUT', issue(sent.eventId), body)
    const inInbox = () => read<FeedbackDetail>(inbox(`${id}/`))
    expect((await change({ status: 'resolved', hasSeen: true })).body).toMatchObject({ status: 'resolved' })
    expect(await inInbox()).toMatchObject({ status: 'resolved', isRead: true })
    expect((await change({ status: 'ignored', substatus: 'archived_until_escalating' })).body).toMatchObject({
      status: 'ignored',
      substatus: 'archived_forever',
    })
    expect(await inInbox()).toMatchObject({ status: 'archived' })
    await call('PUT', inbox(`${id}/`), { status: 'spam' })
    await change({ status: 'ignored' })
    expect(await inInbox()).toMatchObject({ status: 'spam' })
    expect((await change({ status: 'unresolved' })).body).toMatchObject({ status: 'unresolved' })
    const { email } = OWNER
    expect((await change({ assignedTo: email })).body).toMatchObject({ assignedTo: { email } })
    expect((await change({ assignedTo: '' })).body).toMatchObject({ assignedTo: null })
    expect((await change({ assignedTo: 'me' })).body).toMatchObject({ assignedTo: { email } })
    for (const [body, words] of [
      [{ priority: 'high' }, 'has no "priority"'],
      [{ status: 'resolved', inRelease: 'shop@1' }, 'no releases'],
      [{ status: 'ignored', ignoreCount: 5 }, 'no conditions'],
      [{ assignedTo: 'nobody@example.com' }, 'neither a member nor a team'],
      [{ colour: 'red' }, 'cannot be changed here'],
    ] as const) {
      const answer = await change(body)
      expect([body, answer.status, answer.body.detail]).toEqual([body, 400, expect.stringContaining(words)])
    }
    const activity = await read<{ activity: { type: string }[] }>(issue(sent.eventId, 'activities/'))
    expect(activity.activity.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['first_seen', 'set_resolved', 'set_ignored', 'set_unresolved', 'assigned', 'unassigned']),
    )
  })

  it('answers at every address of an issue, or is refused with the reason', async () => {
    const { eventId } = await send(
      { message: `Walked ${newEventId()}` },
      { event: { environment: 'production', tags: { kind: 'idea' } } },
    )
    const own = asIssue(await report({ eventId }))
    const note = (await call<{ id: string }>('POST', issue(own, 'notes/'), { text: 'Seen' })).body.id
    const value = expect.objectContaining({ value: 'idea', count: 1 })
    /** For each call of the contract: the rest of its address, its body, and what it answers. The last ones take the report away. */
    const calls: Readonly<Record<string, readonly [rest: string, body: unknown, status: number, answer?: unknown]>> = {
      getIssue: ['', undefined, 200],
      updateIssue: ['', { hasSeen: true }, 200],
      listIssueEvents: ['events/', undefined, 200],
      getIssueEvent: ['events/latest/', undefined, 200],
      listIssueTags: ['tags/', undefined, 200],
      getIssueTag: ['tags/kind/', undefined, 200],
      listIssueTagValues: ['tags/kind/values/?query=DE', undefined, 200, [value]],
      compareIssueTags: ['tags-compared/?key=kind', undefined, 400, { detail: expect.stringContaining('no other') }],
      listIssueHashes: ['hashes/', undefined, 200, []],
      unmergeIssueHashes: [
        `hashes/?id=${'0'.repeat(32)}`,
        undefined,
        400,
        { detail: expect.stringContaining('have no hashes') },
      ],
      listIssueActivities: ['activities/', undefined, 200],
      listIssueNotes: ['notes/', undefined, 200],
      createIssueNote: ['notes/', { text: 'Two' }, 201],
      updateIssueNote: [`notes/${note}/`, { text: 'Seen again' }, 200, { data: { text: 'Seen again' } }],
      listIssueComments: ['comments/', undefined, 200],
      createIssueComment: ['comments/', { text: 'Three' }, 201],
      deleteIssueNote: [`notes/${note}/`, undefined, 204],
      getIssueStats: ['stats/?statsPeriod=24h', undefined, 200],
      // What only issues of errors have.
      listIssueAlerts: ['alerts/', undefined, 404],
      listIssueReports: ['people/', undefined, 404],
      getIssueTelling: ['telling/', undefined, 404],
      updateIssueTelling: ['telling/', { when: 'never' }, 404],
      deleteIssueTelling: ['telling/', undefined, 404],
      listSimilarIssues: ['similar-issues/', undefined, 404],
      // A report has tickets at an address of its own.
      listIssueTickets: ['tickets/', undefined, 404],
      previewIssueTicket: ['tickets/preview/?tracker=1', undefined, 404],
      createIssueTicket: ['tickets/', { tracker: '1' }, 404],
      linkIssueTicket: ['tickets/link/', { url: 'https://github.com/acme/shop/issues/1' }, 404],
      listExternalIssues: ['external-issues/', undefined, 404],
      listIssueIntegrations: ['integrations/', undefined, 404],
      listSimilarScores: ['similar/', undefined, 404],
      deleteIssue: ['', undefined, 202],
    }
    const ofIssues = Object.entries(ENDPOINTS).filter(([, { path }]) => path.includes('/issues/{issue}/'))
    expect(Object.keys(calls).toSorted()).toEqual(ofIssues.map(([name]) => name).toSorted())
    for (const [name, [rest, body, status, answer = expect.anything()]] of Object.entries(calls)) {
      const { method = '' } = ENDPOINTS[name] ?? {}
      const given = await call<{ data?: [number, number][] } | null>(method, issue(own, rest), body)
      expect([name, given.status, given.body ?? {}]).toMatchObject([name, status, answer])
      if (name === 'getIssueStats') expect(given.body?.data?.map(([, count]) => count)).toContain(1)
    }
    expect((await call('GET', issue(own))).status).toBe(404)
    expect((await call('PUT', issue(own, `notes/${note}/`), { text: 'Late' })).status).toBe(404)
  })

  it('has those that say the same among its events', async () => {
    const mark = newEventId()
    const message = `The lamp flickers ${mark}`
    const sent = [await send({ message, contact_email: 'one@example.com' })]
    const { id } = await report(sent[0] as Sent)
    sent.push(await send({ message, contact_email: 'two@example.com' }))
    await until('both under one', async () => ((await read<Feedback>(inbox(`${id}/`))).mergedCount === 1 ? true : null))
    const [first = '', second = ''] = sent.map(({ eventId }) => eventId)
    expect(await read<IssueDetail>(issue(first))).toMatchObject({ count: '2' })
    const rows = await read<EventSummary[]>(issue(first, 'events/'))
    expect(rows.map((row) => row.eventID)).toEqual([second, first])
    expect(await read<ApiEvent>(issue(first, 'events/latest/'))).toMatchObject({
      eventID: second,
      previousEventID: first,
      contexts: { feedback: { contact_email: 'two@example.com' } },
    })
    expect(await read<ApiEvent>(issue(first, 'events/oldest/'))).toMatchObject({ eventID: first, nextEventID: second })

    const later = asIssue(await report(await send({ message: `The lamp is bright ${mark}` })))
    const list = `/organizations/${server.account.organization}/issues/?query=issue.category:feedback%20${mark}`
    for (const sort of ['date', 'new', 'inbox', 'recommended', 'trends', 'priority', 'user']) {
      const found = await read<Issue[]>(`${list}&sort=${sort}`)
      expect([sort, ...found.map(({ id: one }) => one)]).toEqual([sort, later, asIssue({ id })])
    }
    expect((await read<Issue[]>(`${list}&sort=freq`)).map(({ id: one }) => one)).toEqual([asIssue({ id }), later])
  })
})

describe('a server that sends mails and does not know its address', () => {
  const says = /FIRSTHAND_PUBLIC_URL is not set, so the links in mails begin with http:\/\/127\.0\.0\.1:\d+,.*Set it/

  it('says so to those who can change it, in status and doctor, and is no less well for it', async () => {
    const path = `/organizations/${server.account.organization}/status/`
    const { body } = await call<ServerStatus>('GET', path)
    expect(body.problems).toEqual([expect.objectContaining({ id: 'public_url', message: expect.stringMatching(says) })])
    expect(body.status).toBe('ok')
    const reader = firsthand('token', 'create', '--organization', server.account.organization, '--scopes', 'org:read')
    const seen = await fetch(`http://127.0.0.1:${server.port}/api/0${path}`, {
      headers: { authorization: `Bearer ${reader.stdout.trim()}` },
    })
    expect(await seen.json()).toMatchObject({ status: 'ok', problems: [] })
    expect(firsthand('doctor').stdout).toMatch(new RegExp(`^! address +${says.source}`, 'm'))
  })

  it('makes no link in a mail of what a request says', async () => {
    const email = 'host@example.com'
    const eventId = newEventId()
    const { pathname, search } = new URL(ingestUrl(server.account.dsn))
    const feedback = { source: 'widget', fill_ms: 9000, message: 'Where to?', contact_email: email }
    const item = JSON.stringify({ event_id: eventId, type: 'feedback', contexts: { feedback } })
    const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const envelope = `${JSON.stringify({ event_id: eventId })}\n{"type":"feedback"}\n${item}\n`
    expect((await post(server.port, `${pathname}${search}`, envelope, evil)).status).toBe(200)
    const { id } = await report({ eventId })
    const replied = await post(server.port, `/api/0${inbox(`${id}/replies/`)}`, '{"text":"Home."}', {
      ...evil,
      authorization: `Bearer ${server.account.token}`,
      'content-type': 'application/json',
    })
    expect(replied.status).toBe(201)
    const mail = await until('the mail', async () => mailbox.mails.find((one) => one.to.includes(email)) ?? null)
    expect(textOf(mail)).toContain(`http://127.0.0.1:${server.port}/f/`)
    expect(mail.raw).not.toContain('evil.example')
  })
})

describe('an answer for the reporter', () => {
  it('by e-mail: one recipient, no room for more headers, a private link to write back', async () => {
    const sent = await send(
      { message: 'Zahlung geht nicht', name: 'Eva <b>', contact_email: 'eva@kunde.example' },
      { event: { contexts: { culture: { locale: 'de-DE' } } } },
    )
    const { id } = await report(sent)
    const replied = await call<FeedbackMessage>('POST', inbox(`${id}/replies/`), {
      text: 'Danke! Welche Karte war es?\n\nGrüße',
    })
    expect(replied).toMatchObject({ status: 201, body: { from: 'agent', delivery: { state: 'queued' } } })
    const mail = await until(
      'the mail',
      async () => mailbox.mails.find((one) => one.to.includes('eva@kunde.example')) ?? null,
    )
    const headers = headersOf(mail)
    expect([mail.from, mail.to]).toEqual(['support@shop.example', ['eva@kunde.example']])
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(headers.get('message-id')).toMatch(/^<feedback-\d+@shop\.example>$/)
    const text = textOf(mail)
    expect(text).toContain('Danke! Welche Karte war es?')
    expect(text).toContain('> Zahlung geht nicht')
    expect(text).toContain(new URL(sent.threadUrl).pathname)
    await until('the delivery', async () => {
      const [message] = (await report(sent)).thread
      return message?.delivery?.state === 'sent' ? message : null
    })
  })

  it('on the private page: read, write back, and the team sees it', async () => {
    const sent = await send({ message: '<img src=x onerror=alert(1)> Hello', name: 'Cy' })
    const detail = await report(sent)
    expect(detail.reply).toMatchObject({ canReply: true, by: 'page' })
    await call('POST', inbox(`${detail.id}/replies/`), { text: 'Which <browser>?', resolve: true })

    const page = await fetch(sent.threadUrl)
    const html = await page.text()
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('x-robots-tag')).toContain('noindex')
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; Hello')
    expect(html).toContain('Which &lt;browser&gt;?')
    expect(html).not.toMatch(/<img|<browser>|ann@example\.com/)

    const body = new URLSearchParams({ text: 'Firefox\u0007 on <Mac>' })
    const written = await fetch(sent.threadUrl, { method: 'POST', body, redirect: 'manual' })
    expect(written.status).toBe(303)
    const after = await report(sent)
    expect(after).toMatchObject({ status: 'open', isRead: false, awaitsReply: true, replyCount: 2 })
    expect(after.thread.map((message) => [message.from, message.text])).toEqual([
      ['agent', 'Which <browser>?'],
      ['reporter', 'Firefox on <Mac>'],
    ])
    expect((await list('mailbox=open&sort=reply'))[0]?.id).toBe(detail.id)
    const empty = await fetch(sent.threadUrl, { method: 'POST', body: new URLSearchParams({ text: ' ' }) })
    expect(empty.status).toBe(400)
  })

  it('the private page bears the site and the picture, and asks for an answer once there is something to answer', async () => {
    const sent = await send({ message: 'See this', url: 'https://shop.example/basket?id=42' }, { picture: PNG })
    const detail = await report(sent)
    const before = await (await fetch(sent.threadUrl)).text()
    expect(before).toContain('<bdi>shop.example/basket</bdi>')
    expect(before).not.toContain('<form')
    const [, src = ''] = /<img src="([^"]+)" alt="screenshot.png"/.exec(before) ?? []
    const { origin } = new URL(sent.threadUrl)
    const picture = await fetch(`${origin}${src}`)
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(picture.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG)

    // The picture of one report is not had by the address of another.
    const other = await send({ message: 'Nothing to see' })
    await report(other)
    const id = src.split('/').at(-1) ?? ''
    expect((await fetch(`${other.threadUrl}/${id}`)).status).toBe(404)
    expect((await fetch(`${sent.threadUrl}/${'0'.repeat(32)}`)).status).toBe(404)

    await call('POST', inbox(`${detail.id}/replies/`), { text: 'In which browser?' })
    expect(await (await fetch(sent.threadUrl)).text()).toContain('<form')
  })

  it('the link cannot be guessed, nor had by whoever knows the id of a report', async () => {
    const sent = await send({ message: 'My secret is 42' })
    await report(sent)
    const forged = await fetch(`${new URL(sent.threadUrl).origin}/f/${'A'.repeat(32)}`)
    expect(forged.status).toBe(404)
    expect(await forged.text()).not.toContain('42')
    const payload = { event_id: sent.eventId, contexts: { feedback: { message: 'give it to me' } } }
    const body = `{"event_id":"${sent.eventId}"}\n{"type":"feedback"}\n${JSON.stringify(payload)}`
    const answer = await fetch(ingestUrl(server.account.dsn), { method: 'POST', body })
    const { thread_url: other } = (await answer.json()) as { thread_url: string }
    expect(other).not.toBe(sent.threadUrl)
    expect((await fetch(other)).status).toBe(404)
  })

  it('a reporter can write only so often, and keeps the text that was not taken', async () => {
    const sent = await send({ message: 'Ping' })
    await report(sent)
    const write = (text: string) =>
      fetch(sent.threadUrl, { method: 'POST', body: new URLSearchParams({ text }), redirect: 'manual' })
    for (let count = 0; count < 10; count += 1) expect((await write(`again ${count}`)).status).toBe(303)
    const refused = await write('the eleventh')
    expect(refused.status).toBe(429)
    expect(await refused.text()).toContain('the eleventh</textarea>')
    const large = await fetch(sent.threadUrl, {
      method: 'POST',
      body: new URLSearchParams({ text: 'x'.repeat(60_000) }),
    })
    expect(large.status).toBe(400)
  })

  it('can be switched off, and says why nobody can be reached', async () => {
    const path = `/projects/${server.account.organization}/${server.account.project}/feedback-settings/`
    const before = await call<FeedbackSettings & { canSendEmail: boolean }>('GET', path)
    expect(before.body).toMatchObject({ canSendEmail: true, reply: { page: true }, spam: { threshold: 60 } })
    const changed = await call<FeedbackSettings>('PUT', path, {
      reply: { page: false },
      spam: { blockedWords: ['casino'], reportsPerAddress: 10_000 },
    })
    expect(changed.body).toMatchObject({
      reply: { page: false, email: true },
      spam: { blockedWords: ['casino'], threshold: 60 },
    })
    try {
      const spam = await until('a report without a link', async () => {
        const sent = await send({ message: `Best CASINO ${newEventId()}` })
        return sent.threadUrl === '' ? sent : null
      })
      const detail = await until('a report judged by the new settings', async () => {
        const one = await report(await send({ message: `Best CASINO ${newEventId()}` }))
        return one.spam.reasons.some(({ reason }) => reason === 'blocked_word') ? one : null
      })
      expect(detail.spam).toMatchObject({ score: 60, reasons: [{ points: 60 }] })
      expect(detail.status).toBe('spam')
      const { id, reply } = await report(spam)
      expect(reply).toMatchObject({ canReply: false, by: 'none', reason: expect.stringContaining('no e-mail') })
      expect((await call('POST', inbox(`${id}/replies/`), { text: 'x' })).status).toBe(409)
    } finally {
      await call('PUT', path, { reply: { page: true }, spam: { blockedWords: [], reportsPerAddress: 10 } })
    }
  })
})

describe('other ways into the inbox', () => {
  const aboutEvent = (comments: string) =>
    until('the report', async () => (await list('mailbox=all')).find((row) => row.message === comments) ?? null)

  it('the legacy call with a DSN and with a token', async () => {
    const path = `/projects/${server.account.organization}/${server.account.project}/user-feedback/`
    const url = `http://127.0.0.1:${server.port}/api/0${path}`
    const body = { event_id: newEventId(), name: 'Dee', email: 'dee@x.example', comments: 'By DSN' }
    const headers = { authorization: `DSN ${server.account.dsn}`, 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ eventID: body.event_id, comments: 'By DSN' })
    expect(await aboutEvent('By DSN')).toMatchObject({ source: 'user_feedback', name: 'Dee', email: 'dee@x.example' })
    const incomplete = await fetch(url, { method: 'POST', headers, body: '{"event_id":"1"}' })
    expect(incomplete.status).toBe(400)
    expect(await incomplete.json()).toMatchObject({ comments: ['This field is required.'] })

    expect((await call('POST', path, { ...body, event_id: newEventId(), comments: 'By token' })).status).toBe(200)
    await aboutEvent('By token')
    const listed = await call<{ comments: string }[]>('GET', path)
    expect(listed.body.map((row) => row.comments)).toEqual(expect.arrayContaining(['By DSN', 'By token']))
  })

  it('the report dialog of the SDKs', async () => {
    const eventId = newEventId()
    const page = `http://127.0.0.1:${server.port}/api/embed/error-page/`
    const query = `dsn=${encodeURIComponent(server.account.dsn)}&eventId=${eventId}&title=${encodeURIComponent('</script>Oh')}`
    const script = await fetch(`${page}?${query}`)
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(await script.text()).not.toContain('</script>')
    expect((await fetch(`${page}?dsn=x&eventId=1`)).status).toBe(400)
    const unknown = server.account.dsn.replace(/\/\/\w+@/, '//0123456789abcdef0123456789abcdef@')
    expect((await fetch(`${page}?dsn=${encodeURIComponent(unknown)}&eventId=${eventId}`)).status).toBe(404)
    const form = (comments: string) =>
      fetch(`${page}?${query}`, { method: 'POST', body: new URLSearchParams({ name: 'Flo', email: '', comments }) })
    expect((await form(' ')).status).toBe(400)
    const answer = await form('From the dialog')
    expect([answer.status, await answer.text()]).toEqual([200, '{}'])
    expect(await aboutEvent('From the dialog')).toMatchObject({ source: 'error_page', name: 'Flo' })
  })

  it('the tunnel of the server, also under a path that no ad-blocker knows', async () => {
    const known = await report(await send({ message: 'Through the tunnel' }, { path: '/tunnel' }))
    const unknown = await report(await send({ message: 'Through the other tunnel' }, { path: '/k3x9' }))
    expect([known.message, unknown.message]).toEqual(['Through the tunnel', 'Through the other tunnel'])
  })
})
