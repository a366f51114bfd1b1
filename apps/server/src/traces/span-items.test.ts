import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnvelope } from '@firsthand/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { digestItem, RECEIVED } from '../event/normalise/digest-item.fixture.ts'
import { LIMITS } from '../event/limits.ts'
import type { DigestItem } from '../ingest/index.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { storeOf } from '../../test/stores/store-items.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { createSpanItems } from './span-items.ts'
import type { SpanNews } from './span-news.ts'
import { attributesOf } from './span-attributes.ts'
import { createTraceView, type StoredSpan, type TraceView } from './traces.view.ts'

/** From the bytes of an SDK, through the real engine, to what is read again. */

const CONTAINER = 'application/vnd.sentry.items.span.v2+json'
const START = RECEIVED - 60

let traces = 0
const newTrace = (): string => `1${(traces += 1).toString(16).padStart(31, '0')}`

const containerOf = (items: readonly unknown[], more: object = { version: 2 }): DigestItem => {
  const item = digestItem({ ...more, items }, { type: 'span' })
  return {
    ...item,
    item: { ...item.item, header: { ...item.item.header, contentType: CONTAINER, itemCount: items.length } },
  }
}

const streamed = (trace: string, id: string, more: object = {}) => ({
  trace_id: trace,
  span_id: id.padStart(16, '0'),
  name: 'GET /',
  status: 'ok',
  start_timestamp: START,
  end_timestamp: START + 1,
  ...more,
})

const RECORDED = ['browser11-035-span', 'node11-005-span', 'node11-stream-020-span', 'node11-static-017-transaction']

const recorded = (name: string): DigestItem[] => {
  const bytes = readFileSync(join(import.meta.dirname, '../../../../fixtures/envelopes/sdk-11', `${name}.envelope`))
  const parsed = parseEnvelope(bytes)
  if (!parsed.ok) throw parsed.error
  const { header, items } = parsed.value
  return items.map((item) => {
    const sent = digestItem('{}')
    return { ...sent, header: { ...header, sentAt: null }, item, receivedAt: header.sentAt ?? sent.receivedAt }
  })
}

const typed = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value
      return [name, { type: type === 'number' ? 'double' : type, value }]
    }),
  )

