import { setTimeout as delay } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { DAY_MS } from '../../lib/durations.ts'
import { LIMITS } from '../limits.ts'

/** Frees disk in the telemetry: whole weeks are dropped; in the week that is half due, the rows are deleted. */

/** A table of telemetry whose rows go with age and with their project. It has `organization_id` and `project_id`. */
export interface AgingTable {
  readonly table: string
  /** Column that says how old a row is; its partitions are the weeks of it. */
  readonly time: string
}

const WEEK_MS = 7 * DAY_MS
const POLL_MS = 250

/** Organisations that share a cutoff. */
export interface Cutoff {
  readonly organizationIds: readonly number[]
  /** Rows older than this go; milliseconds since the epoch. */
  readonly before: number
}

export interface TelemetryRetentionReport {
  readonly droppedPartitions: number
  readonly rewrittenPartitions: number
}

interface Partition {
  readonly id: string
  /** Monday on which it begins; milliseconds since the epoch. */
  readonly start: number
}

/** Those with rows: where a partition was dropped the engine keeps an empty part for a moment. */
const readPartitions = async (client: ClickHouseClient, table: string): Promise<Partition[]> => {
  const result = await client.query({
    query: `SELECT DISTINCT parts.partition_id AS id, toUnixTimestamp(toDateTime(toDate(parts.partition), 'UTC')) AS start
      FROM system.parts AS parts
      WHERE parts.database = currentDatabase() AND parts.table = {table:String} AND parts.active AND parts.rows > 0
      ORDER BY start`,
    query_params: { table },
    format: 'JSONEachRow',
  })
  const rows = await result.json<{ id: string; start: number }>()
  return rows.map((row) => ({ id: row.id, start: row.start * 1000 }))
}

/** Waits for the table's running rewrites, so that they never pile up. */
const mutationsDone = async (client: ClickHouseClient, table: string, signal: AbortSignal): Promise<void> => {
  const deadline = performance.now() + LIMITS.MUTATION_TIMEOUT_MS
  for (;;) {
    const result = await client.query({
      query: `SELECT mutations.latest_fail_reason AS reason FROM system.mutations AS mutations
        WHERE mutations.database = currentDatabase() AND mutations.table = {table:String} AND NOT mutations.is_done`,
      query_params: { table },
      format: 'JSONEachRow',
    })
    const [running] = await result.json<{ reason: string }>()
    if (running === undefined) return
    if (performance.now() > deadline) {
      throw new Error(
        `The telemetry did not finish deleting rows of ${table} within ${LIMITS.MUTATION_TIMEOUT_MS} ms (${running.reason || 'still running'}). It goes on by itself; the next housekeeping continues.`,
      )
    }
    await delay(POLL_MS, undefined, { signal })
  }
}

/** A condition with its parameters. */
export interface Condition {
  readonly sql: string
  readonly parameters: Readonly<Record<string, unknown>>
}

const dueCondition = (time: string, cutoffs: readonly Cutoff[]): Condition => {
  const parameters: Record<string, unknown> = {}
  const parts = cutoffs.map((cutoff, index) => {
    parameters[`organizations${index}`] = cutoff.organizationIds
    parameters[`before${index}`] = cutoff.before
    return `(organization_id IN {organizations${index}:Array(UInt32)} AND ${time} < fromUnixTimestamp64Milli({before${index}:Int64}, 'UTC'))`
  })
  return { sql: parts.join(' OR '), parameters }
}

const deleteRows = async (
  client: ClickHouseClient,
  table: string,
  partitionId: string,
  condition: Condition,
  signal: AbortSignal,
): Promise<boolean> => {
  const result = await client.query({
    query: `SELECT 1 FROM ${table} WHERE _partition_id = {partition:String} AND (${condition.sql}) LIMIT 1`,
    query_params: { ...condition.parameters, partition: partitionId },
    format: 'JSONEachRow',
  })
  if ((await result.json()).length === 0) return false
  await client.command({
    query: `ALTER TABLE ${table} DELETE IN PARTITION ID {partition:String} WHERE ${condition.sql}`,
    query_params: { ...condition.parameters, partition: partitionId },
    clickhouse_settings: { mutations_sync: '0' },
  })
  await mutationsDone(client, table, signal)
  return true
}

export const expireTelemetry = async (
  client: ClickHouseClient,
  tables: readonly AgingTable[],
  cutoffs: readonly Cutoff[],
  signal: AbortSignal,
): Promise<TelemetryRetentionReport> => {
  let droppedPartitions = 0
  let rewrittenPartitions = 0
  const earliest = Math.min(...cutoffs.map((cutoff) => cutoff.before))
  for (const { table, time } of tables) {
    for (const partition of await readPartitions(client, table)) {
      signal.throwIfAborted()
      if (partition.start + WEEK_MS <= earliest) {
        await client.command({
          query: `ALTER TABLE ${table} DROP PARTITION ID {partition:String}`,
          query_params: { partition: partition.id },
        })
        droppedPartitions += 1
        continue
      }
      const due = cutoffs.filter((cutoff) => cutoff.before > partition.start)
      if (due.length === 0) continue
      if (await deleteRows(client, table, partition.id, dueCondition(time, due), signal)) rewrittenPartitions += 1
    }
  }
  return { droppedPartitions, rewrittenPartitions }
}

/** Deletes what a condition names, in all weeks of a table. */
export const deleteRowsOfTable = async (
  client: ClickHouseClient,
  table: string,
  condition: Condition,
  signal: AbortSignal,
): Promise<void> => {
  for (const partition of await readPartitions(client, table)) {
    await deleteRows(client, table, partition.id, condition, signal)
  }
}

/** Deletes everything of a project. */
export const deleteProjectRows = async (
  client: ClickHouseClient,
  tables: readonly AgingTable[],
  projectId: number,
  signal: AbortSignal,
): Promise<void> => {
  const condition: Condition = { sql: 'project_id = {projectId:UInt64}', parameters: { projectId } }
  for (const { table } of tables) await deleteRowsOfTable(client, table, condition, signal)
}
