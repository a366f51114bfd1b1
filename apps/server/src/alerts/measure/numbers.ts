import type { ClickHouseClient } from '@clickhouse/client'
import { readQuestion } from '../../explore/index.ts'
import type { ProjectReference } from '../../accounts/index.ts'
import type { Ask } from '../../lib/questions.ts'
import { orUnanswerable } from '../../lib/unanswerable.ts'
import { unlessTooLarge, type Dataset, type Parameters } from '../../search/index.ts'
import type { Batch, OwnRows } from './batch.ts'
import { celledRows } from './cells.ts'
import { LIMITS } from '../limits.ts'
import { columnsOf } from './shape.ts'
import { numbersSql, type Numbers } from './statement.ts'
import { around, type Windows } from './windows.ts'

/** What telemetry answers for a batch of rules. */

/** Numbers of a group in a window. */
export interface NumberRow {
  /** Number of the window, from 1; `OLD_SLOT` for what came too late to count. */
  readonly slot: number
  readonly cell: number
  readonly group: readonly string[]
  /** By the batch's aggregates. */
  readonly values: readonly (number | null)[]
  /** Rows that they are computed from. */
  readonly sampled: number
}

export interface NumbersAnswer {
  readonly rows: readonly NumberRow[]
  /** Rows that were read for it, and how long telemetry worked on it: what waits on a busy machine takes nothing. */
  readonly readRows: number
  readonly milliseconds: number
}

export interface NumbersRequest {
  readonly windows: Windows
  readonly countsOld?: boolean
  /** Rules that share it have more rows to read together than one has by itself. */
  readonly budget?: { readonly seconds: number; readonly rows: number }
}

export interface NumbersParts {
  readonly client: Pick<ClickHouseClient, 'query'>
  readonly ask: Ask
  /** Living ones of an organisation. */
  readonly projects: (organizationId: number) => Promise<readonly ProjectReference[]>
}

type JsonRow = Readonly<Record<string, unknown>>

const DAY_MS = 24 * 60 * 60_000

export const SHARED_BUDGET = { seconds: LIMITS.MEASURE_SHARED_SECONDS, rows: LIMITS.MEASURE_SHARED_ROWS }
export const OWN_BUDGET = { seconds: LIMITS.MEASURE_OWN_SECONDS, rows: LIMITS.MEASURE_OWN_ROWS }

export type AskNumbers = (batch: Batch, request: NumbersRequest) => Promise<NumbersAnswer>

export const createNumbers = (parts: NumbersParts): AskNumbers => {
  const statementOf = async (batch: Batch, request: NumbersRequest): Promise<Statement> =>
    batch.own === null ? sharedStatement(batch, request) : ownStatement(parts, batch, batch.own, request)
  return async (batch, request) => {
    const { dataset, parameters, sql } = await statementOf(batch, request)
    const { rows, seconds } = request.budget ?? (batch.own === null ? SHARED_BUDGET : OWN_BUDGET)
    const settings = [
      ...dataset.settings,
      'max_threads = 1',
      `max_execution_time = ${seconds}`,
      `max_rows_to_read = ${rows}`,
      "read_overflow_mode = 'throw'",
      `max_memory_usage = ${LIMITS.MEASURE_MEMORY_BYTES}`,
      `max_rows_to_group_by = ${LIMITS.MEASURE_STATEMENT_GROUPS}`,
      "group_by_overflow_mode = 'throw'",
    ]
    const result = await unlessTooLarge(
      parts.client.query({
        query: `${sql}\nSETTINGS ${settings.join(', ')}`,
        query_params: { ...parameters.values },
        clickhouse_settings: { max_query_size: String(LIMITS.MEASURE_STATEMENT_BYTES) },
        // It says how many rows were read.
        format: 'JSON',
      }),
      around(request.windows),
    )
    const found = await unlessTooLarge(result.json<JsonRow>(), around(request.windows))
    return {
      rows: found.data.map((row) => numberRow(row, batch)),
      readRows: found.statistics?.rows_read ?? 0,
      milliseconds: (found.statistics?.elapsed ?? 0) * 1000,
    }
  }
}

const numberRow = (row: JsonRow, { aggregates, by }: Batch): NumberRow => ({
  slot: Number(row['slot']),
  cell: Number(row['cell']),
  group: by.map((_, index) => String(row[`v${index}`])),
  values: aggregates.map((_, index) => {
    const value = row[`a${index}`]
    return value === null || value === undefined ? null : Number(value)
  }),
  sampled: Number(row['sampled']),
})

interface Statement {
  readonly dataset: Dataset
  readonly sql: string
  readonly parameters: Parameters
}

type Common = Pick<Numbers, 'windows' | 'first'> & { readonly countsOld?: boolean }

const commonOf = ({ first }: Batch, { windows, countsOld }: NumbersRequest): Common => ({
  windows,
  first,
  ...(countsOld === true && { countsOld }),
})

const sharedStatement = (batch: Batch, request: NumbersRequest): Statement => {
  const { aggregates, by, cells, dataset, name, windowMinutes } = batch
  const { columns, parameters } = orUnanswerable(columnsOf(dataset, name, [...aggregates, ...by], windowMinutes * 60))
  const { bind } = parameters
  const rows = celledRows(dataset, cells, bind)
  const only = dataset.names.find((one) => one.name === name)?.only
  const sql = numbersSql({
    ...commonOf(batch, request),
    dataset,
    from: rows.from,
    where: only === undefined ? rows.where : `${rows.where} AND ${only}`,
    cell: rows.cell,
    aggregates: columns.slice(0, aggregates.length).map((column) => column.sql),
    by: columns.slice(aggregates.length).map((column) => column.sql),
  })
  return { dataset, sql, parameters }
}

const ownStatement = async (
  { ask, projects }: NumbersParts,
  batch: Batch,
  own: OwnRows,
  request: NumbersRequest,
): Promise<Statement> => {
  const { aggregates, by, name, windowMinutes } = batch
  const { organizationId, environments, query } = own
  const wanted = new Set(own.projectIds)
  const living = (await projects(organizationId)).filter(({ id }) => wanted.has(id))
  const searches = [query]
  const prepared =
    batch.dataset.prepared === undefined
      ? null
      : await ask(batch.dataset.prepared, { organizationId, projects: living, searches })
  const dataset = prepared ?? batch.dataset
  const { from, to } = around(request.windows)
  // What a sender's clock says may be ahead of ours, and behind it by days.
  const period = { from: from - LIMITS.MEASURE_OLD_DAYS * DAY_MS, to: to + DAY_MS }
  const question = orUnanswerable(
    readQuestion(
      { dataset, name, organizationId, projects: living, environments, period, now: to, raw: false },
      { fields: [...aggregates, ...by], query, seconds: windowMinutes * 60 },
    ),
  )
  const { columns, parameters, where } = question
  const sql = numbersSql({
    ...commonOf(batch, request),
    dataset,
    from: dataset.from,
    where,
    cell: '0',
    aggregates: columns.slice(0, aggregates.length).map((column) => column.sql),
    by: columns.slice(aggregates.length).map((column) => column.sql),
  })
  return { dataset, sql, parameters }
}
