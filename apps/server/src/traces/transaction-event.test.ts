import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiTransactionEvent } from '@firsthand/contract'
import { parseEnvelope } from '@firsthand/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { digestItem } from '../event/normalise/digest-item.fixture.ts'
import type { DigestItem, StoredEntry } from '../ingest/index.ts'
import { createIssueApp, sampleEvent, type IssueApp, type TestOrganization } from '../issues/test/issue-app.ts'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { createExploreView } from '../explore/explore.view.ts'
import { readTable } from '../explore/table.ts'
import { createQuestions } from '../lib/questions.ts'
import { livingProjects } from '../accounts/living-projects.ts'
import { createSpanItems } from './span-items.ts'
import { spansDataset } from './telemetry/span-dataset.ts'

/** From the bytes of SDKs to the answers of those who know nothing but the id of an event. */

/** As recorded: SDK and envelope, then the ids in it. */
const PAGE = {
  file: 'sdk-8/browser-07-transaction',
  event: '1ff1e8be7873449b9f0c4f11cced80da',
  trace: '902d6f6e240346d795dd4f22c2d77ef8',
  span: '96d151fac8acd78c',
}
const CHECKOUTS = [
  ['sdk-7/node-11-transaction', 'f82b1613211d4f928951488d608e68fe'],
  ['sdk-9/node-12-transaction', 'c07361cab00d4a459b8d17a8a2694c45'],
  ['sdk-10/node-12-transaction', 'b2e6c85255d24cb7b6cf8a82e5015064'],
] as const

interface Answer {
  readonly status: number
  readonly body: Record<string, never>
}

const [engine] = LEDGER_ENGINES
if (engine === undefined) throw new Error('there is no ledger to test with')

