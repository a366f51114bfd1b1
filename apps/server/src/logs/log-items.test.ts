import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnvelope } from '@firsthand/protocol'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { digestItem, RECEIVED, RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import type { DigestItem } from '../ingest/index.ts'
import { findBackfills, groupsOf } from '../kept-items/backfill.ts'
import { keepItems } from '../kept-items/keep.ts'
import { KEPT_ITEMS } from '../kept-items/kept-item-row.ts'
import { AWAITED } from '../kept-items/kept-items.ts'
import { createFileBlobs } from '../storage/blobs/file-blobs.ts'
import {
  silentLogger,
  TELEMETRY_ENGINES,
  temporaryFolder,
  type OpenedTelemetry,
} from '../storage/conformance/engines.ts'
import { storeOf } from '../../test/stores/store-items.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { LIMITS } from './limits.ts'
import { LOG_LEVELS } from './log.ts'
import { createLogItems } from './log-items.ts'
import { createLogView, type LogScope, type LogSummary, type LogView } from './logs.view.ts'

/** From the bytes of an SDK, through the real engine, to what is read again. */

const CONTAINER = 'application/vnd.sentry.items.log+json'
const EVERYTHING = { sql: '1', params: {} }

let projects = 100
const newProject = (): number => (projects += 1)

const ofProject = (item: DigestItem, projectId: number): DigestItem => ({
  ...item,
  sender: { ...item.sender, projectId },
})

const containerOf = (projectId: number, items: readonly unknown[], more: object = { version: 2 }): DigestItem => {
  const item = digestItem({ ...more, items }, { type: 'log' })
  return ofProject(
    {
      ...item,
      item: { ...item.item, header: { ...item.item.header, contentType: CONTAINER, itemCount: items.length } },
    },
    projectId,
  )
}

const exportOf = (projectId: number, payload: Uint8Array | object): DigestItem => {
  const isJson = !(payload instanceof Uint8Array)
  const item = digestItem(payload, { type: 'otel_log' })
  const contentType = isJson ? 'application/json' : 'application/x-protobuf'
  return ofProject({ ...item, item: { ...item.item, header: { ...item.item.header, contentType } } }, projectId)
}

const FIXTURES = join(import.meta.dirname, '..', '..', '..', '..', 'fixtures', 'envelopes')

/** What an SDK has really sent. */
const recorded = (name: string, projectId: number): DigestItem => {
  const parsed = parseEnvelope(readFileSync(join(FIXTURES, `${name}.envelope`)))
  if (!parsed.ok) throw new Error(parsed.error.message)
  const { header, items } = parsed.value
  const item = items.find((one) => one.header.type === 'log')
  if (item === undefined) throw new Error(`${name} has no log lines`)
  // Their time is that of the recording.
  const sent = JSON.parse(Buffer.from(item.payload).toString()) as { items: { timestamp: number }[] }
  const receivedAt = Math.round((sent.items[0]?.timestamp ?? 0) * 1000) + 1000
  const { sender } = digestItem('{}')
  return { sender: { ...sender, projectId }, receivedAt, header, eventId: null, item }
}

const typed = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const type = Array.isArray(value) ? 'array' : Number.isInteger(value) ? 'integer' : typeof value
      return [name, { type: type === 'number' ? 'double' : type, value }]
    }),
  )

const logged = (body: string, more: object = {}) => ({
  timestamp: RECEIVED - 1,
  trace_id: 'a'.repeat(32),
  level: 'info',
  body,
  ...more,
})

const DELIMITED = WireType.LengthDelimited

