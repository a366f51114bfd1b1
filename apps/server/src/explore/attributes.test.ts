import {
  findTraces,
  getAttributeStats,
  getEventsFacets,
  getTraceItem,
  listAttributes,
  listAttributeValues,
  listSpanFields,
  listSpanFieldValues,
  listTags,
  listTagValuesOfOrganization,
} from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import type { Route } from '../http/index.ts'
import { createAttributeRoutes } from './attributes.routes.ts'
import { callRoute } from './test/call.ts'
import { saveFile } from './test/save.ts'
import { createServices, FROM, insertSpans, rowOf } from './test/sample-spans.ts'
import { createTagRoutes } from './tags.routes.ts'
import { createFindTracesRoute } from './traces.routes.ts'

describe.each(TELEMETRY_ENGINES)('attributes and traces on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let routes: readonly Route[]
  beforeAll(async () => {
    opened = await open()
    const services = createServices(opened)
    routes = [...createAttributeRoutes(services), ...createTagRoutes(services), createFindTracesRoute(services)]
    await insertSpans(opened, [
      { op: 'db', strings: { 'cart.kind': 'gift', 'db.query.text': 'SELECT 1' }, numbers: { 'cart.items': 3 } },
      { op: 'db', strings: { 'cart.kind': 'gift' }, flags: { 'cart.paid': true }, at: FROM + 1000 },
      { op: 'http', strings: { 'cart.kind': 'own', 'http.route': '/cart' }, project: 2 },
      { op: 'secret', strings: { 'foreign.key': 'foreign value' }, organization: 2 },
    ])
  })
  afterAll(() => opened.close())

  const range = { statsPeriod: '1h' }
  const list = async (query: object) =>
    (await callRoute(routes, listAttributes, { query: { itemType: 'spans', ...range, ...query } })).body

  it('T106 lists what senders made up first, with its type, and nothing of others', async () => {
    const all = await list({})
    expect(all.slice(0, 3)).toEqual([
      { key: 'cart.kind', name: 'cart.kind', attributeType: 'string', attributeSource: { source_type: 'user' } },
      {
        key: 'tags[cart.items,number]',
        name: 'cart.items',
        attributeType: 'number',
        attributeSource: { source_type: 'user' },
      },
      {
        key: 'tags[cart.paid,boolean]',
        name: 'cart.paid',
        attributeType: 'boolean',
        attributeSource: { source_type: 'user' },
      },
    ])
    const keys = all.map(({ key }) => key)
    expect(keys).toEqual(expect.arrayContaining(['span.op', 'span.duration', 'db.query.text', 'measurements.lcp']))
    expect(keys.indexOf('cart.kind')).toBeLessThan(keys.indexOf('db.query.text'))
    expect(keys.join()).not.toContain('foreign')
    expect((await list({ substringMatch: 'CART' })).map(({ name }) => name)).toEqual([
      'cart.kind',
      'cart.items',
      'cart.paid',
    ])
    expect((await list({ attributeType: ['number'], substringMatch: 'duration' })).map(({ key }) => key)).toEqual([
      'span.duration',
    ])
    expect((await list({ query: 'span.op:http', substringMatch: 'cart' })).map(({ key }) => key)).toEqual(['cart.kind'])
    const fields = await callRoute(routes, listSpanFields, { query: { ...range, type: 'boolean' } })
    expect(fields.body.map(({ key }) => key)).toEqual(['tags[cart.paid,boolean]', 'is_transaction'])
    await expect(list({ itemType: 'dragons' })).rejects.toThrow('not there')
  })

  it('lists the values of one, most frequent first', async () => {
    const values = async (key: string, query: object = {}) =>
      (await callRoute(routes, listAttributeValues, { params: { key }, query: { ...range, ...query } })).body
    expect(await values('cart.kind')).toEqual([
      expect.objectContaining({
        key: 'cart.kind',
        value: 'gift',
        count: 2,
        firstSeen: new Date(FROM).toISOString(),
        lastSeen: new Date(FROM + 1000).toISOString(),
      }),
      expect.objectContaining({ value: 'own', count: 1 }),
    ])
    expect((await values('cart.kind', { substringMatch: 'OW' })).map(({ value }) => value)).toEqual(['own'])
    expect((await values('project')).map(({ value }) => value)).toEqual(['shop', 'api'])
    expect((await values('project', { substringMatch: 'ap' })).map(({ value }) => value)).toEqual(['api'])
    expect((await values('tags[cart.items,number]')).map(({ value }) => value)).toEqual(['3'])
    expect((await values('is_transaction')).map(({ value }) => value)).toEqual(['false'])
    expect(await values('foreign.key')).toEqual([])
    expect([await values('p95()'), await values('equation|count()')]).toEqual([[], []])
    const older = await callRoute(routes, listSpanFieldValues, { params: { key: 'span.op' }, query: range })
    expect(older.body.map(({ value }) => value)).toEqual(['db', 'http'])
  })

  it('T106 tags of spans are those of spans, in the shapes of an error’s', async () => {
    const tags = (await callRoute(routes, listTags, { query: { dataset: 'spans', ...range } })).body
    expect(tags).toEqual(
      expect.arrayContaining([
        { key: 'cart.kind', name: 'cart.kind', totalValues: 3 },
        { key: 'span.op', name: 'span.op', totalValues: 3 },
      ]),
    )
    const keys = tags.map(({ key }) => key)
    for (const no of ['foreign.key', 'id', 'trace', 'span.description']) expect(keys).not.toContain(no)

    const valuesOf = async (query: object) =>
      await callRoute(routes, listTagValuesOfOrganization, {
        params: { key: 'cart.kind' },
        query: { dataset: 'spans', ...range, ...query },
      })
    expect((await valuesOf({})).body).toMatchObject([
      { key: 'cart.kind', name: 'gift', value: 'gift', count: 2, firstSeen: new Date(FROM).toISOString() },
      { value: 'own', count: 1 },
    ])
    const first = await valuesOf({ limit: 1 })
    expect(first.body.map(({ value }) => value)).toEqual(['gift'])
    expect((await valuesOf({ limit: 1, cursor: first.next })).body.map(({ value }) => value)).toEqual(['own'])
    expect((await valuesOf({ query: 'ow' })).body.map(({ value }) => value)).toEqual(['own'])

    const facetsOf = async (query: object) =>
      (await callRoute(routes, getEventsFacets, { query: { dataset: 'spans', ...range, ...query } })).body
    const facets = await facetsOf({ query: 'span.op:db' })
    expect(facets.filter(({ key }) => key === 'cart.kind' || key === 'span.op')).toEqual([
      { key: 'cart.kind', topValues: [{ name: 'gift', value: 'gift', count: 2 }] },
      { key: 'span.op', topValues: [{ name: 'db', value: 'db', count: 2 }] },
    ])
    expect(await facetsOf({ dataset: 'transactions' })).toEqual([])
    for (const dataset of ['logs', 'ourlogs', 'tracemetrics', 'profiles'])
      expect(await facetsOf({ dataset })).toEqual([])
    await expect(facetsOf({ dataset: 'dragons' })).rejects.toMatchObject({
      detail: expect.stringContaining('The dataset "dragons" is not there. Use one of: errors, spans'),
    })
    // Those of errors are answered elsewhere, by any of their names.
    for (const dataset of ['errors', 'discover', 'events', 'search_issues']) {
      await expect(facetsOf({ dataset })).rejects.toThrow('no route takes')
    }
  })

  it('T106 how often attributes have which values is told of the rows that match', async () => {
    const stats = async (query: object) => {
      const asked = { statsType: ['attributeDistributions'], ...range, ...query }
      const { body } = await callRoute(routes, getAttributeStats, { query: asked })
      return body.data[0]?.attribute_distributions.data
    }
    expect(await stats({})).toMatchObject({
      'cart.kind': [
        { label: 'gift', value: 2 },
        { label: 'own', value: 1 },
      ],
    })
    const narrowed = await stats({ query: 'span.op:http' })
    expect(narrowed?.['cart.kind']).toEqual([{ label: 'own', value: 1 }])
    expect(narrowed?.['foreign.key']).toBeUndefined()
    expect(await stats({ itemType: 'logs' })).toEqual({})
    await expect(stats({ itemType: 'dragons' })).rejects.toMatchObject({ status: 400 })
  })

  it('T17 one row has all that was sent, in its types', async () => {
    const row = {
      ...rowOf({
        trace: 'ab'.repeat(16),
        strings: { word: 'tea' },
        numbers: { whole: 3, part: 0.5 },
        flags: { yes: true },
      }),
      lists: { many: '[1,"two"]' },
      links: JSON.stringify([
        {
          traceId: 'ef'.repeat(16),
          spanId: '12'.repeat(8),
          sampled: true,
          attributes: { 'sentry.link.type': 'previous_trace' },
        },
        { traceId: 'ef'.repeat(16), spanId: '34'.repeat(8), attributes: {} },
      ]),
    }
    await opened.telemetry.client.insert({ table: 'spans', values: [row], format: 'JSONEachRow' })
    const item = BigInt(row.span_id).toString(16).padStart(16, '0')
    const get = (project: string, trace: string) =>
      callRoute(routes, getTraceItem, { params: { project, item }, query: { trace_id: trace } })
    const { body } = await get('shop', 'ab'.repeat(16))
    expect(body).toMatchObject({ itemId: item, timestamp: new Date(FROM).toISOString() })
    const traceId = 'ef'.repeat(16)
    expect(body.links).toEqual([
      {
        itemId: '12'.repeat(8),
        traceId,
        sampled: true,
        attributes: [{ name: 'sentry.link.type', type: 'str', value: 'previous_trace' }],
      },
      { itemId: '34'.repeat(8), traceId, sampled: null, attributes: [] },
    ])
    expect(body.attributes).toEqual(
      expect.arrayContaining([
        { name: 'id', type: 'str', value: item },
        { name: 'word', type: 'str', value: 'tea' },
        { name: 'whole', type: 'int', value: '3' },
        { name: 'part', type: 'float', value: 0.5 },
        { name: 'yes', type: 'bool', value: true },
        { name: 'many', type: 'array', value: [1, 'two'] },
        { name: 'project', type: 'str', value: 'shop' },
      ]),
    )
    await expect(get('api', 'ab'.repeat(16))).rejects.toMatchObject({ status: 404 })
    await expect(get('shop', 'cd'.repeat(16))).rejects.toMatchObject({ status: 404 })
    await expect(get('elsewhere', 'ab'.repeat(16))).rejects.toMatchObject({ status: 404 })
    await expect(get('shop', 'x OR id:*')).rejects.toMatchObject({ status: 404 })
  })

  it('finds traces that have a span for each search, with what each project did in them', async () => {
    const one = '1a'.repeat(16)
    const two = '2a'.repeat(16)
    await insertSpans(opened, [
      { trace: one, name: 'page', transaction: '/shop', op: 'pageload', duration: 100 },
      { trace: one, name: 'query', op: 'db.tea', parent: 1, at: FROM + 300, duration: 50, project: 2 },
      { trace: one, name: 'render', op: 'ui.tea', parent: 1, at: FROM + 20 },
      { trace: two, name: 'query', op: 'db.tea', parent: 9, at: FROM + 5000 },
      { trace: two, name: 'foreign', op: 'ui.tea', organization: 2 },
    ])
    const find = async (query: object) =>
      callRoute(routes, findTraces, { query: { field: ['span.op', 'span.duration'], ...range, ...query } })
    const both = (await find({ query: ['span.op:db.tea', 'span.op:ui.tea'] })).body.data
    expect(both).toMatchObject([
      {
        trace: one,
        numSpans: 3,
        matchingSpans: 2,
        name: '/shop',
        project: 'shop',
        start: FROM,
        end: FROM + 350,
        duration: 350,
        breakdowns: [
          { kind: 'project', project: 'shop', start: FROM, end: FROM + 120 },
          { kind: 'missing', project: null, start: FROM + 120, end: FROM + 300 },
          { kind: 'project', project: 'api', start: FROM + 300, end: FROM + 350 },
        ],
        spans: [{ 'span.op': 'ui.tea' }, { 'span.op': 'db.tea', 'span.duration': 50 }],
      },
    ])
    const page = await find({ query: ['span.op:*.tea'], per_page: '1', maxSpansPerTrace: '1' })
    expect(page.body.data.map(({ trace, name, spans }) => [trace, name, spans.length])).toEqual([[two, null, 1]])
    const next = await find({ query: ['span.op:*.tea'], per_page: '1', cursor: page.next ?? '' })
    expect(next.body.data.map(({ trace }) => trace)).toEqual([one])
    expect(next.next).toBeNull()
    const asked = { field: ['span.op'], ...range, query: ['span.op:*.tea'] }
    const { text } = await saveFile(routes, findTraces, { ...asked, format: 'csv' })
    expect(text.trimEnd().split('\r\n')).toEqual([
      'trace,name,projects,duration,start,end,numSpans,matchingSpans',
      expect.stringMatching(new RegExp(`^${two},,shop,`)),
      expect.stringMatching(new RegExp(`^${one},/shop,"shop, api",350,.*,3,2$`)),
    ])
    const json = JSON.parse((await saveFile(routes, findTraces, { ...asked, format: 'json' })).text) as object
    expect(json).toMatchObject({ data: (await find({ query: asked.query })).body.data.map(({ trace }) => ({ trace })) })
    expect((await find({ query: ['span.op:nothing'] })).body.data).toEqual([])
    await expect(find({ field: ['count()'] })).rejects.toThrow('not with functions')
    await expect(find({ cursor: 'elsewhere' })).rejects.toThrow('cursor')
  })
})
