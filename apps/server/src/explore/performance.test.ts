import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { compileTransactionSearch } from '../traces/transaction-search.ts'
import { createTransactionView, type TransactionView } from '../traces/transactions.view.ts'
import { createServices, FROM, HOUR, rowOf, tableOf, type Ask, type SampleSpan } from './test/sample-spans.ts'

/** Two pages that tell the same numbers: Performance, from `segments`, and Explore, from `spans`. */

const FIELDS = {
  count: 'count()',
  failureRate: 'failure_rate()',
  p50: 'p50()',
  p75: 'p75()',
  p95: 'p95()',
  p99: 'p99()',
  apdex: 'apdex(300)',
  users: 'count_unique(user)',
  userMisery: 'user_misery(300)',
  total: 'sum(span.duration)',
} as const

const OF_SEGMENTS = [
  'organization_id',
  'project_id',
  'timestamp',
  'trace_id',
  'span_id',
  'transaction',
  'op',
  'status',
  'duration',
  'environment',
  'user',
  'sample_rate',
] as const

const foundBy = (text: string) => {
  const filter = compileTransactionSearch(text, [{ id: 1, slug: 'shop' }], FROM)
  if (!filter.ok) throw new Error(filter.error.message)
  return filter.value
}

describe.each(TELEMETRY_ENGINES)('numbers of transactions on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let view: TransactionView
  let ask: Ask
  beforeAll(async () => {
    opened = await open()
    view = createTransactionView({ client: opened.telemetry.client })
    ask = tableOf(createServices(opened))
  })
  afterAll(() => opened.close())

  /** Each a root, as the digest stores it: a row of both tables. */
  const insert = async (samples: readonly SampleSpan[]): Promise<void> => {
    const rows = samples.map((sample) => rowOf({ ...sample, op: 'http.server', isSegment: true }))
    const segments = rows.map((row) => Object.fromEntries(OF_SEGMENTS.map((column) => [column, row[column]])))
    await opened.telemetry.client.insert({ table: 'spans', values: rows, format: 'JSONEachRow' })
    await opened.telemetry.client.insert({ table: 'segments', values: segments, format: 'JSONEachRow' })
  }

  const samplesOf = (transaction: string, rateOf: (index: number) => number): SampleSpan[] =>
    Array.from({ length: 200 }, (_, index) => ({
      transaction,
      duration: 20 + ((index * 7919) % 2000),
      status: index % 8 === 0 ? 'internal_error' : 'ok',
      user: index % 5 === 0 ? '' : `id:${index % 37}`,
      rate: rateOf(index),
    }))

  const bothOf = async (transaction: string) => {
    const scope = {
      organizationId: 1,
      projectIds: [1],
      environments: [],
      period: { from: FROM, to: FROM + HOUR },
      filter: foundBy(`transaction:${transaction}`),
    }
    const asked = { sort: 'count', descending: true, limit: 10, offset: 0 } as const
    const [listed] = await view.list(scope, asked)
    const numbers = await view.numbers(scope, { transaction, op: null })
    const { rows } = await ask({
      dataset: 'transactions',
      field: Object.values(FIELDS),
      query: `transaction:${transaction}`,
    })
    const explored = Object.fromEntries(Object.entries(FIELDS).map(([name, field]) => [name, Number(rows[0]?.[field])]))
    return { listed, numbers, explored }
  }

  const alike = (found: object | undefined, explored: Readonly<Record<string, number>>): void => {
    const numbers = Object.entries(found ?? {}).filter(([name]) => Object.hasOwn(FIELDS, name))
    expect(numbers).toHaveLength(Object.keys(FIELDS).length)
    for (const [name, value] of numbers) expect(value, name).toBeCloseTo(explored[name] ?? NaN, 6)
  }

  it('T35, T36, T37: with a tenth kept, Performance and Explore say the same of all that there were', async () => {
    await insert(samplesOf('/tenth', () => 0.1))
    const { listed, numbers, explored } = await bothOf('/tenth')
    expect(numbers).toMatchObject({ count: 2000, failureRate: 0.125, users: 37 })
    alike(listed, explored)
    alike(numbers, explored)
  })

  it('T35, T36, T37: and so they do when some senders keep all and others one of a hundred', async () => {
    await insert(samplesOf('/mixed', (index) => [1, 0.1, 0.01, 0.3][index % 4] ?? 1))
    const { listed, numbers, explored } = await bothOf('/mixed')
    // What 50 rows of each stand for.
    expect(numbers.count).toBe(Math.round(50 * (1 + 10 + 100 + 3.333)))
    alike(listed, explored)
    alike(numbers, explored)
  })

  it('a chart, what was before, and the operations within count what rows stand for, too', async () => {
    const scope = {
      organizationId: 1,
      projectIds: [1],
      environments: [],
      period: { from: FROM, to: FROM + HOUR },
      filter: foundBy('/within'),
    }
    const choice = { transaction: '/within', op: null }
    await insert([{ transaction: '/within', duration: 100, rate: 0.1, status: 'internal_error' }])
    const [slow] = await view.slowest(scope, choice, 1)
    const inner = rowOf({ transaction: '/within', duration: 40, op: 'db', rate: 0.1, status: 'internal_error' })
    const segment = BigInt(`0x${slow?.spanId ?? '0'}`).toString()
    await opened.telemetry.client.insert({
      table: 'spans',
      values: [{ ...inner, segment_id: segment }],
      format: 'JSONEachRow',
    })
    expect(await view.series(scope, choice, { start: FROM / 1000, interval: 60, count: 60 })).toMatchObject([
      { bucket: 0, count: 10, failed: 10, p50: 100 },
    ])
    expect(await view.operations(scope, choice, 10)).toMatchObject([{ op: 'db', count: 10, failed: 10, total: 400 }])
    const rows = await view.list(scope, { sort: 'count', descending: true, limit: 10, offset: 0 })
    expect([...(await view.before(scope, rows)).values()]).toEqual([{ count: 10, samples: 1, p95: 100 }])
  })
})