describe.each(TELEMETRY_ENGINES)('log lines on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let kind: ReturnType<typeof createLogItems>
  let view: LogView
  let store: ReturnType<typeof storeOf>
  beforeAll(async () => {
    opened = await open()
    kind = createLogItems({ writer: createRowWriter({ client: opened.telemetry.client }) })
    store = storeOf(kind)
    view = createLogView({ client: opened.telemetry.client })
  })
  afterAll(() => opened.close())

  const expand = (item: DigestItem, settings = DEFAULT_PROJECT_SETTINGS) =>
    kind.expand(item, { settings, siblings: [item.item] })

  const scopeOf = (projectId: number, more: Partial<LogScope> = {}): LogScope => ({
    organizationId: 1,
    projectIds: [projectId],
    environments: [],
    period: { from: RECEIVED_AT - 14 * 86_400_000, to: RECEIVED_AT + 60_000 },
    filter: EVERYTHING,
    ...more,
  })
  const newest = async (projectId: number, limit = 100): Promise<readonly LogSummary[]> =>
    (await view.find(scopeOf(projectId), null, 'older', limit)).lines
  const bodies = async (projectId: number): Promise<string[]> => (await newest(projectId)).map(({ body }) => body)
  const only = async (projectId: number) => {
    const [line, ...others] = await newest(projectId)
    expect(others).toEqual([])
    const found = line === undefined ? null : await view.one({ organizationId: 1, projectIds: [projectId] }, line)
    if (found === null) throw new Error('the line is not there')
    return found
  }

  it('what an SDK sends is read again: level, template, origin, trace, attributes by their type (T17)', async () => {
    const project = newProject()
    const parts = await store([
      containerOf(project, [
        logged('order 17 placed', {
          level: 'warn',
          severity_number: 14,
          span_id: 'b'.repeat(16),
          attributes: typed({
            'sentry.message.template': 'order %s placed',
            'sentry.message.parameter.0': 17,
            'sentry.release': 'shop@2',
            'sentry.environment': 'production',
            'sentry.sdk.name': 'sentry.javascript.node',
            'sentry.sdk.version': '11.0.0',
            'sentry.origin': 'auto.log.console',
            'logger.name': 'orders',
            'server.address': 'api-3',
            'user.id': 'u1',
            total: 41.5,
            paid: true,
            items: ['a', 'b'],
            // As OpenTelemetry's old convention has it.
            'http.status_code': 500,
          }),
        }),
      ]),
    ])
    expect(parts).toEqual([])
    const line = await only(project)
    expect(line).toMatchObject({
      level: 'warn',
      severity: 14,
      body: 'order 17 placed',
      pattern: 'order %s placed',
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      release: 'shop@2',
      environment: 'production',
      sdkName: 'sentry.javascript.node',
      origin: 'auto.log.console',
      logger: 'orders',
      server: 'api-3',
      numbers: { total: 41.5, 'http.response.status_code': 500, 'sentry.message.parameter.0': 17 },
      flags: { paid: true },
      lists: { items: '["a","b"]' },
    })
    const [row] = await newest(project)
    expect(row?.numbers).toEqual({ total: 41.5, 'http.response.status_code': 500 })
  })

  it('T11: every level comes back with its number', async () => {
    const project = newProject()
    await store([
      containerOf(
        project,
        [...LOG_LEVELS].map((level) => logged(level, { level })),
      ),
    ])
    const lines = await newest(project)
    expect(lines.map(({ level }) => level)).toEqual([...LOG_LEVELS].toReversed())
    expect(await view.total(scopeOf(project))).toEqual([1, 1, 1, 1, 1, 1])
  })

  it('T76, check 74: lines of the same moment keep the order in which they were written', async () => {
    const project = newProject()
    const sequence = (number: number) => ({ attributes: typed({ 'sentry.timestamp.sequence': number }) })
    await store([
      containerOf(project, [logged('third', sequence(2)), logged('fourth', sequence(3))]),
      containerOf(project, [logged('first', sequence(0)), logged('second', sequence(1))]),
    ])
    expect(await bodies(project)).toEqual(['fourth', 'third', 'second', 'first'])
    const unnumbered = newProject()
    await store([
      containerOf(
        unnumbered,
        Array.from({ length: 12 }, (_, index) => logged(`line ${index}`)),
      ),
    ])
    expect(await bodies(unnumbered)).toEqual(Array.from({ length: 12 }, (_, index) => `line ${11 - index}`))
  })

  it('check 73: without version, trace or time it is stored all the same', async () => {
    const project = newProject()
    await store([containerOf(project, [{ level: 'error', body: 'bare' }], {})])
    expect(await only(project)).toMatchObject({
      body: 'bare',
      traceId: '',
      at: RECEIVED_AT,
      notes: ['It said no time; it has that of its arrival.'],
    })
  })

  it('of 100 lines two are bad: 98 are stored, and the receipts say why not', async () => {
    const project = newProject()
    const items: unknown[] = Array.from({ length: 98 }, (_, index) => logged(`line ${index}`))
    const parts = await store([containerOf(project, [...items, { level: 'info' }, 7])])
    expect(parts).toEqual([{ quantity: 2, outcome: { kind: 'invalid', reason: 'invalid_log' } }])
    expect(await newest(project)).toHaveLength(98)
    const none = expand(containerOf(project, [{ level: 'info' }]))
    expect(none).toMatchObject({ ok: false, error: { outcome: { reason: 'invalid_log' } } })
    const value = expand(containerOf(project, items))
    expect(value.ok && kind.quantityOf?.(value.value)).toBe(98)
  })

  it('what comes twice is read once, also before it is merged', async () => {
    const project = newProject()
    const trace = '5'.repeat(32)
    const item = containerOf(project, [logged('once', { trace_id: trace }), logged('once more', { trace_id: trace })])
    await store([item])
    await store([item])
    expect(await bodies(project)).toEqual(['once more', 'once'])
    expect(await view.countOfTrace({ organizationId: 1, projectIds: [project] }, trace)).toBe(2)
  })

  it('a batch that is written again has its rows once', async () => {
    const project = newProject()
    const item = containerOf(
      project,
      Array.from({ length: 30 }, (_, index) => logged(`line ${index}`)),
    )
    await store([item], false, 'again')
    await store([item], true, 'again')
    expect(await view.total(scopeOf(project))).toEqual([0, 0, 30, 0, 0, 0])
  })

  it('sensitive values are gone before they are stored', async () => {
    const project = newProject()
    const body = 'paid with 4111 1111 1111 1111'
    await store([containerOf(project, [logged(body, { attributes: typed({ password: 'hunter2', note: 'fine' }) })])])
    const line = await only(project)
    expect(line.strings).toEqual({ password: '[Filtered]', note: 'fine' })
    expect(line.body).not.toContain('4111')
  })

  it('T23, T79: a body of a megabyte is kept whole, and a list has only its beginning', async () => {
    const project = newProject()
    const body = `{"deep":"${'x😀'.repeat(350_000)}","needle":1}`
    await store([containerOf(project, [logged(body)])])
    const [line] = await newest(project)
    expect(line?.isCut).toBe(true)
    expect(line?.body).toHaveLength(Array.from(body).slice(0, LIMITS.LOG_BODY_SHOWN_CHARS).join('').length)
    expect((await only(project)).body).toBe(body)
  })

  it('T113: odd keys and characters come back as they were, without characters of value 0 and `__proto__`', async () => {
    const project = newProject()
    const attributes = JSON.parse(
      JSON.stringify(typed({ 'a.b"c': "it's", 'nul\u0000key': 'tab\tline\n\\', '😀': 'ü' })).replace(
        '{',
        '{"__proto__":{"type":"string","value":"own"},',
      ),
    ) as object
    await store([containerOf(project, [logged('a\u0000b\tc\\n', { attributes })])])
    const line = await only(project)
    expect(line.body).toBe('ab\tc\\n')
    expect(new Map(Object.entries(line.strings))).toEqual(
      new Map([
        ['a.b"c', "it's"],
        ['nulkey', 'tab\tline\n\\'],
        ['😀', 'ü'],
      ]),
    )
  })

  it('T109: times that cannot be are those of the arrival, and it says so', async () => {
    const project = newProject()
    await store([containerOf(project, [logged('of 2100', { timestamp: 4_102_444_800 })])])
    const line = await only(project)
    expect(line.at).toBe(RECEIVED_AT)
    expect(line.notes[0]).toContain('2100')
  })

  it.each(['sdk-9/node-16-log', 'sdk-10/browser-10-log', 'sdk-11/node11-006-log', 'sdk-11/browser11-036-log'])(
    'check 73: the lines of %s are read',
    async (name) => {
      const project = newProject()
      const item = recorded(name, project)
      expect(await store([item])).toEqual([])
      const period = { from: item.receivedAt - 86_400_000, to: item.receivedAt + 60_000 }
      const { lines } = await view.find(scopeOf(project, { period }), null, 'older', 100)
      const itemCount = item.item.header.itemCount ?? 0
      expect(itemCount).toBeGreaterThan(0)
      expect(lines).toHaveLength(itemCount)
      for (const line of lines) {
        expect(line.body).not.toBe('')
        expect(line.traceId).toMatch(/^[0-9a-f]{32}$/)
        const stored = await view.one({ organizationId: 1, projectIds: [project] }, line)
        expect(stored).toMatchObject({ sdkName: expect.stringContaining('sentry.javascript'), notes: [] })
      }
    },
  )

  it('T14: lines that were kept whole before there were logs are read by their kind', async () => {
    const project = newProject()
    const items = [recorded('sdk-11/node11-006-log', project), exportOf(project, { resourceLogs: [] })]
    const folder = temporaryFolder()
    const stores = { client: opened.telemetry.client, blobs: createFileBlobs(folder.path), logger: silentLogger }
    const entries = items.map((item, index) => ({ item, value: null, id: () => `${index}${project}`, followers: 0 }))
    const kept = (await keepItems(entries, stores)).map(({ row }) => row)
    await createRowWriter(stores).insertRows(KEPT_ITEMS, kept, { token: 'kept:logs', again: false })
    const found = await findBackfills(stores, groupsOf([kind], AWAITED))
    expect(found.map(({ itemTypes }) => itemTypes)).toEqual([['log'], ['otel_log']])
    const page = await found[0]?.reader.read({ segment: 0, offset: 0 }, { records: 10, bytes: 1e9 })
    for (const { record } of page?.records ?? []) {
      if (record.kind !== 'envelope') throw new Error('it is no envelope')
      const parsed = parseEnvelope(record.body)
      if (!parsed.ok) throw new Error(parsed.error.message)
      const { header, items: again } = parsed.value
      const { receivedAt, sender } = record
      for (const item of again) await store([{ sender, receivedAt, header, eventId: header.eventId, item }])
    }
    const itemCount = items[0]?.item.header.itemCount ?? 0
    expect(itemCount).toBeGreaterThan(0)
    expect(await newest(project)).toHaveLength(itemCount)
    folder.remove()
  })

  it('T15: lines of a release that is filtered end as such, all of them', () => {
    const filters = { ...DEFAULT_PROJECT_SETTINGS.filters, releases: ['shop@*'] }
    const line = logged('x', { attributes: typed({ 'sentry.release': 'shop@2' }) })
    const ended = expand(containerOf(newProject(), [line, line]), { ...DEFAULT_PROJECT_SETTINGS, filters })
    expect(ended).toMatchObject({ ok: false, error: { outcome: { kind: 'filtered' } } })
  })

  it('OTLP: the same records in JSON and protobuf are the same lines', async () => {
    const nanos = BigInt(RECEIVED_AT - 5000) * 1_000_000n + 123_456n
    const text = (writer: BinaryWriter, field: number, value: string) => writer.tag(field, DELIMITED).string(value)
    const pair = (key: string, value: (writer: BinaryWriter) => BinaryWriter) =>
      text(new BinaryWriter(), 1, key).tag(2, DELIMITED).bytes(value(new BinaryWriter()).finish()).finish()
    const record = new BinaryWriter()
    record.tag(1, WireType.Bit64).fixed64(nanos)
    record.tag(2, WireType.Varint).int32(18)
    record.tag(3, DELIMITED).string('ERROR2')
    record.tag(5, DELIMITED).bytes(text(new BinaryWriter(), 1, 'no such invoice').finish())
    record.tag(6, DELIMITED).bytes(pair('rows', (writer) => writer.tag(3, WireType.Varint).int64(3)))
    record.tag(6, DELIMITED).bytes(pair('cached', (writer) => writer.tag(2, WireType.Varint).bool(true)))
    record.tag(9, DELIMITED).bytes(Buffer.alloc(16, 0xab))
    record.tag(10, DELIMITED).bytes(Buffer.alloc(8, 0xcd))
    const empty = new BinaryWriter().tag(2, WireType.Varint).int32(9).finish()
    const scope = new BinaryWriter().tag(1, DELIMITED).bytes(text(new BinaryWriter(), 1, 'invoices').finish())
    scope.tag(2, DELIMITED).bytes(record.finish()).tag(2, DELIMITED).bytes(empty)
    const resource = new BinaryWriter()
      .tag(1, DELIMITED)
      .bytes(pair('service.name', (writer) => text(writer, 1, 'billing')))
    const inner = new BinaryWriter().tag(1, DELIMITED).bytes(resource.finish()).tag(2, DELIMITED).bytes(scope.finish())
    const protobuf = new BinaryWriter().tag(1, DELIMITED).bytes(inner.finish()).finish()
    const json = {
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'billing' } }] },
          scopeLogs: [
            {
              scope: { name: 'invoices' },
              logRecords: [
                {
                  timeUnixNano: nanos.toString(),
                  severityNumber: 'SEVERITY_NUMBER_ERROR2',
                  severityText: 'ERROR2',
                  body: { stringValue: 'no such invoice' },
                  attributes: [
                    { key: 'rows', value: { intValue: '3' } },
                    { key: 'cached', value: { boolValue: true } },
                  ],
                  traceId: 'AB'.repeat(16),
                  spanId: Buffer.alloc(8, 0xcd).toString('base64'),
                },
                { severityNumber: 9 },
              ],
            },
          ],
        },
      ],
    }
    const stored = []
    for (const payload of [protobuf, json]) {
      const project = newProject()
      expect(await store([exportOf(project, payload)])).toEqual([
        { quantity: 1, outcome: { kind: 'invalid', reason: 'invalid_log' } },
      ])
      const { id: _, projectId: __, ...line } = await only(project)
      stored.push(line)
    }
    expect(stored[0]).toEqual(stored[1])
    expect(stored[0]).toMatchObject({
      at: RECEIVED_AT - 5000,
      nanos: 123_456,
      level: 'error',
      severity: 18,
      body: 'no such invoice',
      service: 'billing',
      logger: 'invoices',
      traceId: 'ab'.repeat(16),
      spanId: 'cd'.repeat(8),
      numbers: { rows: 3 },
      flags: { cached: true },
    })
  })
})
