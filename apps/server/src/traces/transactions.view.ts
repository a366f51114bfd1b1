import type { ClickHouseClient } from '@clickhouse/client'
import {
  BEARABLE,
  hexOfNumber,
  hexOfUuid,
  MERGED_LATER,
  RowNumbers,
  rowsOf,
  weightOfShare,
  type Buckets,
  type Period,
  type RowFilter,
  type RowQuery,
} from '../search/index.ts'
import { LIMITS } from './limits.ts'
import { NOT_FAILED } from './span.ts'

/** Transactions by name, from `segments`. */

export interface TransactionScope {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  readonly environments: readonly string[]
  readonly period: Period
  /** Over `segments`: what is searched for. */
  readonly filter: RowFilter
}

/** Durations in milliseconds, shares from 0 to 1. Of all that there were: what a sender left out is estimated. */
export interface TransactionNumbers {
  readonly count: number
  /** Rows, however many each of them stands for. */
  readonly samples: number
  readonly failureRate: number
  readonly p50: number
  readonly p75: number
  readonly p95: number
  readonly p99: number
  readonly apdex: number
  readonly users: number
  readonly userMisery: number
  readonly total: number
}

export interface TransactionRow extends TransactionNumbers {
  readonly projectId: number
  readonly transaction: string
  readonly op: string
}

export type TransactionSort = Exclude<keyof TransactionNumbers, 'samples'> | 'transaction'

export interface TransactionPoint {
  readonly bucket: number
  /** Rows, however many each of them stands for. */
  readonly samples: number
  readonly count: number
  readonly failed: number
  readonly p50: number
  readonly p75: number
  readonly p95: number
  readonly p99: number
}

export interface SlowSample {
  readonly traceId: string
  readonly spanId: string
  readonly projectId: number
  readonly timestamp: number
  readonly duration: number
  readonly status: string
  readonly release: string
  readonly user: string
}

export interface OperationRow {
  readonly op: string
  readonly count: number
  readonly total: number
  readonly p95: number
  readonly failed: number
}

/** One transaction. */
export interface TransactionChoice {
  readonly transaction: string
  /** Null for any. */
  readonly op: string | null
}

export interface TransactionView {
  list(
    scope: TransactionScope,
    request: {
      readonly sort: TransactionSort
      readonly descending: boolean
      readonly limit: number
      readonly offset: number
    },
  ): Promise<readonly TransactionRow[]>
  /** Count, samples and p95 of these names in another period, by `keyOf`. */
  before(
    scope: TransactionScope,
    rows: readonly TransactionRow[],
  ): Promise<ReadonlyMap<string, Pick<TransactionNumbers, 'count' | 'samples' | 'p95'>>>
  numbers(scope: TransactionScope, choice: TransactionChoice): Promise<TransactionNumbers>
  series(scope: TransactionScope, choice: TransactionChoice, buckets: Buckets): Promise<readonly TransactionPoint[]>
  slowest(scope: TransactionScope, choice: TransactionChoice, limit: number): Promise<readonly SlowSample[]>
  operations(scope: TransactionScope, choice: TransactionChoice, limit: number): Promise<readonly OperationRow[]>
}

export const keyOf = ({
  projectId,
  transaction,
  op,
}: Pick<TransactionRow, 'projectId' | 'transaction' | 'op'>): string => `${projectId}\n${op}\n${transaction}`

/** A transaction that was sent twice is one. */
const SEGMENTS = 'segments FINAL'
const SPANS = 'spans FINAL'
const SETTINGS = `SETTINGS ${MERGED_LATER.join(', ')}`

/** As questions to the dataset of spans compute them: one page must not contradict another. */
const numbersOver = (table: 'segments' | 'spans') => {
  const rows = new RowNumbers(weightOfShare(`${table}.sample_rate`))
  const duration = `${table}.duration / 1000`
  const [p50, p75, p95, p99] = rows.percentiles([0.5, 0.75, 0.95, 0.99], duration)
  return {
    rows,
    duration,
    count: `${rows.count()} AS count`,
    samples: 'count() AS samples',
    failed: `${table}.status NOT IN (${NOT_FAILED.map((word) => `'${word}'`).join(', ')})`,
    total: `${rows.sum(duration)} AS total`,
    p95: `${rows.percentile(0.95, duration)} AS p95`,
    percentiles: `${p50} AS p50, ${p75} AS p75, ${p95} AS p95, ${p99} AS p99`,
  }
}

const OF_SEGMENTS = numbersOver('segments')
const OF_SPANS = numbersOver('spans')

const numbersOf = ({ rows, duration, count, samples, failed, percentiles, total }: typeof OF_SEGMENTS): string => {
  const fast = LIMITS.APDEX_THRESHOLD_MS
  const bearable = fast * BEARABLE
  const known = `segments.user != ''`
  return `${count}, ${samples}, ${rows.share(rows.rows(failed), rows.rows())} AS failureRate, ${percentiles},
  ${rows.apdex(duration, String(fast), String(bearable))} AS apdex,
  ${rows.different('segments.user', known)} AS users,
  ${rows.misery('users', rows.different('segments.user', `${known} AND ${duration} > ${bearable}`))} AS userMisery,
  ${total}`
}

const NUMBERS = numbersOf(OF_SEGMENTS)

/** A column of the answer is one of these words, never a caller's. */
const SORTED: Readonly<Record<TransactionSort, string>> = {
  transaction: 'transaction',
  count: 'count',
  failureRate: 'failureRate',
  p50: 'p50',
  p75: 'p75',
  p95: 'p95',
  p99: 'p99',
  apdex: 'apdex',
  users: 'users',
  userMisery: 'userMisery',
  total: 'total',
}

