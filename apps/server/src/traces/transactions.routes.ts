import {
  getTransaction,
  listTransactions,
  TRANSACTION_SORTS,
  type FileFormat,
  type QueryOutput,
  type TransactionSummary,
} from '@firsthand/contract'
import { readScope, type ProjectReference, type ScopeQuery } from '../accounts/index.ts'
import { badRequest, bind, orBadRequest, readPage, saveTable, toPage, type Route } from '../http/index.ts'
import { toDate } from '../lib/instant-text.ts'
import type { OffsetPage } from '../lib/offset-page.ts'
import { type Buckets, lastDays, readInterval, unlessTooLarge, type Period } from '../search/index.ts'
import { LIMITS } from './limits.ts'
import type { TraceServices } from './trace-services.ts'
import { compileTransactionSearch } from './transaction-search.ts'
import {
  keyOf,
  type TransactionChoice,
  type TransactionNumbers,
  type TransactionPoint,
  type TransactionScope,
  type TransactionSort,
} from './transactions.view.ts'

/** Transactions by name, and one of them. */
export const createTransactionRoutes = (services: TraceServices): Route[] => [
  listTransactionsRoute(services),
  getTransactionRoute(services),
]

/** @throws HttpError 400 */
const readTransactionScope = async (
  services: TraceServices,
  organizationId: number,
  query: ScopeQuery,
  search = '',
): Promise<{ readonly scope: TransactionScope; readonly projects: readonly ProjectReference[] }> => {
  if (query.statsPeriod !== undefined && (query.start !== undefined || query.end !== undefined)) {
    throw badRequest('Use either statsPeriod or start and end, not both.')
  }
  const now = services.clock.now()
  const asked = orBadRequest(await readScope(services, organizationId, query, now))
  const filter = compileTransactionSearch(search, asked.projects, now)
  if (!filter.ok) throw badRequest(filter.error.message)
  return {
    projects: asked.projects,
    scope: {
      organizationId,
      projectIds: asked.projectIds,
      environments: asked.environments,
      period: asked.period ?? lastDays(now, 1),
      filter: filter.value,
    },
  }
}

/** A period that ends now goes a little beyond, for clocks that are ahead. */
const minutesOf = ({ from, to }: Period, now: number): number => Math.max(1, (Math.min(to, now) - from) / 60_000)

const numbersJson = (numbers: TransactionNumbers, minutes: number) => {
  const { count } = numbers
  return {
    ...numbers,
    perMinute: count / minutes,
    failureRate: count === 0 ? null : numbers.failureRate,
    apdex: count === 0 ? null : numbers.apdex,
  }
}

const readSort = (text: string | undefined): { readonly sort: TransactionSort; readonly descending: boolean } => {
  const descending = text === undefined || text.startsWith('-')
  const name = text?.replace(/^-/, '')
  return { sort: TRANSACTION_SORTS.find((sort) => sort === name) ?? 'total', descending }
}

type TransactionsQuery = QueryOutput<typeof listTransactions>

/** Pages of the list, all of one time. */
const transactionPages = async (services: TraceServices, organizationId: number, query: TransactionsQuery) => {
  const { scope, projects } = await readTransactionScope(services, organizationId, query, query.query)
  const length = scope.period.to - scope.period.from
  const earlier = { from: scope.period.from - length, to: scope.period.from }
  const slugs = new Map(projects.map(({ id, slug }) => [id, slug]))
  const minutes = minutesOf(scope.period, services.clock.now())
  return async (asked: OffsetPage) => {
    const list = services.transactions.list(scope, { ...readSort(query.sort), ...asked })
    const found = await unlessTooLarge(list, scope.period)
    const { rows, page } = toPage(found, asked)
    const before = await services.transactions.before({ ...scope, period: earlier }, rows)
    const transactions = rows.map((row) => {
      const { projectId, transaction, op, ...numbers } = row
      return {
        ...numbersJson(numbers, minutes),
        transaction,
        op,
        projectId: String(projectId),
        projectSlug: slugs.get(projectId) ?? '',
        before: before.get(keyOf(row)) ?? null,
      }
    })
    return { body: { apdexThreshold: LIMITS.APDEX_THRESHOLD_MS, transactions }, page }
  }
}

