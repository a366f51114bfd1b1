import {
  createIssueTicket,
  createTracker,
  deleteTracker,
  linkIssueTicket,
  listExternalIssues,
  listIssueIntegrations,
  listIssueTickets,
  listTrackers,
  previewIssueTicket,
  renewTrackerSecret,
  restoreTicket,
  restoreTracker,
  testTracker,
  unlinkTicket,
  updateTracker,
  type Endpoint,
  type Ticket,
  type TrackerWithSecret,
} from '@firsthand/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Route } from '../http/index.ts'
import { createOutgoing } from '../lib/outgoing.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { LIMITS } from './limits.ts'
import type { Double } from './test/double.ts'
import { draft, openTrackers, PUBLIC_URL, type OpenedTrackers } from './test/open-trackers.ts'
import { startJiraScoped } from './test/jira-double.ts'
import { startGithub } from './test/repository-double.ts'
import { createTicketDesk } from './ticket-desk.ts'
import { createIssueTicketRoutes } from './tickets.routes.ts'
import { createTrackerRoutes } from './trackers.routes.ts'

describe.each(LEDGER_ENGINES)('calls about trackers and tickets on $name', ({ open }) => {
  let opened: OpenedLedger
  let double: Double
  let desk: OpenedTrackers
  let routes: readonly Route[]
  let working: Promise<void> = Promise.resolve()

  beforeEach(async () => {
    opened = await open()
    double = await startGithub()
    desk = await openTrackers(opened, double)
    const { trackers, tickets, issues } = desk
    const outgoing = createOutgoing({ allowedRanges: ['127.0.0.1'] })
    const { clock } = opened
    // The job that runs beside the routes.
    const changed = (): void => {
      working = working.then(() => desk.settle())
    }
    const ticketDesk = createTicketDesk({ trackers, tickets, outgoing, clock, changed })
    routes = [
      ...createTrackerRoutes({
        trackers,
        outgoing,
        publicUrl: PUBLIC_URL,
        clock,
        changed: () => {},
        revisit: (trackerId) => tickets.revisit({ trackerId, since: clock.now() }, clock.now()),
      }),
      ...createIssueTicketRoutes({ desk: ticketDesk, issues, gather: async () => draft() }),
      ...ticketDesk.routes,
    ]
  })
  afterEach(async () => {
    await working
    await double.close()
    await opened.close()
  })

  const call = async (
    endpoint: Endpoint,
    params: Readonly<Record<string, string>>,
    { body = null, query = {}, organizationId = 1 }: { body?: unknown; query?: unknown; organizationId?: number } = {},
  ) => {
    const route = routes.find((one) => one.endpoint === endpoint)
    if (route === undefined) throw new Error(`no route takes ${endpoint.path}`)
    const request = {
      caller: { kind: 'session', user: { id: 1, name: 'Ann', email: 'ann@acme.example' } },
      organization: { id: organizationId, slug: 'acme', name: 'Acme' },
      signal: new AbortController().signal,
    } as unknown as Parameters<Route['handle']>[0]['request']
    const asked = endpoint.body === undefined ? null : endpoint.body.parse(body)
    const reply = await route.handle({
      params: { org: 'acme', ...params },
      query: endpoint.query?.parse(query) ?? {},
      body: asked,
      request,
    })
    const answered = 'body' in reply ? reply.body : null
    endpoint.ok.parse(answered)
    return JSON.parse(JSON.stringify(answered)) as never
  }
  const issue = () => ({ issue: String(desk.subject.id) })
  const connect = (settings: object = double.settings): Promise<TrackerWithSecret> =>
    call(createTracker, {}, { body: { kind: 'github', name: 'Plans', settings, secrets: double.secrets } })
  const create = (): Promise<Ticket> => call(createIssueTicket, issue(), { body: { tracker: String(desk.trackerId) } })

  it('A54: show the secret of webhooks once and the token never', async () => {
    const made = await connect()
    expect(made.webhookSecret).toMatch(/^[0-9a-f]{64}$/)
    expect(made.webhookUrl).toMatch(/^https:\/\/firsthand\.acme\.example\/hooks\/trackers\/[0-9a-f]{36}$/)
    const renewed: TrackerWithSecret = await call(renewTrackerSecret, { tracker: made.id })
    expect(renewed.webhookSecret).not.toBe(made.webhookSecret)
    const listed = JSON.stringify(await call(listTrackers, {}))
    for (const secret of [double.secrets['token'], made.webhookSecret, renewed.webhookSecret]) {
      expect(listed).not.toContain(secret)
    }
    const rows = JSON.stringify(await opened.ledger.db.selectFrom('trackers').selectAll().execute())
    expect(rows).not.toContain(double.secrets['token'])
  })

  it('A56: refuse an address inside of a network, at its field', async () => {
    for (const url of ['http://169.254.169.254', 'http://[::1]', 'http://10.0.0.1/git']) {
      await expect(connect({ url, repository: 'acme/shop' })).rejects.toMatchObject({
        status: 400,
        fields: { url: expect.stringContaining('FIRSTHAND_REACHABLE_RANGES') as string },
      })
    }
  })

  it('want the token again when somebody leads it to another server', async () => {
    const { id } = await connect()
    const elsewhere = { settings: { url: 'http://127.0.0.1:1' } }
    await expect(call(updateTracker, { tracker: id }, { body: elsewhere })).rejects.toMatchObject({
      fields: { token: 'Enter the token.' },
    })
    await call(updateTracker, { tracker: id }, { body: { ...elsewhere, secrets: { token: 'of that one' } } })
    expect(double.calls).toHaveLength(0)
  })

  it('find the API address of a Jira whose token has scopes, by the id that its site tells', async () => {
    const jira = await startJiraScoped()
    try {
      const { apiUrl, ...site } = jira.settings
      const connectJira = (gateway: string): Promise<TrackerWithSecret> =>
        call(
          createTracker,
          {},
          { body: { kind: 'jira', name: 'Jira', settings: { ...site, apiUrl: gateway }, secrets: jira.secrets } },
        )
      const made = await connectJira(`${jira.url}/ex/jira`)
      expect(made.settings).toMatchObject({ url: jira.url, apiUrl })
      expect(await call(testTracker, { tracker: made.id })).toMatchObject({ isReached: true })
      // Without it, the site itself is called, which takes no such token.
      const classic = await connectJira('')
      expect(await call(testTracker, { tracker: classic.id })).toMatchObject({ isReached: false })
      await expect(connectJira(`${jira.url}/ex/jira/of-another-site`)).rejects.toMatchObject({
        fields: { apiUrl: expect.stringContaining('another site') as string },
      })
      // The token goes to no other gateway unless somebody enters it there.
      const elsewhere = { settings: { apiUrl: 'http://127.0.0.1:1/ex/jira/one' } }
      await expect(call(updateTracker, { tracker: made.id }, { body: elsewhere })).rejects.toMatchObject({
        fields: { token: 'Enter the token.' },
      })
    } finally {
      await jira.close()
    }
  })

  it('lead a tracker that has tickets to no other place, where their numbers are those of strangers', async () => {
    const tracker = String(desk.trackerId)
    const change = (body: object) => call(updateTracker, { tracker }, { body })
    // What is not made yet is nowhere.
    double.next = { kind: 'refuse', status: 422 }
    expect(await create()).toMatchObject({ state: 'failed' })
    await change({ settings: { repository: 'acme/other' } })
    await change({ settings: { repository: 'acme/shop' } })
    const { id } = await create()
    const elsewhere = [
      { settings: { repository: 'acme/other' } },
      { settings: { url: 'http://127.0.0.1:1' }, secrets: { token: 'of that one' } },
    ]
    const refused = { status: 409, message: expect.stringContaining('1 ticket is in this one') as string }
    for (const body of elsewhere) await expect(change(body)).rejects.toMatchObject(refused)
    // It can be put back.
    await call(unlinkTicket, { ticket: id })
    for (const body of elsewhere) await expect(change(body)).rejects.toMatchObject(refused)
    await change({ name: 'Plans', settings: { repository: 'Acme/Shop' }, secrets: { token: 'a new one' } })
    expect(await desk.trackers.find(1, desk.trackerId)).toMatchObject({
      name: 'Plans',
      settings: { ...double.settings, repository: 'Acme/Shop' },
    })
  })

  it('say whether the tracker answers, and why it does not', async () => {
    const tracker = String(desk.trackerId)
    expect(await call(testTracker, { tracker })).toMatchObject({ isReached: true })
    double.next = { kind: 'refuse', status: 404 }
    expect(await call(testTracker, { tracker })).toMatchObject({
      isReached: false,
      sentence: expect.stringContaining('404') as string,
    })
  })

  it('say of a tracker that was too slow to hear the question that it was', async () => {
    double.next = { kind: 'refuse', status: 408 }
    expect(await call(testTracker, { tracker: String(desk.trackerId) })).toMatchObject({
      isReached: false,
      sentence: expect.stringContaining('did not get the whole question in time (408)') as string,
    })
  })

  it('call no tracker that wants fewer calls, whoever asks, until it may be called again', async () => {
    const tracker = String(desk.trackerId)
    const url = `${String(double.settings['url'])}/acme/shop/issues/2`
    double.tickets.push({ id: '2', key: '#2', title: 'There before', body: '', state: 'open' })
    double.next = { kind: 'refuse', status: 429, headers: { 'retry-after': '600' } }
    await expect(call(linkIssueTicket, issue(), { body: { url } })).rejects.toMatchObject({ status: 400 })
    expect(double.calls).toHaveLength(1)
    expect(await call(testTracker, { tracker })).toEqual({
      isReached: false,
      sentence: 'The tracker wants fewer calls for a while. It is called again in 10 minutes.',
    })
    await expect(call(linkIssueTicket, issue(), { body: { url } })).rejects.toMatchObject({
      fields: { url: expect.stringContaining('in 10 minutes') as string },
    })
    // It says so at once.
    expect(await create()).toMatchObject({ state: 'creating', error: expect.stringContaining('fewer calls') as string })
    expect(double.calls).toHaveLength(1)
    desk.pass(600_000)
    await desk.settle()
    expect(await create()).toMatchObject({ state: 'open', error: null })
    expect(await call(testTracker, { tracker })).toMatchObject({ isReached: true })
  })

  it('test one that did not answer all the same, and call it again from then on', async () => {
    const tracker = String(desk.trackerId)
    double.next = { kind: 'refuse', status: 502 }
    expect(await call(testTracker, { tracker })).toMatchObject({ isReached: false })
    expect(await create()).toMatchObject({ state: 'creating', error: expect.stringContaining('502') as string })
    expect(double.calls).toHaveLength(1)
    expect(await call(testTracker, { tracker })).toMatchObject({ isReached: true })
    await desk.settle()
    expect(await create()).toMatchObject({ state: 'open' })
  })

  it('let nobody put to rest by a call under way what was mended meanwhile', async () => {
    const find = async () => {
      const found = await desk.trackers.find(1, desk.trackerId)
      if (found === null) throw new Error('no tracker')
      return found
    }
    const called = await find()
    const rest = { until: 5_000_000, failures: 1, error: 'It does not answer.' }
    await call(
      updateTracker,
      { tracker: String(desk.trackerId) },
      { body: { name: 'Mended', version: called.version } },
    )
    await desk.trackers.leaveAlone(called, rest)
    expect(await find()).toMatchObject({ quietUntil: null, failures: 0 })
    await desk.trackers.leaveAlone(await find(), rest)
    await desk.trackers.noteAnswer(called)
    expect(await find()).toMatchObject({ quietUntil: 5_000_000, failures: 1 })
  })

  it('refuse a change of what somebody else changed meanwhile', async () => {
    const tracker = String(desk.trackerId)
    const [{ version }]: [TrackerWithSecret] = await call(listTrackers, {})
    const change = (body: object): Promise<TrackerWithSecret> => call(updateTracker, { tracker }, { body })
    expect(await change({ name: 'Ann', version })).toMatchObject({ name: 'Ann', version: version + 1 })
    const late = { status: 409, message: expect.stringContaining('Somebody else') as string }
    await expect(change({ secrets: { token: 'of Bob' }, version })).rejects.toMatchObject(late)
    expect((await desk.trackers.find(1, desk.trackerId))?.sealed.secrets).toEqual(double.secrets)
    // Whoever names no version changes what is there.
    expect(await change({ name: 'Bob' })).toMatchObject({ name: 'Bob', version: version + 2 })
  })

  it('A61: make one ticket of two clicks at once, and show it where Sentry shows it', async () => {
    const preview: { title: string; body: string } = await call(previewIssueTicket, issue(), {
      query: { tracker: String(desk.trackerId) },
    })
    const [one, other] = await Promise.all([create(), create()])
    expect(other).toEqual(one)
    expect(one).toMatchObject({ key: '#1', state: 'open', error: null })
    expect(double.tickets).toMatchObject([{ title: preview.title }])
    const displayName = 'acme/shop#1'
    expect(await call(listExternalIssues, issue())).toMatchObject([
      { serviceType: 'github', displayName, webUrl: one.url },
    ])
    const annotations = () => desk.tickets.ofIssues(1, new Map([[desk.subject.id, [desk.subject.id]]]))
    expect((await annotations()).get(desk.subject.id)).toEqual([{ key: displayName, url: one.url }])
    const integration = { id: String(desk.trackerId), provider: { key: 'github' } }
    const externalIssues = [{ id: one.id, key: '#1', displayName, url: one.url }]
    await connect()
    expect(await call(listIssueIntegrations, issue())).toMatchObject([
      { ...integration, externalIssues },
      { externalIssues: [] },
    ])
    // No link leads to one that is gone.
    await opened.ledger.db.updateTable('tickets').set({ state: 'gone' }).execute()
    expect(await call(listExternalIssues, issue())).toEqual([])
    expect((await annotations()).size).toBe(0)
    expect(await call(listIssueIntegrations, issue())).toMatchObject([
      { ...integration, externalIssues: [] },
      { externalIssues: [] },
    ])
  })

  it('link a ticket by its address, and take it off and put it back', async () => {
    await create()
    double.tickets.push({ id: '2', key: '#2', title: 'There before', body: '', state: 'open' })
    const url = `${String(double.settings['url'])}/acme/shop/issues/2`
    const linked: Ticket = await call(linkIssueTicket, issue(), { body: { url } })
    expect(linked).toMatchObject({ key: '#2', title: 'There before', isLinked: true })
    expect(await call(linkIssueTicket, issue(), { body: { url } })).toMatchObject({ id: linked.id })
    await call(unlinkTicket, { ticket: linked.id })
    expect(await call(listIssueTickets, issue())).toHaveLength(1)
    await call(restoreTicket, { ticket: linked.id })
    expect(await call(listIssueTickets, issue())).toHaveLength(2)
    for (const wrong of ['no address', 'https://github.com/acme/shop/issues/2', `${url}00`]) {
      await expect(call(linkIssueTicket, issue(), { body: { url: wrong } })).rejects.toMatchObject({ status: 400 })
    }
  })

  it('show nothing of it to another organisation', async () => {
    const { id } = await create()
    const tracker = String(desk.trackerId)
    await opened.ledger.db
      .insertInto('organizations')
      .values({ slug: 'other', name: 'Other', retention_days: 90, settings: '{}', created_at: opened.clock.now() })
      .execute()
    const foreign = { organizationId: 2 }
    expect(await call(listTrackers, {}, foreign)).toEqual([])
    const gone = { status: 404 }
    await expect(call(updateTracker, { tracker }, { ...foreign, body: { name: 'x' } })).rejects.toMatchObject(gone)
    await expect(call(deleteTracker, { tracker }, foreign)).rejects.toMatchObject(gone)
    await expect(call(restoreTracker, { tracker }, foreign)).rejects.toMatchObject(gone)
    await expect(call(testTracker, { tracker }, foreign)).rejects.toMatchObject(gone)
    await expect(call(listIssueTickets, issue(), foreign)).rejects.toMatchObject(gone)
    await expect(call(listIssueIntegrations, issue(), foreign)).rejects.toMatchObject(gone)
    await expect(call(unlinkTicket, { ticket: id }, foreign)).rejects.toMatchObject(gone)
    await expect(call(restoreTicket, { ticket: id }, foreign)).rejects.toMatchObject({ status: 409 })
    expect(await call(listTrackers, {})).toHaveLength(1)
    expect(await call(listIssueTickets, issue())).toHaveLength(1)
  })

  it('bring a tracker back with its tickets', async () => {
    await create()
    const tracker = String(desk.trackerId)
    await call(deleteTracker, { tracker })
    expect(await call(listIssueTickets, issue())).toEqual([])
    double.set('1', 'closed')
    await call(restoreTracker, { tracker })
    expect(await call(listIssueTickets, issue())).toHaveLength(1)
    // What happened to them meanwhile.
    desk.pass(LIMITS.TICKET_REVISIT_SPREAD_MS)
    await desk.settle()
    expect(await desk.status()).toBe('resolved')
  })

  it('bring no tracker back beyond the most that an organisation has', async () => {
    const tracker = String(desk.trackerId)
    await call(deleteTracker, { tracker })
    for (let count = 0; count < LIMITS.TRACKERS_PER_ORGANIZATION; count++) await connect()
    await expect(call(restoreTracker, { tracker })).rejects.toMatchObject({ status: 409 })
    await expect(connect()).rejects.toMatchObject({ status: 409 })
    expect(await call(listTrackers, {})).toHaveLength(LIMITS.TRACKERS_PER_ORGANIZATION)
  })

  it('ask for what happened while a token was not good', async () => {
    await create()
    const tracker = String(desk.trackerId)
    double.set('1', 'closed')
    await call(updateTracker, { tracker }, { body: { name: 'Another name' } })
    desk.pass(LIMITS.TICKET_REVISIT_SPREAD_MS)
    await desk.settle()
    expect(await desk.status()).toBe('unresolved')
    await call(updateTracker, { tracker }, { body: { secrets: double.secrets } })
    desk.pass(LIMITS.TICKET_REVISIT_SPREAD_MS)
    await desk.settle()
    expect(await desk.status()).toBe('resolved')
  })
})
