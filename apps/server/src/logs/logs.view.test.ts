import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/index.ts'
import { digestItem, RECEIVED_AT } from '../event/normalise/digest-item.fixture.ts'
import type { DigestItem, StoredEntry } from '../ingest/index.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { createRowWriter } from '../storage/telemetry/row-writer.ts'
import { createBuckets } from '../search/index.ts'
import { compileLogSearch } from './log-search.ts'
import { createLogItems } from './log-items.ts'
import { LIMITS } from './limits.ts'
import { LOG_LEVELS } from './log.ts'
import { createLogView, type LogScope, type LogView } from './logs.view.ts'
import { placeAt, type LogPlace } from './place.ts'

const PROJECT = 7
const DAY_MS = 86_400_000
const HOURS = 3_600_000
const EVERYTHING = { sql: '1', params: {} }

interface Sent {
  readonly body: string
  readonly level: string
  /** Milliseconds before the newest. */
  readonly ago: number
}

const TRACE = 'e'.repeat(32)

const typed = (values: Readonly<Record<string, string | number | boolean>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      { type: typeof value === 'number' ? 'double' : typeof value, value },
    ]),
  )

const newestFirst = (sent: readonly Sent[]): string[] =>
  sent
    .map((line, place) => ({ ...line, place }))
    .toSorted((one, other) => one.ago - other.ago || other.place - one.place)
    .map(({ body }) => body)