const listTransactionsRoute = (services: TraceServices): Route =>
  bind(listTransactions, async ({ query, request }) => {
    const read = await transactionPages(services, request.organization.id, query)
    if (query.format !== undefined) return saveTransactions(read, query.format, request.signal)
    const asked = readPage(query)
    if (asked.offset > LIMITS.TRANSACTIONS_OFFSET) {
      throw badRequest(
        `Transactions beyond the first ${LIMITS.TRANSACTIONS_OFFSET} cannot be listed. Search for a part of the name.`,
      )
    }
    return read(asked)
  })

const COLUMNS = [
  'transaction',
  'op',
  'projectSlug',
  'count',
  'samples',
  'perMinute',
  'failureRate',
  'p50',
  'p75',
  'p95',
  'p99',
  'apdex',
  'users',
  'userMisery',
  'total',
  'before.count',
  'before.p95',
]

const saveTransactions = (
  read: Awaited<ReturnType<typeof transactionPages>>,
  format: FileFormat,
  signal: AbortSignal,
) => {
  const table = { name: 'transactions', format, columns: COLUMNS, signal }
  return saveTable<TransactionSummary>(
    {
      ...table,
      cellsOf: ({ before, ...row }) => ({ ...row, 'before.count': before?.count, 'before.p95': before?.p95 }),
    },
    async (cursor, limit) => {
      const { body, page } = await read({ ...readPage({ cursor: cursor ?? undefined }), limit })
      const { transactions: rows, ...meta } = body
      return { rows, meta, next: page.next }
    },
  )
}

/** In fewer and longer steps when there are few samples: percentiles of one or two only jump. */
const tellingSeries = async (
  { transactions }: TraceServices,
  scope: TransactionScope,
  choice: TransactionChoice,
): Promise<{ readonly buckets: Buckets; readonly points: readonly TransactionPoint[] }> => {
  const buckets = readInterval(undefined, scope.period, LIMITS.TRANSACTION_BUCKETS)
  const points = await transactions.series(scope, choice, buckets)
  const samples = points.reduce((sum, point) => sum + point.samples, 0)
  const steps = Math.max(LIMITS.TRANSACTION_BUCKETS_FEW, Math.floor(samples / LIMITS.TRANSACTION_STEP_SAMPLES))
  const longer = readInterval(undefined, scope.period, Math.min(LIMITS.TRANSACTION_BUCKETS, steps))
  if (samples === 0 || longer.interval <= buckets.interval) return { buckets, points }
  return { buckets: longer, points: await transactions.series(scope, choice, longer) }
}

/** Steps that have begun; later ones only when a clock that is ahead put something into them. */
const begunSteps = ({ start, interval, count }: Buckets, points: readonly TransactionPoint[], now: number): number => {
  const begun = Math.ceil((now / 1000 - start) / interval)
  return Math.min(
    count,
    points.reduce((most, { bucket }) => Math.max(most, bucket + 1), Math.max(1, begun)),
  )
}

const getTransactionRoute = (services: TraceServices): Route =>
  bind(getTransaction, async ({ query, request }) => {
    const { scope } = await readTransactionScope(services, request.organization.id, query, query.query)
    const { transactions, clock } = services
    const choice = { transaction: query.transaction, op: query.op ?? null }
    const [numbers, { buckets, points }, slowest, operations] = await Promise.all([
      transactions.numbers(scope, choice),
      tellingSeries(services, scope, choice),
      transactions.slowest(scope, choice, query.samples ?? 10),
      transactions.operations(scope, choice, LIMITS.TRANSACTION_OPERATIONS),
    ])
    const byBucket = new Map(points.map((point) => [point.bucket, point]))
    return {
      body: {
        apdexThreshold: LIMITS.APDEX_THRESHOLD_MS,
        summary: numbersJson(numbers, minutesOf(scope.period, clock.now())),
        interval: buckets.interval,
        series: Array.from({ length: begunSteps(buckets, points, clock.now()) }, (_, index) => {
          const point = byBucket.get(index)
          return {
            at: buckets.start + index * buckets.interval,
            count: point?.count ?? 0,
            failed: point?.failed ?? 0,
            p50: point?.p50 ?? null,
            p75: point?.p75 ?? null,
            p95: point?.p95 ?? null,
            p99: point?.p99 ?? null,
          }
        }),
        slowest: slowest.map(({ projectId, timestamp, ...sample }) => ({
          ...sample,
          projectId: String(projectId),
          timestamp: toDate(timestamp),
        })),
        operations: [...operations],
      },
    }
  })