/** Columns are named with their table: an answer may have a column of the same name that is another. */
const whereOf = (scope: TransactionScope, choice: TransactionChoice | null) => {
  const conditions = [
    `segments.organization_id = {organization:UInt32}`,
    `segments.project_id IN {projects:Array(UInt64)}`,
    `segments.timestamp >= fromUnixTimestamp64Milli({from:Int64})`,
    `segments.timestamp < fromUnixTimestamp64Milli({to:Int64})`,
    `(${scope.filter.sql})`,
  ]
  const params: Record<string, unknown> = {
    ...scope.filter.params,
    organization: scope.organizationId,
    projects: scope.projectIds,
    from: scope.period.from,
    to: scope.period.to,
  }
  if (scope.environments.length > 0) {
    conditions.push(`segments.environment IN {environments:Array(String)}`)
    params['environments'] = scope.environments
  }
  if (choice !== null) {
    conditions.push(`segments.transaction = {transaction:String}`)
    params['transaction'] = choice.transaction
    if (choice.op !== null) {
      conditions.push(`segments.op = {op:String}`)
      params['op'] = choice.op
    }
  }
  return { where: conditions.join(' AND '), params }
}

export const createTransactionView = ({ client }: { readonly client: ClickHouseClient }): TransactionView => {
  const ask = rowsOf(client)
  const query: RowQuery = (sql, params) => ask(`${sql}\n${SETTINGS}`, params)
  return {
    list: async (scope, { sort, descending, limit, offset }) => {
      const { where, params } = whereOf(scope, null)
      const direction = descending ? 'DESC' : 'ASC'
      return query<TransactionRow>(
        `SELECT project_id AS projectId, transaction, op, ${NUMBERS}
        FROM ${SEGMENTS} WHERE ${where}
        GROUP BY project_id, transaction, op
        ORDER BY ${SORTED[sort]} ${direction}, total DESC, transaction, op, project_id
        LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
        { ...params, limit: limit + 1, offset },
      )
    },
    before: async (scope, rows) => {
      if (rows.length === 0) return new Map()
      const { where, params } = whereOf(scope, null)
      const found = await query<Pick<TransactionRow, 'projectId' | 'transaction' | 'op' | 'count' | 'samples' | 'p95'>>(
        `SELECT project_id AS projectId, transaction, op, ${OF_SEGMENTS.count}, ${OF_SEGMENTS.samples}, ${OF_SEGMENTS.p95}
        FROM ${SEGMENTS} WHERE ${where} AND transaction IN {names:Array(String)}
        GROUP BY project_id, transaction, op`,
        { ...params, names: [...new Set(rows.map(({ transaction }) => transaction))] },
      )
      return new Map(found.map((row) => [keyOf(row), { count: row.count, samples: row.samples, p95: row.p95 }]))
    },
    numbers: async (scope, choice) => {
      const { where, params } = whereOf(scope, choice)
      const [row] = await query<TransactionNumbers>(
        `SELECT ${NUMBERS} FROM ${SEGMENTS} WHERE ${where} HAVING count > 0`,
        params,
      )
      return row ?? NOTHING
    },
    series: async (scope, choice, { start, interval }) => {
      const { where, params } = whereOf(scope, choice)
      return query<TransactionPoint>(
        `SELECT intDiv(toUnixTimestamp(timestamp) - {start:Int64}, {interval:UInt32}) AS bucket,
          ${OF_SEGMENTS.samples}, ${OF_SEGMENTS.count}, ${OF_SEGMENTS.rows.count(OF_SEGMENTS.failed)} AS failed,
          ${OF_SEGMENTS.percentiles}
        FROM ${SEGMENTS} WHERE ${where} GROUP BY bucket ORDER BY bucket`,
        { ...params, start, interval },
      )
    },
    slowest: async (scope, choice, limit) => {
      const { where, params } = whereOf(scope, choice)
      return query<SlowSample>(
        `SELECT ${hexOfUuid('trace_id')} AS traceId, ${hexOfNumber('span_id')} AS spanId,
          project_id AS projectId, toUnixTimestamp64Milli(segments.timestamp) AS timestamp,
          segments.duration / 1000 AS duration, status, release, user
        FROM ${SEGMENTS} WHERE ${where}
        ORDER BY segments.duration DESC, span_id LIMIT 1 BY project_id, span_id LIMIT {limit:UInt32}`,
        { ...params, limit },
      )
    },
    operations: async (scope, choice, limit) => {
      const { where, params } = whereOf(scope, choice)
      return query<OperationRow>(
        `SELECT op, ${OF_SPANS.count}, ${OF_SPANS.total}, ${OF_SPANS.p95},
          ${OF_SPANS.rows.count(OF_SPANS.failed)} AS failed
        FROM ${SPANS}
        WHERE organization_id = {organization:UInt32} AND project_id IN {projects:Array(UInt64)}
          AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) - INTERVAL 1 DAY
          AND timestamp < fromUnixTimestamp64Milli({to:Int64}) + INTERVAL 1 DAY
          AND NOT is_segment
          AND (project_id, segment_id) IN (SELECT project_id, span_id FROM ${SEGMENTS} WHERE ${where})
        GROUP BY op ORDER BY total DESC, op LIMIT {limit:UInt32}`,
        { ...params, limit },
      )
    },
  }
}

const NOTHING: TransactionNumbers = {
  count: 0,
  samples: 0,
  failureRate: 0,
  p50: 0,
  p75: 0,
  p95: 0,
  p99: 0,
  apdex: 0,
  users: 0,
  userMisery: 0,
  total: 0,
}