describe.each(TELEMETRY_ENGINES)('reads of log lines on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let view: LogView
  let kind: ReturnType<typeof createLogItems>
  let batches = 0
  /** 3,000 lines over 14 days: most of them in the last minutes, many of the same millisecond. */
  const sent: Sent[] = Array.from({ length: 3000 }, (_, index) => ({
    body: `line ${index} of ${index % 3 === 0 ? 'orders' : 'stock'}`,
    level: LOG_LEVELS[index % LOG_LEVELS.length] ?? 'info',
    ago: index < 1500 ? Math.floor(index / 10) : Math.floor((index - 1500) ** 2 * 0.5) * 1000,
  }))

  const store = (lines: readonly Sent[]): Promise<void> =>
    storeItems(
      lines.map(({ body, level, ago }) => ({
        timestamp: (RECEIVED_AT - ago) / 1000,
        level,
        body,
        attributes: typed({ 'logger.name': level === 'error' ? 'alarm' : 'main' }),
      })),
    )

  const storeItems = async (items: readonly object[]): Promise<void> => {
    const raw = digestItem({ items }, { type: 'log' })
    const item: DigestItem = { ...raw, sender: { ...raw.sender, projectId: PROJECT } }
    const expanded = kind.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [item.item] })
    if (!expanded.ok) throw new Error(expanded.error.detail)
    const entry: StoredEntry<typeof expanded.value, unknown, unknown> = {
      entry: { item, value: expanded.value, id: () => '', followers: 0 },
      ready: undefined,
      stored: undefined,
    }
    expect(await kind.write?.([entry], { token: `v:${(batches += 1)}`, again: false })).toEqual(new Map())
  }

  beforeAll(async () => {
    opened = await open()
    view = createLogView({ client: opened.telemetry.client })
    kind = createLogItems({ writer: createRowWriter({ client: opened.telemetry.client }) })
    await store(sent.slice(0, 2000))
    await store(sent.slice(2000))
  })
  afterAll(() => opened.close())

  const scope = (more: Partial<LogScope> = {}): LogScope => ({
    organizationId: 1,
    projectIds: [PROJECT, 8],
    environments: [],
    period: { from: RECEIVED_AT - 14 * DAY_MS, to: RECEIVED_AT + 60_000 },
    filter: EVERYTHING,
    ...more,
  })
  const inPeriod = sent.filter(({ ago }) => ago <= 14 * DAY_MS)
  const sorted = newestFirst(inPeriod)

  it('T49: pages backwards and forwards have every line once, in the same order', async () => {
    const back: string[] = []
    let from: LogPlace | null = null
    let pages = 0
    for (;;) {
      const page = await view.find(scope(), from, 'older', 400)
      back.push(...page.lines.map(({ body }) => body))
      from = page.lines.at(-1) ?? from
      pages += 1
      if (!page.hasMore) break
    }
    expect(pages).toBe(Math.ceil(sorted.length / 400))
    expect(back).toEqual(sorted)
    const forth: string[] = []
    let after: LogPlace = placeAt(RECEIVED_AT - 14 * DAY_MS)
    for (;;) {
      const page = await view.find(scope(), after, 'newer', 700)
      forth.push(...page.lines.map(({ body }) => body))
      after = page.lines.at(-1) ?? after
      if (!page.hasMore) break
    }
    expect(forth.toReversed()).toEqual(sorted)
  })

  it('finds few lines far away, and those of a project only', async () => {
    const rare = scope({ filter: { sql: "logs.body = 'line 2499 of orders'", params: {} } })
    const { lines, hasMore, lookedTo } = await view.find(rare, null, 'older', 10)
    expect(lines.map(({ body }) => body)).toEqual(['line 2499 of orders'])
    expect([hasMore, lookedTo]).toEqual([false, null])
    expect((await view.find(scope({ projectIds: [8] }), null, 'older', 10)).lines).toEqual([])
    expect((await view.find(scope({ organizationId: 2 }), null, 'older', 10)).lines).toEqual([])
  })

  it('T77: volume by level and facets agree with the list', async () => {
    const day = scope({ period: { from: RECEIVED_AT - 6 * HOURS, to: RECEIVED_AT + 60_000 } })
    const listed = await view.find(day, null, 'older', 5000)
    const counts = LOG_LEVELS.map((level) => listed.lines.filter((line) => line.level === level).length)
    expect(await view.total(day)).toEqual(counts)
    const buckets = createBuckets(day.period, 300)
    const steps = await view.volume(day, buckets)
    expect(
      LOG_LEVELS.map((_, level) => [...steps.values()].reduce((sum, step) => sum + (step[level] ?? 0), 0)),
    ).toEqual(counts)
    const inFirst = listed.lines.filter(({ at }) => Math.floor(at / 1000 / 300) * 300 === buckets.start)
    expect(steps.get(0)?.reduce((sum, count) => sum + count, 0) ?? 0).toBe(inFirst.length)
    const loggers = Map.groupBy(listed.lines, ({ logger }) => logger)
    const facets = await view.facets(day, ['logger', 'service', 'pattern', 'level'])
    expect(facets.get('service')).toEqual([])
    expect(new Map(facets.get('level')?.map(({ value, count }) => [value, count]))).toEqual(
      new Map(LOG_LEVELS.map((level, place) => [level, counts[place] ?? 0])),
    )
    expect(facets.get('logger')).toEqual(
      [...loggers]
        .map(([value, lines]) => ({ value, count: lines.length }))
        .toSorted((one, other) => other.count - one.count),
    )
    expect(facets.get('pattern')).toEqual([
      { value: 'line * of stock', count: listed.lines.filter(({ body }) => body.endsWith('stock')).length },
      { value: 'line * of orders', count: listed.lines.filter(({ body }) => body.endsWith('orders')).length },
    ])
  })

  it('T18: searches find lines by level, words, attributes of any type, patterns and places', async () => {
    const found = async (query: string): Promise<string[]> => {
      const filter = compileLogSearch(query, [{ id: PROJECT, slug: 'shop' }], RECEIVED_AT)
      if (!filter.ok) throw new Error(filter.error.message)
      const { lines } = await view.find(scope({ filter: filter.value }), null, 'older', 5000)
      return lines.map(({ body }) => body)
    }
    await storeItems([
      { level: 'warn', body: 'Payment REFUSED', attributes: typed({ code: '500', shop: 'tea' }), trace_id: TRACE },
      { level: 'warn', body: 'payment refused again', attributes: typed({ code: 500, paid: false }) },
      { level: 'fatal', body: `${'x'.repeat(5000)} and a needle`, attributes: typed({ code: 499.5 }) },
    ])
    expect(await view.attributeValues(scope(), 'code')).toEqual([
      { value: '500', count: 2 },
      { value: '499.5', count: 1 },
    ])
    expect(await found('payment refused')).toEqual(['payment refused again', 'Payment REFUSED'])
    expect(await found('code:500')).toEqual(['payment refused again', 'Payment REFUSED'])
    expect(await found('code:>=500')).toEqual(['payment refused again', 'Payment REFUSED'])
    expect(await found('has:code code:<500')).toHaveLength(1)
    expect(await found('paid:false')).toEqual(['payment refused again'])
    expect(await found('shop:t*')).toEqual(['Payment REFUSED'])
    expect(await found(`trace:${TRACE}`)).toEqual(['Payment REFUSED'])
    expect(await found('a needle')).toHaveLength(1)
    expect(await found('level:warning has:code')).toHaveLength(2)
    expect(await found('project:shop level:[critical,warn] has:code')).toHaveLength(3)
    expect(await found('project:other')).toEqual([])
    expect(await found('pattern:"line * of stock" level:error')).toEqual(
      sorted.filter((body) => body.endsWith('stock') && Number(body.split(' ')[1]) % 6 === 4),
    )
    expect(compileLogSearch('level:loud', [], RECEIVED_AT)).toMatchObject({ ok: false })
    expect(compileLogSearch('level:error code:1', [], RECEIVED_AT, ['level'])).toMatchObject({
      value: { params: expect.not.objectContaining({ p0: ['error'] }) },
    })
  })

  it('T75: the tail has what came since, each line once, however late it was written', async () => {
    const now = scope({
      period: { from: RECEIVED_AT - LIMITS.LOG_TAIL_MS, to: RECEIVED_AT + LIMITS.LOG_TAIL_MS },
      filter: { sql: "startsWith(logs.body, 'tail')", params: {} },
    })
    await store([{ body: 'tail that was on its way', level: 'info', ago: 60_000 }])
    const begin = await view.tail(now, null, 100)
    expect(begin.lines).toEqual([])
    const came = Array.from({ length: 50 }, (_, index): Sent => ({
      body: `tail ${index}`,
      level: 'info',
      // Some SDKs hold lines back for five seconds.
      ago: (index % 5) * 1000,
    }))
    await store(came)
    const first = await view.tail(now, begin.next, 1000)
    // What was stored a moment before is told as well: it may not have been there to be listed.
    expect(first.lines.map(({ body }) => body)).toEqual([...newestFirst(came), 'tail that was on its way'])
    expect(first.skipped).toBe(0)
    const nothing = await view.tail(now, first.next, 1000)
    expect([nothing.lines, nothing.next]).toEqual([[], first.next])
    await store(came.map((line) => ({ ...line, body: `${line.body} again` })))
    const second = await view.tail(now, first.next, 20)
    expect(second.lines).toHaveLength(20)
    expect(second.skipped).toBe(30)
  })
})
