import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { compileTransactionSearch } from './transaction-search.ts'
import { createTransactionView, type TransactionView } from './transactions.view.ts'

const FROM = Date.parse('2026-11-20T12:00:00.000Z')
const HOUR = 3_600_000

interface Sample {
  readonly transaction: string
  /** Milliseconds. */
  readonly duration: number
  readonly at?: number
  readonly status?: string
  readonly user?: string
  readonly environment?: string
  readonly project?: number
  readonly op?: string
  readonly release?: string
  readonly rate?: number
}

let ids = 0

const PROJECTS = [
  { id: 1, slug: 'shop' },
  { id: 2, slug: 'warehouse' },
]

const found = (text: string) => {
  const filter = compileTransactionSearch(text, PROJECTS, FROM + HOUR)
  if (!filter.ok) throw new Error(filter.error.message)
  return filter.value
}

describe.each(TELEMETRY_ENGINES)('transactions on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let view: TransactionView
  beforeAll(async () => {
    opened = await open()
    view = createTransactionView({ client: opened.telemetry.client })
  })
  afterAll(() => opened.close())

  const insert = async (table: string, rows: readonly object[]): Promise<void> => {
    await opened.telemetry.client.insert({ table, values: rows, format: 'JSONEachRow' })
  }
  const rowOf = (sample: Sample) => {
    const {
      transaction,
      duration,
      at = FROM,
      status = 'ok',
      user = '',
      environment = 'production',
      project = 1,
      op = 'http.server',
      release = '',
      rate = 1,
    } = sample
    ids += 1
    return {
      organization_id: 1,
      project_id: project,
      // As the engine counts it.
      timestamp: at,
      trace_id: ids.toString(16).padStart(32, '2'),
      span_id: String(ids),
      transaction,
      op,
      release,
      status,
      duration: Math.round(duration * 1000),
      user,
      environment,
      sample_rate: rate,
    }
  }
  const scope = (more: object = {}) => ({
    organizationId: 1,
    projectIds: [1],
    environments: [],
    period: { from: FROM, to: FROM + HOUR },
    filter: found(''),
    ...more,
  })
  const choose = (transaction: string) => ({ transaction, op: null })

  it('T35, T36, T37: every number of a transaction, against one computed by hand', async () => {
    // Two fast, two tolerable, one unbearable, of three people; one failed, one was left, one says nothing.
    await insert('segments', [
      rowOf({ transaction: 'by hand', duration: 100, user: 'id:1' }),
      rowOf({ transaction: 'by hand', duration: 300, user: 'id:2', status: 'cancelled' }),
      rowOf({ transaction: 'by hand', duration: 301, user: 'id:3', status: '' }),
      rowOf({ transaction: 'by hand', duration: 1200, user: '', status: 'internal_error' }),
      rowOf({ transaction: 'by hand', duration: 1201, user: 'id:1', status: 'unknown' }),
    ])
    const numbers = await view.numbers(scope(), choose('by hand'))
    expect(numbers).toMatchObject({ count: 5, failureRate: 0.2, apdex: (2 + 2 / 2) / 5, users: 3, total: 3102 })
    expect(numbers.userMisery).toBeCloseTo((1 + 5.8875) / (3 + 5.8875 + 111.8625), 6)
    expect(numbers.p50).toBeCloseTo(301, 0)
    expect(numbers.p99).toBeGreaterThan(1200)
    expect(numbers.p99).toBeLessThanOrEqual(1201)
  })

  it('T35: percentiles of 10,000 are those of the sorted list, within a hundredth', async () => {
    const durations = Array.from({ length: 10_000 }, (_, index) => 10 + ((index * 7919) % 10_000) / 10)
    await insert(
      'segments',
      durations.map((duration) => rowOf({ transaction: 'many', duration })),
    )
    const sorted = durations.toSorted((one, other) => one - other)
    const numbers = await view.numbers(scope(), choose('many'))
    for (const [share, found] of [
      [0.5, numbers.p50],
      [0.75, numbers.p75],
      [0.95, numbers.p95],
      [0.99, numbers.p99],
    ] as const) {
      const wanted = sorted[Math.floor(share * sorted.length)] ?? 0
      expect(Math.abs(found - wanted) / wanted).toBeLessThan(0.01)
    }
  })

  it('T40 what stands for others says from how many samples it is', async () => {
    await insert('segments', [
      rowOf({ transaction: 'one of a hundred', duration: 400, rate: 0.01 }),
      rowOf({ transaction: 'one of a hundred', duration: 90, rate: 0.01, at: FROM - 1 }),
    ])
    const asked = scope({ filter: found('"one of a hundred"') })
    const [listed] = await view.list(asked, { sort: 'count', descending: true, limit: 10, offset: 0 })
    expect(listed).toMatchObject({ count: 100, samples: 1 })
    expect(await view.numbers(asked, choose('one of a hundred'))).toMatchObject({ count: 100, samples: 1 })
    const earlier = { ...asked, period: { from: FROM - HOUR, to: FROM } }
    expect([...(await view.before(earlier, [listed ?? never()])).values()]).toMatchObject([{ count: 100, samples: 1 }])
  })

  it('T6: one that was sent twice counts once, everywhere', async () => {
    const row = rowOf({ transaction: 'twice', duration: 50 })
    for (let time = 0; time < 2; time += 1) await insert('segments', [row])
    const span = { ...row, segment_id: row.span_id, is_segment: false, span_id: '987654', op: 'db', name: 'SELECT 1' }
    const { user, ...rest } = span
    for (let time = 0; time < 2; time += 1) await insert('spans', [{ ...rest, user }])
    const asked = scope({ filter: found('twice') })
    const [listed] = await view.list(asked, { sort: 'count', descending: true, limit: 10, offset: 0 })
    expect(listed).toMatchObject({ count: 1, total: 50 })
    expect(await view.numbers(asked, choose('twice'))).toMatchObject({ count: 1 })
    expect(await view.series(asked, choose('twice'), { start: FROM / 1000, interval: 60, count: 60 })).toMatchObject([
      { bucket: 0, count: 1 },
    ])
    expect(await view.operations(asked, choose('twice'), 10)).toMatchObject([{ op: 'db', count: 1 }])
    expect(await view.slowest(asked, choose('twice'), 10)).toHaveLength(1)
    expect([...(await view.before(asked, [listed ?? never()])).values()]).toMatchObject([{ count: 1 }])
  })

  it('lists by any number, up and down, a page at a time, and only what is asked for', async () => {
    await insert('segments', [
      rowOf({ transaction: '/page/Slow', duration: 900 }),
      rowOf({ transaction: '/page/often', duration: 10 }),
      rowOf({ transaction: '/page/often', duration: 20, status: 'error' }),
      rowOf({ transaction: '/page/staging', duration: 5, environment: 'staging' }),
      rowOf({ transaction: '/page/before', duration: 5, at: FROM - 1 }),
      rowOf({ transaction: '/page/elsewhere', duration: 5, project: 2 }),
    ])
    const names = async (
      sort: 'p95' | 'count' | 'failureRate' | 'transaction',
      descending: boolean,
      more: object = {},
    ) =>
      (await view.list(scope({ filter: found('/page/'), ...more }), { sort, descending, limit: 10, offset: 0 })).map(
        ({ transaction }) => transaction,
      )
    expect(await names('p95', true)).toEqual(['/page/Slow', '/page/often', '/page/staging'])
    expect(await names('p95', false)).toEqual(['/page/staging', '/page/often', '/page/Slow'])
    expect((await names('count', true))[0]).toBe('/page/often')
    expect((await names('failureRate', true))[0]).toBe('/page/often')
    expect(await names('transaction', false, { environments: ['staging'] })).toEqual(['/page/staging'])
    expect(await names('transaction', false, { filter: found('slow') })).toEqual(['/page/Slow'])
    expect(await names('transaction', false, { projectIds: [2] })).toEqual(['/page/elsewhere'])
    const second = await view.list(scope({ filter: found('/page/') }), {
      sort: 'transaction',
      descending: false,
      limit: 1,
      offset: 1,
    })
    expect(second.map(({ transaction }) => transaction)).toEqual(['/page/often', '/page/staging'])
  })

  it('T44: are found by what their roots say, also by what only spans have kept', async () => {
    const roots = [
      rowOf({ transaction: '/found/a', duration: 10, op: 'pageload', release: 'shop@1.0', user: 'id:1' }),
      rowOf({ transaction: '/found/a', duration: 700, op: 'pageload', release: 'shop@2.0' }),
      rowOf({ transaction: '/found/b', duration: 20, release: 'shop@2.0', status: 'error', project: 2 }),
    ]
    const [first, , last] = roots
    await insert('segments', roots)
    await insert('spans', [
      { ...first, is_segment: true, segment_id: first?.span_id, strings: { 'cart.kind': 'gift' } },
      { ...last, is_segment: true, segment_id: last?.span_id, numbers: { 'cart.lines': 7 } },
      // Below a root: what it says is not what the transaction says.
      { ...last, is_segment: false, segment_id: last?.span_id, span_id: '4242', strings: { 'cart.kind': 'gift' } },
    ])
    const countsOf = async (text: string) => {
      const asked = scope({ projectIds: [1, 2], filter: found(`/found/ ${text}`) })
      const rows = await view.list(asked, { sort: 'transaction', descending: false, limit: 10, offset: 0 })
      return rows.map(({ transaction, count }) => `${transaction} ${count}`)
    }
    expect(await countsOf('')).toEqual(['/found/a 2', '/found/b 1'])
    expect(await countsOf('span.op:pageload')).toEqual(['/found/a 2'])
    expect(await countsOf('release:[shop@2.0,shop@3.0]')).toEqual(['/found/a 1', '/found/b 1'])
    expect(await countsOf('transaction:*FOUND/B*')).toEqual(['/found/b 1'])
    expect(await countsOf('transaction:/FOUND/B')).toEqual([])
    expect(await countsOf('(span.duration:>500ms OR span.status:error)')).toEqual(['/found/a 1', '/found/b 1'])
    expect(await countsOf('project:warehouse')).toEqual(['/found/b 1'])
    expect(await countsOf('!has:user')).toEqual(['/found/a 1', '/found/b 1'])
    expect(await countsOf('cart.kind:gift')).toEqual(['/found/a 1'])
    expect(await countsOf('tags[cart.lines,number]:>5 release:shop@2.0')).toEqual(['/found/b 1'])
  })

  it('are not found by what is about all runs of a transaction', () => {
    const refused = (text: string) => {
      const filter = compileTransactionSearch(text, PROJECTS, FROM)
      return filter.ok ? null : filter.error.message
    }
    expect(refused('p95():>1s')).toContain('Sort the list by a column')
    expect(refused('spans.db:>1s')).toContain('sum(span.duration) by span.category')
    expect(refused('span.duration:slow')).toContain('is not a number')
    expect(refused('release:')).toContain('has no value')
    for (const negated of ['NOT orders', '!orders', 'cart -orders', 'NOT (orders OR cart)']) {
      expect(refused(negated), negated).toContain('!transaction:*word*')
    }
    expect(refused('orders or cart')).toContain('OR in capitals')
    expect(['orders OR cart', '"or" "-x"', 'or', 'order-or-cart', 'NOTES'].map(refused)).toEqual(Array(5).fill(null))
    expect(refused('release:latest')).toContain('Name it')
    expect(refused('project:[shop,warehouse]')).toBeNull()
    expect(refused('project:ware*')).toBeNull()
    expect(refused('project:[shop,other]')).toContain('Project(s) other do not exist')
  })

  it('has its slowest samples first, and points where something was', async () => {
    await insert('segments', [
      rowOf({ transaction: 'over time', duration: 10 }),
      rowOf({ transaction: 'over time', duration: 30, at: FROM + 61_000, status: 'error' }),
      rowOf({ transaction: 'over time', duration: 20, at: FROM + 62_000 }),
    ])
    const slowest = await view.slowest(scope(), choose('over time'), 2)
    expect(slowest.map(({ duration, timestamp }) => [duration, timestamp - FROM])).toEqual([
      [30, 61_000],
      [20, 62_000],
    ])
    expect(
      await view.series(scope(), choose('over time'), { start: FROM / 1000, interval: 60, count: 60 }),
    ).toMatchObject([
      { bucket: 0, count: 1, failed: 0, p50: 10 },
      { bucket: 1, count: 2, failed: 1 },
    ])
    expect(await view.numbers(scope(), choose('unheard of'))).toMatchObject({ count: 0, p95: 0 })
  })
})

const never = (): never => {
  throw new Error('the list is empty')
}
