import type { ClickHouseClient } from '@clickhouse/client'
import { isShortOfMemory } from '../lib/short-of-memory.ts'
import { LIMITS } from './limits.ts'

/** Columns of text that each sender fills as it likes. */
const MAPS = /\b(?:strings|lists)\b/

/** Code of ClickHouse: more memory than the statement may have. */
const OVER_MEMORY = '241'

const isOverMemory = (error: unknown): boolean => {
  if (!(error instanceof Error) || isShortOfMemory(error)) return false
  return (error as { readonly code?: unknown }).code === OVER_MEMORY || isOverMemory(error.cause)
}

/**
 * Asks a statement. What is in a map is as large as its sender made it, up to `ATTRIBUTES_CHARS` a row: some hundred rows
 * like that in one block are more than a question may hold, and the organisation would be without its answers. A statement
 * that fails for that is asked once more, and reads its rows in small blocks: several times slower, so not at once.
 *
 * @param sql without anything that a caller wrote
 * @param ask with these settings of ClickHouse
 */
const readMaps = async <Answer>(
  sql: string,
  ask: (settings: Readonly<Record<string, string>>) => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await ask({})
  } catch (error) {
    if (!MAPS.test(sql) || !isOverMemory(error)) throw error
    return ask({ max_block_size: String(LIMITS.MAP_BLOCK_ROWS) })
  }
}

/** Asks a statement for its rows. `sql` is without anything that a caller wrote: that is in `params`. */
export type RowQuery = <Row>(sql: string, params: Readonly<Record<string, unknown>>) => Promise<Row[]>

export const rowsOf =
  (client: Pick<ClickHouseClient, 'query'>): RowQuery =>
  <Row>(sql: string, params: Readonly<Record<string, unknown>>): Promise<Row[]> =>
    readMaps(sql, async (settings) => {
      const result = await client.query({
        query: sql,
        query_params: { ...params },
        clickhouse_settings: settings,
        format: 'JSONEachRow',
      })
      return result.json<Row>()
    })