describe('the id of a transaction’s event', () => {
  let app: IssueApp
  let acme: TestOrganization
  let rival: TestOrganization
  let kind: ReturnType<typeof createSpanItems>
  let batches = 0
  const error = sampleEvent({ kind: 'cart' })

  beforeAll(async () => {
    app = await createIssueApp(engine)
    acme = await app.organization('acme')
    rival = await app.organization('rival')
    kind = createSpanItems({ writer: createRowWriter({ client: app.client }) })
    await app.store(acme, [error])
    await store(acme, PAGE.file)
    for (const [file] of CHECKOUTS) await store(acme, file)
    await store(acme, 'sdk-11/node11-005-span')
  }, 240_000)
  afterAll(() => app.close())

  const store = async ({ organizationId, projectId }: TestOrganization, file: string): Promise<void> => {
    const parsed = parseEnvelope(
      readFileSync(join(import.meta.dirname, '../../../../fixtures/envelopes', `${file}.envelope`)),
    )
    if (!parsed.ok) throw parsed.error
    const { header, items } = parsed.value
    const { eventId } = header
    for (const item of items) {
      const sent: DigestItem = {
        ...digestItem('{}', { eventId, sender: { organizationId, projectId } }),
        header,
        item,
        receivedAt: header.sentAt ?? 0,
      }
      const read = kind.expand(sent, { settings: DEFAULT_PROJECT_SETTINGS, siblings: items })
      if (!read.ok) throw new Error(read.error.detail)
      const entry: StoredEntry<typeof read.value, unknown, unknown> = {
        entry: { item: sent, value: read.value, id: () => '', followers: 0 },
        ready: undefined,
        stored: undefined,
      }
      const token = `event-ids:${(batches += 1)}`
      expect(await kind.write?.([entry], { token, again: false })).toEqual(new Map())
    }
  }

  const get = async (of: TestOrganization, path: string): Promise<Answer> => of.call('GET', path)
  const PATHS = [
    `/organizations/acme/events/web:${PAGE.event}/`,
    `/projects/acme/web/events/${PAGE.event}/`,
    `/projects/acme/web/events/${PAGE.event.slice(0, 8)}-${PAGE.event.slice(8, 12)}-${PAGE.event.slice(12, 16)}-${PAGE.event.slice(16, 20)}-${PAGE.event.slice(20).toUpperCase()}/`,
  ]

  it.each(PATHS)('leads to the transaction: %s', async (path) => {
    const { status, body } = await get(acme, path)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({
      id: PAGE.event,
      eventID: PAGE.event,
      groupID: null,
      projectSlug: 'web',
      type: 'transaction',
      title: '/',
      platform: 'javascript',
      sdk: { name: 'sentry.javascript.browser', version: '8.55.2' },
      release: { version: 'shop-web@1.2.3' },
      user: { id: '42', email: 'ada@example.com' },
      contexts: {
        trace: { type: 'trace', trace_id: PAGE.trace, span_id: PAGE.span, parent_span_id: null, op: 'pageload' },
        browser: { name: 'HeadlessChrome' },
        replay: { replay_id: '88d14363190d4fe2821edd56afefaef6' },
      },
      measurements: { lcp: { value: 128, unit: 'millisecond' }, 'connection.rtt': { value: 100, unit: null } },
      userReport: null,
    })
    const event = body as unknown as ApiTransactionEvent
    expect(event.endTimestamp).toBeGreaterThan(event.startTimestamp)
    expect(event.tags).toContainEqual({ key: 'transaction', value: '/' })
    expect(event.entries.find(({ type }) => type === 'request')?.data).toMatchObject({ url: 'http://127.0.0.1:35819/' })
    const spans = event.entries.flatMap((entry) => (entry.type === 'spans' ? entry.data : []))
    expect(spans).toHaveLength(13)
    for (const span of spans) expect(span).toMatchObject({ trace_id: PAGE.trace, parent_span_id: PAGE.span })
  })

  it('has its JSON, and a sentence in place of reasons for a grouping', async () => {
    const json = await get(acme, `/projects/acme/web/events/${PAGE.event}/json/`)
    expect(json, JSON.stringify(json.body)).toMatchObject({
      status: 200,
      body: {
        event_id: PAGE.event,
        type: 'transaction',
        transaction: '/',
        platform: 'javascript',
        release: 'shop-web@1.2.3',
        user: { id: '42', email: 'ada@example.com' },
        request: { url: 'http://127.0.0.1:35819/' },
        contexts: { trace: { trace_id: PAGE.trace, span_id: PAGE.span } },
        measurements: { lcp: { value: 128, unit: 'millisecond' } },
      },
    })
    const { spans, tags, start_timestamp: start, timestamp: end } = json.body as Readonly<Record<string, unknown>>
    expect(spans).toHaveLength(13)
    expect(tags).toContainEqual(['transaction', '/'])
    expect(Number(end)).toBeGreaterThan(Number(start))
    expect(await get(acme, `/projects/acme/web/events/${PAGE.event}/grouping-info/`)).toMatchObject({
      status: 404,
      body: { detail: 'This is a transaction. It is in no issue, so nothing decided in which one it is.' },
    })
  })

  it('is found in the whole organisation, as that of an error is', async () => {
    const found = await get(acme, `/organizations/acme/eventids/${PAGE.event}/`)
    expect(found).toMatchObject({
      status: 200,
      body: {
        organizationSlug: 'acme',
        projectSlug: 'web',
        groupId: null,
        eventId: PAGE.event,
        event: { type: 'transaction', contexts: { trace: { trace_id: PAGE.trace, span_id: PAGE.span } } },
      },
    })
    const { body } = await get(acme, `/organizations/acme/eventids/${error.event_id}/`)
    expect(body).toMatchObject({ groupId: expect.stringMatching(/^\d+$/), event: { 'event.type': 'error' } })
  })

  it.each(CHECKOUTS)('is kept of what %s sent', async (_, event) => {
    expect(await get(acme, `/projects/acme/web/events/${event}/`)).toMatchObject({
      status: 200,
      body: {
        title: 'checkout',
        user: { id: '42', username: 'ada' },
        context: { cart: '{"items":3}' },
        contexts: { runtime: { name: 'node' }, trace: { op: 'task', data: { plan: 'team' } } },
        entries: [{ type: 'spans', data: [{ op: 'db' }] }],
      },
    })
  })

  it('is found by nobody else, and says nothing of whether others have it', async () => {
    const [mine, none] = [PAGE.event, 'f'.repeat(32)]
    for (const path of [
      (id: string) => `/organizations/rival/eventids/${id}/`,
      (id: string) => `/organizations/rival/events/web:${id}/`,
      (id: string) => `/projects/rival/web/events/${id}/`,
      (id: string) => `/projects/rival/web/events/${id}/json/`,
      (id: string) => `/projects/rival/web/events/${id}/grouping-info/`,
    ]) {
      const answers = [await get(rival, path(mine)), await get(rival, path(none))]
      expect(answers.map(({ status }) => status)).toEqual([404, 404])
      expect(answers[0]?.body).toEqual(answers[1]?.body)
    }
    expect((await get(rival, `/organizations/acme/eventids/${PAGE.event}/`)).status).toBe(404)
  })

  it('of a transaction from before, or of nothing, is answered by what one can do', async () => {
    // What a row has whose column was added later; spans that SDK 11 streams have no event either.
    for (const id of ['0'.repeat(32), 'f'.repeat(32), 'nothing']) {
      const { body, status } = await get(acme, `/organizations/acme/eventids/${id}/`)
      expect({ status, body }).toEqual({
        status: 404,
        body: {
          detail:
            'No event has this id, or it is not stored yet. Transactions from before event ids were kept are found by their trace id alone.',
        },
      })
    }
  })

  it('sent twice is one transaction', async () => {
    await store(acme, PAGE.file)
    const { body } = await get(acme, `/projects/acme/web/events/${PAGE.event}/`)
    const [spans] = (body as unknown as ApiTransactionEvent).entries
    expect(spans?.data).toHaveLength(13)
  })

  const rowsOf = async (dataset: string, query: string, field = ['id', 'transaction']) => {
    const services = {
      view: createExploreView({ client: app.client }),
      datasets: [spansDataset],
      projects: livingProjects(app.ledger),
      clock: app.clock,
      ask: createQuestions().ask,
    }
    const asked = { dataset, field, query, start: '2026-11-20T00:00:00', end: '2026-11-23T00:00:00', limit: 100 }
    return (await readTable(services, acme.organizationId, asked)).rows
  }

  it('stands beside what its name was taken from, as the SDK says', async () => {
    const field = ['id', 'transaction.source']
    expect(await rowsOf('transactions', 'transaction.source:url', field)).toMatchObject([
      { id: PAGE.event, 'transaction.source': 'url' },
    ])
    const custom = (await rowsOf('transactions', 'transaction.source:custom')).map(({ id }) => id)
    expect(custom).toEqual(expect.arrayContaining(CHECKOUTS.map(([, id]) => id)))
    const sources = (await rowsOf('spans', `trace:${PAGE.trace}`, field)).map((row) => row['transaction.source'])
    expect(sources).toHaveLength(14)
    expect(sources.filter((source) => source !== '')).toEqual(['url'])
    const { body } = await get(acme, `/projects/acme/web/events/${PAGE.event}/`)
    expect(body).toMatchObject({ contexts: { trace: { data: { 'sentry.segment.name.source': 'url' } } } })
  })

  it('is what rows of transactions are called by, and any of its names finds it', async () => {
    const row = { id: PAGE.event, transaction: '/' }
    for (const query of [`id:${PAGE.event}`, `id:${PAGE.span}`, `transaction.event_id:${PAGE.event}`]) {
      expect(await rowsOf('transactions', query), query).toMatchObject([row])
    }
    expect(await rowsOf('spans', `id:${PAGE.event}`)).toMatchObject([{ id: PAGE.span }])
    expect(await rowsOf('spans', `span_id:${PAGE.span}`, ['transaction.event_id'])).toMatchObject([
      { 'transaction.event_id': PAGE.event },
    ])
    expect(await rowsOf('transactions', `id:[${CHECKOUTS.map(([, id]) => id).join(',')}]`)).toHaveLength(3)
    expect(await rowsOf('spans', `id:${'0'.repeat(32)}`)).toEqual([])
    const ids = (await rowsOf('transactions', '')).map(({ id }) => String(id))
    // A transaction that came as spans alone has the id of its root.
    expect(ids.filter((id) => id.length === 16)).not.toEqual([])
    await expect(rowsOf('spans', 'id:nonsense')).rejects.toThrow(
      '"nonsense" is no id of a span or a transaction. It has 16 or 32 hexadecimal characters.',
    )
  })
})
