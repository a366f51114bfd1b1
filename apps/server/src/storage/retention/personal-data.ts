import type { ClickHouseClient } from '@clickhouse/client'
import { BY_HASH, BY_NAME, hashesOf, type NamesSql } from '../../lib/names-sql.ts'
import { deleteRowsOfTable, type Condition } from './telemetry-retention.ts'

/** Somebody who uses what is watched, under names that were frozen when it was asked that all of them is erased. */
export interface ErasedPerson {
  readonly organizationId: number
  /** `id:7`, `username:ada`, `email:…`, `ip:…`: what rows call their user. */
  readonly keys: readonly string[]
  /** In lower case. */
  readonly emails: readonly string[]
  /** What was received later is new, and stays. Milliseconds since the epoch. */
  readonly receivedUntil: number
}

/** Something that is kept of people who use what is watched, in whichever project of their organisation. */
export interface PersonalData {
  /** A word for what is counted, e.g. `errors`. */
  readonly what: string
  /**
   * Above zero as long as anything is left: where it is zero, nothing is erased.
   *
   * @param seconds that the engine may take for it
   */
  readonly count: (person: ErasedPerson, seconds: number) => Promise<number>
  /** Erases all of it. Whoever is interrupted calls it again: what is gone already does no harm. */
  readonly erase: (person: ErasedPerson, signal: AbortSignal) => Promise<void>
}

/** What statements about such a person bind. */
export const erasedParams = ({ organizationId, keys, emails, receivedUntil }: ErasedPerson) => ({
  organization: organizationId,
  keys,
  emails,
  until: Math.ceil(receivedUntil),
})

/** The same of statements that delete: the engine keeps their text. */
export const erasedHashes = (person: ErasedPerson) => {
  const { organization, until } = erasedParams(person)
  return { organization, until, ...hashesOf(person) }
}

/** Rows of the organisation that were received in time, of whom a condition names. */
export const ofErasedPerson = (named: string): string =>
  `organization_id = {organization:UInt32} AND received <= fromUnixTimestamp64Milli({until:Int64}) AND (${named})`

export const countRows = async (
  client: ClickHouseClient,
  { sql, parameters }: Condition,
  {
    table,
    counted = 'count()',
    seconds,
  }: { readonly table: string; readonly counted?: string; readonly seconds: number },
): Promise<number> => {
  const result = await client.query({
    query: `SELECT ${counted} AS count FROM ${table} WHERE ${sql} SETTINGS max_execution_time = ${seconds}`,
    query_params: { ...parameters },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ count: number | string }>()
  return Number(row?.count ?? 0)
}

/** Rows of telemetry that name their user themselves, and that nothing else hangs on. */
export const personalRows = (
  client: ClickHouseClient,
  {
    what,
    counted,
    named,
  }: {
    readonly what: string
    /** Tables, with what is counted of them. */
    readonly counted: readonly (readonly [table: string, count: string])[]
    readonly named: (person: ErasedPerson, names: NamesSql) => string
  },
): PersonalData => {
  return {
    what,
    count: async (person, seconds) => {
      const condition = { sql: ofErasedPerson(named(person, BY_NAME)), parameters: erasedParams(person) }
      const counts = await Promise.all(
        counted.map(([table, count]) => countRows(client, condition, { table, counted: count, seconds })),
      )
      return counts.reduce((sum, count) => sum + count, 0)
    },
    erase: async (person, signal) => {
      const condition = { sql: ofErasedPerson(named(person, BY_HASH)), parameters: erasedHashes(person) }
      for (const [table] of counted) await deleteRowsOfTable(client, table, condition, signal)
    },
  }
}