describe.each(TELEMETRY_ENGINES)('spans on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let kind: ReturnType<typeof createSpanItems>
  let view: TraceView
  let store: ReturnType<typeof storeOf>
  beforeAll(async () => {
    opened = await open()
    kind = createSpanItems({ writer: createRowWriter({ client: opened.telemetry.client }) })
    store = storeOf(kind)
    view = createTraceView({ client: opened.telemetry.client })
  })
  afterAll(() => opened.close())

  const expand = (item: DigestItem, siblings: readonly DigestItem[] = []) =>
    kind.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [item, ...siblings].map((one) => one.item) })

  const scopeOf = (traceId: string) => ({ organizationId: 1, projectIds: [42], traceId })
  const load = async (traceId: string, id: string): Promise<StoredSpan> => {
    const span = await view.span(scopeOf(traceId), id.padStart(16, '0'))
    if (span === null) throw new Error(`span ${id} is not there`)
    return span
  }
  const valuesOf = (span: StoredSpan) => Object.fromEntries(attributesOf(span).map(({ name, value }) => [name, value]))

  it('T1: a transaction is a row for its root and one for each child', async () => {
    const trace = newTrace()
    const context = { trace_id: trace, span_id: '00000000000000aa', op: 'http.server', status: 'internal_error' }
    await store([
      digestItem(
        {
          type: 'transaction',
          transaction: 'GET /orders/17',
          transaction_info: { source: 'url' },
          start_timestamp: START,
          timestamp: START + 0.5,
          release: 'shop@1',
          environment: 'production',
          user: { id: 7 },
          tags: { plan: 'pro' },
          measurements: { lcp: { value: 2.5, unit: 'second' }, cls: { value: 0.1, unit: '' } },
          request: { url: 'https://shop.example/orders/17?token=abc', method: 'GET' },
          contexts: { trace: { ...context, data: { 'http.response.status_code': '500' } } },
          spans: [
            {
              trace_id: trace,
              span_id: '00000000000000bb',
              parent_span_id: '00000000000000aa',
              start_timestamp: START + 0.1,
              timestamp: START + 0.2,
              op: 'db',
              description: 'SELECT 1',
              data: { 'db.system': 'postgresql' },
            },
          ],
        },
        { type: 'transaction' },
      ),
    ])
    const spans = await view.spans(scopeOf(trace), 10)
    expect(spans).toMatchObject([
      {
        id: '00000000000000aa',
        isSegment: true,
        parentId: '',
        transaction: 'GET /orders/*',
        status: 'internal_error',
        duration: 500_000,
        start: START * 1e6,
      },
      {
        id: '00000000000000bb',
        isSegment: false,
        parentId: '00000000000000aa',
        segmentId: '00000000000000aa',
        op: 'db',
        name: 'SELECT 1',
        transaction: 'GET /orders/*',
        duration: 100_000,
      },
    ])
    const root = await load(trace, 'aa')
    expect(root).toMatchObject({ release: 'shop@1', environment: 'production', httpStatus: 500, method: 'GET' })
    expect(valuesOf(root)).toMatchObject({
      plan: 'pro',
      'user.id': '7',
      'browser.web_vital.lcp.value': 2500,
      'browser.web_vital.cls.value': 0.1,
      'url.full': 'https://shop.example/orders/17',
      'url.query': 'token=[Filtered]',
    })
    expect(valuesOf(await load(trace, 'bb'))).toMatchObject({ 'db.system.name': 'postgresql', 'user.id': '7' })
  })

  const transactionOf = (trace: string, more: object = {}) =>
    digestItem(
      {
        type: 'transaction',
        transaction: 'POST /ask',
        start_timestamp: START,
        timestamp: START + 1,
        release: 'shop@10.0.0',
        environment: 'production',
        user: { id: 7 },
        sdk: { name: 'sentry.javascript.node', version: '10.78.0' },
        contexts: { trace: { trace_id: trace, span_id: '00000000000000aa', op: 'http.server' } },
        spans: [
          {
            trace_id: trace,
            span_id: '00000000000000bb',
            parent_span_id: '00000000000000aa',
            start_timestamp: START,
            timestamp: START + 1,
          },
        ],
        ...more,
      },
      { type: 'transaction' },
    )

  it('a transaction and its spans name the profile that came with them', async () => {
    const trace = newTrace()
    const profile = digestItem({ event_id: 'c'.repeat(32), profile: {} }, { type: 'profile' })
    await store([transactionOf(trace)], false, undefined, [profile])
    expect(await load(trace, 'aa')).toMatchObject({ profileId: 'c'.repeat(32) })
    expect(await load(trace, 'bb')).toMatchObject({ profileId: 'c'.repeat(32) })
  })

  it('a transaction that names its profile is believed; one that came alone names none', async () => {
    const [named, alone] = [newTrace(), newTrace()]
    const contexts = {
      trace: { trace_id: named, span_id: '00000000000000aa' },
      profile: { profile_id: 'd'.repeat(32) },
    }
    const profile = digestItem({ event_id: 'c'.repeat(32), profile: {} }, { type: 'profile' })
    await store([transactionOf(named, { contexts })], false, undefined, [profile])
    await store([transactionOf(alone)])
    expect(await load(named, 'aa')).toMatchObject({ profileId: 'd'.repeat(32) })
    expect(await load(alone, 'aa')).toMatchObject({ profileId: '' })
  })

  it('streamed spans that came with a transaction are of its release, environment, user and name', async () => {
    const trace = newTrace()
    const call = streamed(trace, '1', {
      parent_span_id: '00000000000000aa',
      attributes: typed({ 'sentry.op': 'gen_ai.chat', 'sentry.environment': 'staging' }),
    })
    const elsewhere = streamed(newTrace(), '2')
    await store([containerOf([call, elsewhere])], false, undefined, [transactionOf(trace)])
    const read = await load(trace, '1')
    expect(read).toMatchObject({
      release: 'shop@10.0.0',
      // What it says itself counts.
      environment: 'staging',
      transaction: 'POST /ask',
      segmentId: '00000000000000aa',
      isSegment: false,
    })
    expect(valuesOf(read)).toMatchObject({ 'user.id': '7' })
    expect(await load(elsewhere.trace_id, '2')).toMatchObject({ release: '', transaction: '', segmentId: '' })
  })

  it('what a span did is told by its query or address, where its name is short', async () => {
    const trace = newTrace()
    await store([
      containerOf([
        streamed(trace, '1', { attributes: typed({ 'db.system.name': 'mysql', 'db.query.text': 'SELECT a FROM b' }) }),
        streamed(trace, '2', {
          attributes: typed({ 'sentry.op': 'http.client', 'http.request.method': 'get', 'url.full': 'https://q/w' }),
        }),
        streamed(trace, '3'),
        streamed(trace, '4', {
          attributes: typed({ 'sentry.op': 'resource.script', 'url.full': 'https://shop.example/app.js' }),
        }),
      ]),
    ])
    const spans = await view.spans(scopeOf(trace), 10)
    expect(spans.map(({ description }) => description)).toEqual([
      'SELECT a FROM b',
      'GET https://q/w',
      '',
      'https://shop.example/app.js',
    ])
    const asked = await view.attributes(scopeOf(trace), ['db.query.text', 'none'], 10)
    expect(asked.get(`42 ${'1'.padStart(16, '0')}`)).toEqual({ 'db.query.text': 'SELECT a FROM b' })
    expect(await view.spansOfSegments(scopeOf(trace), 10)).toEqual(new Map())
  })

  it('T31: spans alike are one group in the store, and know how long they waited for their children', async () => {
    const trace = newTrace()
    const query = (id: string, text: string, from: number, to: number) =>
      streamed(trace, id, {
        parent_span_id: '1'.padStart(16, '0'),
        start_timestamp: START + from,
        end_timestamp: START + to,
        attributes: typed({ 'db.system.name': 'postgresql', 'db.query.text': text }),
      })
    const items = [
      streamed(trace, '1'),
      query('2', 'SELECT * FROM orders WHERE id = 17', 0.1, 0.4),
      query('3', 'select * from orders where id = 18 -- again', 0.3, 0.5),
    ]
    await store([containerOf(items)])
    const result = await opened.telemetry.client.query({
      query: `SELECT category, domain, group_text AS text, span_group AS "group", toUInt32(self_time) AS self
        FROM spans WHERE trace_id = {trace:UUID} ORDER BY span_id`,
      query_params: { trace },
      format: 'JSONEachRow',
    })
    const text = 'SELECT * FROM orders WHERE id = %s'
    const group = hash('md5', text).slice(0, 16)
    expect(await result.json()).toEqual([
      { category: '', domain: '', text: '', group: '', self: 600_000 },
      { category: 'db', domain: 'orders', text, group, self: 300_000 },
      { category: 'db', domain: 'orders', text, group, self: 200_000 },
    ])
  })

  it('tells those who watch what came of which trace', () => {
    const trace = newTrace()
    const query = { attributes: typed({ 'sentry.op': 'db', 'db.query.text': 'SELECT 1 FROM a' }) }
    const item = containerOf([
      streamed(trace, '1', { is_segment: true }),
      streamed(trace, '2', query),
      streamed(trace, '3', query),
    ])
    const expanded = expand(item)
    if (!expanded.ok) throw new Error(expanded.error.detail)
    const entry = { item, value: expanded.value, id: () => '', followers: 0 }
    expect(kind.announce?.([{ entry, ready: undefined, stored: undefined }])).toEqual([
      {
        organizationId: 1,
        projectId: 42,
        data: {
          tracesLeftOut: 0,
          traces: [
            {
              traceId: trace,
              hasRoot: true,
              sums: { db: { count: 2, alike: 2, total: 2000, longest: 1000, largest: 0, blocked: 0 } },
            },
          ],
        },
      },
    ])
  })

  it('tells those who watch of all traces of a flood of small ones, which nobody calls left out', () => {
    const containers = Array.from({ length: 7 }, (_, batch) =>
      containerOf(
        Array.from({ length: 1000 }, (__, index) =>
          streamed((batch * 1000 + index + 1).toString(16).padStart(32, '0'), '1'),
        ),
      ),
    )
    const stored = containers.map((item) => {
      const expanded = expand(item)
      if (!expanded.ok) throw new Error(expanded.error.detail)
      return { entry: { item, value: expanded.value, id: () => '', followers: 0 }, ready: undefined, stored: undefined }
    })
    const [news] = kind.announce?.(stored) ?? []
    const told = news?.data as SpanNews | undefined
    expect([told?.traces.length, told?.tracesLeftOut]).toEqual([7000, 0])
  })

  it('T2: children that come before their root, in three envelopes, belong to it', async () => {
    const trace = newTrace()
    const segment = { attributes: typed({ 'sentry.segment.id': 'f'.repeat(16), 'sentry.segment.name': 'Pageload' }) }
    await store([containerOf([streamed(trace, '1', { ...segment, parent_span_id: 'f'.repeat(16) })])])
    await store([containerOf([streamed(trace, '2', { ...segment, parent_span_id: 'f'.repeat(16) })])])
    const root = streamed(trace, 'f'.repeat(16), {
      name: 'Pageload',
      is_segment: true,
      attributes: typed({ 'url.path': '/a/17' }),
    })
    await store([containerOf([root])])
    const spans = await view.spans(scopeOf(trace), 10)
    expect(spans.map(({ segmentId }) => segmentId)).toEqual(['f'.repeat(16), 'f'.repeat(16), 'f'.repeat(16)])
    expect(spans.find(({ isSegment }) => isSegment)?.transaction).toBe('/a/*')
  })

  it('T3: a container without version and settings is taken', async () => {
    const trace = newTrace()
    await store([containerOf([streamed(trace, '1')], {})])
    expect(await view.spans(scopeOf(trace), 10)).toHaveLength(1)
  })

  it('T4: of 100 spans one is bad: 99 are stored, and one says why not', async () => {
    const trace = newTrace()
    const items = Array.from({ length: 100 }, (_, index) => streamed(trace, (index + 1).toString(16)))
    const parts = await store([
      containerOf([...items.slice(0, 50), { ...items[50], span_id: 'nothing' }, ...items.slice(51)]),
    ])
    expect(parts).toEqual([{ quantity: 1, outcome: { kind: 'invalid', reason: 'invalid_span' } }])
    expect(await view.spans(scopeOf(trace), 200)).toHaveLength(99)
  })

  it('T5: a web vital that came by itself is found by its name of today', async () => {
    const trace = newTrace()
    const single = {
      trace_id: trace,
      span_id: '00000000000000cc',
      start_timestamp: START,
      timestamp: START + 0.12,
      op: 'ui.interaction.click',
      description: 'body > button',
      segment_id: '00000000000000aa',
      // As SDKs 8 to 10 have it: without a parent it is a root for them.
      is_segment: true,
      measurements: { inp: { value: 120, unit: 'millisecond' } },
      data: {
        release: 'web@2',
        transaction: '/checkout',
        'user_agent.original': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
      },
    }
    await store([digestItem(single, { type: 'span' })])
    const span = await load(trace, 'cc')
    expect(span).toMatchObject({
      release: 'web@2',
      op: 'ui.interaction.click',
      transaction: '/checkout',
      segmentId: '00000000000000aa',
      isSegment: false,
    })
    expect(span.numbers['browser.web_vital.inp.value']).toBe(120)
    expect(valuesOf(span)['browser.name']).toBe('Firefox')
  })

  it('a web vital of a container belongs to the page that it names, and is no transaction', async () => {
    const trace = newTrace()
    const attributes = typed({
      'sentry.op': 'ui.webvital.lcp',
      'sentry.segment.name': '/cart',
      'browser.web_vital.lcp.value': 1800.5,
    })
    await store([containerOf([streamed(trace, '1', { name: 'h1', is_segment: true, attributes })])])
    expect(await load(trace, '1')).toMatchObject({ transaction: '/cart', isSegment: false })
  })

  it('T27, T71 vitals of SDK 11 that come after their page load are those of its page, in their own project and trace', async () => {
    const trace = newTrace()
    const root = '00000000000000d1'
    const nameless = { 'sentry.segment.name': 'Pageload', 'sentry.segment.id': root }
    const page = typed({
      ...nameless,
      'sentry.op': 'pageload',
      'url.path': '/orders/4711',
      'sentry.segment.name.source': 'url',
    })
    const vital = typed({ ...nameless, 'sentry.op': 'ui.webvital.lcp', 'browser.web_vital.lcp.value': 1800.5 })
    await store([
      containerOf([
        streamed(trace, root, { name: 'Pageload', is_segment: true, parent_span_id: undefined, attributes: page }),
      ]),
    ])
    await store([containerOf([streamed(trace, 'd2', { name: 'img.hero', attributes: vital })])])
    expect(await load(trace, 'd2')).toMatchObject({ transaction: '/orders/*' })
    // Another trace with the same id of a root is another page.
    const other = newTrace()
    await store([containerOf([streamed(other, 'd3', { name: 'img.hero', attributes: vital })])])
    expect(await load(other, 'd3')).toMatchObject({ transaction: 'Pageload' })
  })

  it('T6: what comes twice is read once', async () => {
    const trace = newTrace()
    for (let time = 0; time < 2; time += 1) await store([containerOf([streamed(trace, '1', { is_segment: true })])])
    expect(await view.spans(scopeOf(trace), 10)).toHaveLength(1)
    expect(await view.operations(scopeOf(trace))).toEqual(new Map([['default', 1]]))
  })

  it('T21: a batch that is written again has its rows once', async () => {
    const trace = newTrace()
    const item = containerOf(Array.from({ length: 30 }, (_, index) => streamed(trace, (index + 1).toString(16))))
    await store([item], false, 'twice')
    await store([item], true, 'twice')
    const answer = await opened.telemetry.client.query({
      query: 'SELECT count() AS rows FROM spans WHERE trace_id = {trace:UUID}',
      query_params: { trace },
      format: 'JSONEachRow',
    })
    expect(await answer.json()).toEqual([{ rows: 30 }])
  })

  it('T17, T113: attributes keep their type, and their names whatever is in them', async () => {
    const trace = newTrace()
    const values = {
      text: 'it\'s\ta "quote"\\\n😀',
      whole: 42,
      fraction: 0.25,
      yes: true,
      no: false,
      list: ['a', 'b', 3],
      'a.b\'c"d': 'x',
      'schlüssel 😀': 'y',
      constructor: 'z',
    }
    await store([containerOf([streamed(trace, '1', { attributes: typed(values) })])])
    expect(valuesOf(await load(trace, '1'))).toMatchObject(values)
  })

  it('a value that is not of its type goes, and the span stays', async () => {
    const trace = newTrace()
    const attributes = { good: { type: 'string', value: 'x' }, bad: { type: 'integer', value: 'many' }, worse: 'bare' }
    await store([containerOf([streamed(trace, '1', { attributes })])])
    const span = await load(trace, '1')
    expect(valuesOf(span)).toEqual({ good: 'x', 'sentry.op': 'default' })
    expect(span.notes).toEqual(['2 attributes were left out: they cannot be read.'])
  })

  it('T109: times that cannot be are kept within reason, with a note', async () => {
    const trace = newTrace()
    await store([
      containerOf([
        streamed(trace, '1', { end_timestamp: START - 5 }),
        streamed(trace, '2', { start_timestamp: 4_102_444_800, end_timestamp: 4_102_444_801 }),
        streamed(trace, '3', { end_timestamp: START + 30 * 86_400 }),
        streamed(trace, '4', { start_timestamp: 'soon' }),
        streamed(trace, '5'),
      ]),
    ])
    const spans = await view.spans(scopeOf(trace), 10)
    expect(spans.map(({ id, duration }) => [Number(id), duration])).toEqual([
      [1, 0],
      [3, 0],
      [5, 1_000_000],
      [2, 1_000_000],
    ])
    expect((await load(trace, '1')).notes).toEqual(['It ended 5 s before it started; its duration is shown as 0.'])
    expect((await load(trace, '2')).notes[0]).toContain('2100')
  })

  it('T111: of 10,000 attributes the first 1,000 are kept, the rest is counted', async () => {
    const trace = newTrace()
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index]))
    await store([containerOf([streamed(trace, '1', { attributes: typed(many) })])])
    const span = await load(trace, '1')
    expect(Object.keys(span.numbers)).toHaveLength(LIMITS.ATTRIBUTES)
    expect(span.notes).toEqual(['9000 attributes were left out: there are too many, or too much text in them.'])
  })

  it('a value of a megabyte is cut, and says so', async () => {
    const trace = newTrace()
    await store([
      containerOf([streamed(trace, '1', { attributes: typed({ big: 'x'.repeat(1_000_000), small: 'y' }) })]),
    ])
    const span = await load(trace, '1')
    expect(span.strings['big']).toHaveLength(LIMITS.ATTRIBUTE_CHARS)
    expect(span.strings['small']).toBe('y')
    expect(span.notes).toEqual(['1 attributes were cut: they are too long.'])
  })

  it('secrets are scrubbed by the rules of errors, and counts of tokens are none', async () => {
    const trace = newTrace()
    const values = {
      password: 'hunter2',
      'url.full': 'https://a.example/?api_key=123&page=2',
      'db.query.text': 'SELECT * FROM auth_tokens WHERE card = 4111111111111111',
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.cost.total_tokens': 0.0021,
      'gen_ai.request.token': 'abc',
      'sentry.sdk.name': 'sentry.javascript.browser',
    }
    await store([containerOf([streamed(trace, '1', { attributes: typed(values) })])])
    expect(valuesOf(await load(trace, '1'))).toMatchObject({
      password: '[Filtered]',
      'url.full': 'https://a.example/?api_key=[Filtered]&page=2',
      'db.query.text': 'SELECT * FROM auth_tokens WHERE card = [creditcard]',
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.cost.total_tokens': 0.0021,
      'gen_ai.request.token': '[Filtered]',
    })
  })

  it.each(RECORDED)('the recorded envelope %s loses nothing', async (name) => {
    expect(await store(recorded(name))).toEqual([])
  })

  it.each(RECORDED)('T6: the recorded envelope %s that comes twice, seconds apart, is one and a duplicate', (name) => {
    const keysOf = (items: readonly DigestItem[]): unknown[] =>
      items.map((item) => {
        const expanded = expand(item, items)
        return expanded.ok ? kind.keyOf?.(item, expanded.value) : expanded.error
      })
    const once = recorded(name)
    const again = once.map((item) => ({ ...item, receivedAt: item.receivedAt + 7000 }))
    expect(keysOf(again)).toEqual(keysOf(once))
    const elsewhere = once.map((item) => ({ ...item, sender: { ...item.sender, projectId: 43 } }))
    const others = RECORDED.filter((other) => other !== name).flatMap((other) => keysOf(recorded(other)))
    for (const key of keysOf(once)) expect([...others, ...keysOf(elsewhere)]).not.toContain(key)
  })
})

