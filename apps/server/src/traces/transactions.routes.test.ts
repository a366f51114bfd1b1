import { getTransaction, listTransactions } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { callRoute } from '../explore/test/call.ts'
import { saveFile } from '../explore/test/save.ts'
import type { Buckets } from '../search/index.ts'
import type { TraceServices } from './trace-services.ts'
import { createTransactionRoutes } from './transactions.routes.ts'
import type { TransactionRow, TransactionScope } from './transactions.view.ts'

const NAMES = 25_000

const row = (index: number): TransactionRow => ({
  projectId: 1,
  transaction: `/${index}`,
  op: 'http.server',
  count: 1,
  samples: 1,
  failureRate: 0,
  p50: 1,
  p75: 1,
  p95: 1,
  p99: 1,
  apdex: 1,
  users: 0,
  userMisery: 0,
  total: 1,
})

const services = {
  projects: async () => [{ id: 1, slug: 'shop' }],
  clock: { now: () => Date.parse('2026-11-20T12:00:00.000Z') },
  transactions: {
    list: async (_: unknown, { limit, offset }: { readonly limit: number; readonly offset: number }) =>
      Array.from({ length: Math.max(0, Math.min(limit + 1, NAMES - offset)) }, (_, index) => row(offset + index)),
    before: async () => new Map(),
    numbers: async () => row(1),
    slowest: async () => [],
    operations: async () => [],
    /** One sample in a minute of each hour, and of the name `often` a thousand. */
    series: async (_: unknown, { transaction }: { readonly transaction: string }, { interval, count }: Buckets) =>
      Array.from({ length: Math.min(24, count) }, (__, hour) => ({
        bucket: transaction === 'ahead' ? count - 1 : Math.floor((hour * 3600) / interval),
        samples: transaction === 'often' ? 1000 : 1,
        count: 1,
        failed: 0,
        p50: 1,
        p75: 1,
        p95: 1,
        p99: 1,
      })),
  },
} as unknown as TraceServices

describe('pages of transactions', () => {
  const routes = createTransactionRoutes(services)

  it('never repeat: who follows them is told where they end', async () => {
    const seen = new Set<string>()
    const follow = async (): Promise<void> => {
      for (let cursor: string | null = '0:0:0'; cursor !== null;) {
        const { body, next }: Awaited<ReturnType<typeof page>> = await page(cursor)
        for (const { transaction } of body.transactions) {
          expect(seen.has(transaction), `${transaction} for the second time`).toBe(false)
          seen.add(transaction)
        }
        cursor = next
      }
    }
    const page = (cursor: string) => callRoute(routes, listTransactions, { query: { cursor, limit: '100' } })
    await expect(follow()).rejects.toThrow('Transactions beyond the first 10000 cannot be listed.')
    expect(seen.size).toBe(10_100)
  })

  it('T50 are one file with all of them, each once', async () => {
    const { text, headers } = await saveFile(routes, listTransactions, { format: 'csv', statsPeriod: '24h' })
    const [head, ...lines] = text.trimEnd().split('\r\n')
    expect(headers['content-disposition']).toBe('attachment; filename="transactions.csv"')
    expect(head).toMatch(/^transaction,op,projectSlug,count,/)
    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(NAMES)
    expect(lines[7]).toMatch(/^\/7,http\.server,shop,1,/)
    const json = await saveFile(routes, listTransactions, { format: 'json', statsPeriod: '24h' })
    const shown = await callRoute(routes, listTransactions, { query: { statsPeriod: '24h', limit: '100' } })
    const saved = JSON.parse(json.text) as { readonly data: readonly object[] }
    expect(saved.data.slice(0, 100)).toEqual(shown.body.transactions)
    expect(saved).toMatchObject({ meta: { apdexThreshold: 300, truncated: false } })
  })
})

describe('the chart of a transaction', () => {
  const stepOf = async (transaction: string): Promise<number> => {
    const asked = { query: { transaction, statsPeriod: '24h' } }
    return (await callRoute(createTransactionRoutes(services), getTransaction, asked)).body.interval
  }

  it('has longer steps when there are too few samples for a percentile of each', async () => {
    expect([await stepOf('often'), await stepOf('rarely')]).toEqual([900, 3600])
  })

  it('ends with the step that has begun last, unless a clock that is ahead sent something', async () => {
    const lastOf = async (transaction: string): Promise<string> => {
      const asked = { query: { transaction, statsPeriod: '24h' } }
      const { series } = (await callRoute(createTransactionRoutes(services), getTransaction, asked)).body
      return new Date((series.at(-1)?.at ?? 0) * 1000).toISOString()
    }
    expect(await lastOf('often')).toBe('2026-11-20T11:45:00.000Z')
    expect(await lastOf('ahead')).toBe('2026-11-20T12:00:00.000Z')
  })
})

describe('what is asked of transactions', () => {
  const routes = createTransactionRoutes(services)

  it('T45 is of one time: not of a period and of times besides', async () => {
    const times = { statsPeriod: '24h', start: '2026-11-19T00:00:00', end: '2026-11-20T00:00:00' }
    const refusal = 'Use either statsPeriod or start and end, not both.'
    await expect(callRoute(routes, listTransactions, { query: times })).rejects.toThrow(refusal)
    await expect(callRoute(routes, getTransaction, { query: { ...times, transaction: 'a' } })).rejects.toThrow(refusal)
  })

  it('is sorted by a number that there is', async () => {
    const asked = callRoute(routes, listTransactions, { query: { sort: '-nosuch' } })
    await expect(asked).rejects.toThrow('sorted by one of: transaction, count, failureRate')
  })

  it('is of the runs that a search finds, for one transaction as for all', async () => {
    const asked: string[] = []
    const numbers = async ({ filter }: TransactionScope) => {
      asked.push(...Object.values(filter.params).map(String))
      return row(1)
    }
    const listening = { ...services, transactions: { ...services.transactions, numbers } }
    const query = { transaction: '/1', query: 'release:shop@1.0.0' }
    await callRoute(createTransactionRoutes(listening), getTransaction, { query })
    expect(asked).toContain('shop@1.0.0')
  })
})