describe('small items that would become large', () => {
  const kind = createSpanItems({ writer: { insert: async () => {}, insertRows: async () => new Map() } })
  const charactersOf = (item: DigestItem): number => {
    const expanded = kind.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [item.item] })
    if (!expanded.ok) throw new Error(expanded.error.detail)
    return expanded.value.spans.reduce((sum, { line }) => sum + line.length, 0)
  }
  const COLUMNS = 2000

  it('what an export says once about its service is not copied without end', () => {
    const attributes = Array.from({ length: 4 }, (_, index) => ({
      key: `key${index}`,
      value: { stringValue: 'x'.repeat(64_000) },
    }))
    const spans = Array.from({ length: 4000 }, (_, index) => ({
      traceId: 'a'.repeat(32),
      spanId: (index + 1).toString(16).padStart(16, '0'),
      startTimeUnixNano: `${START}000000000`,
      endTimeUnixNano: `${START}000000001`,
    }))
    const payload = { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans }] }] }
    const item = digestItem(payload, { type: 'otel_traces_data' })
    const json = { ...item, item: { ...item.item, header: { ...item.item.header, contentType: 'application/json' } } }
    const bound = LIMITS.ITEM_TEXT_CHARS + LIMITS.ITEM_TEXT_TIMES * json.item.payload.byteLength
    expect(charactersOf(json)).toBeLessThan(bound + 4000 * COLUMNS)
  })

  it('what a transaction says about its user and device is copied to its spans in short', () => {
    const long = Object.fromEntries(
      ['user.id', 'user.email', 'device.family', 'os.name'].map((name) => [name, 'x'.repeat(60_000)]),
    )
    const trace = { trace_id: 'b'.repeat(32), span_id: 'c'.repeat(16), data: long }
    const spans = Array.from({ length: 3000 }, (_, index) => ({
      trace_id: 'b'.repeat(32),
      span_id: (index + 1).toString(16).padStart(16, '0'),
      start_timestamp: START,
      timestamp: START,
    }))
    const payload = { transaction: '/', start_timestamp: START, timestamp: START, contexts: { trace }, spans }
    expect(charactersOf(digestItem(payload, { type: 'transaction' }))).toBeLessThan(3001 * COLUMNS + 300_000)
  })
})

describe('items of spans that hold none', () => {
  const kind = createSpanItems({ writer: { insert: async () => {}, insertRows: async () => new Map() } })
  it.each([
    ['{}', 'span', 'invalid_span'],
    ['[]', 'transaction', 'invalid_transaction'],
    ['{"type":"transaction"}', 'transaction', 'invalid_transaction'],
    ['{"contexts":{"trace":{"span_id":"0000000000000001"}}}', 'transaction', 'invalid_transaction'],
    ['{"items":7}', 'span', 'invalid_span'],
    ['{"items":', 'span', 'invalid_json'],
  ])('%s ends as %s/%s', (payload, type, reason) => {
    const item = digestItem(payload, { type })
    const expanded = kind.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [item.item] })
    expect(expanded).toMatchObject({ ok: false, error: { outcome: { kind: 'invalid', reason } } })
  })
})
