import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import type { TelemetryStore } from '../../issues/events.store.ts'
import { EVENT_COLUMNS, eventLine } from './event-row.ts'
import { KEPT_ITEM_COLUMNS, keptItemLine } from './kept-item-row.ts'
import { OUTCOME_COLUMNS, sumOutcomes, outcomeLine } from './outcome-row.ts'

/** Text that is encoded at once: one string of a whole batch would be flattened, and held twice. */
const CHUNK_CHARACTERS = 256 * 1024

const encode = <Row>(rows: readonly Row[], toLine: (row: Row) => string): Buffer[] => {
  const chunks: Buffer[] = []
  let lines = ''
  for (const row of rows) {
    lines += toLine(row)
    if (lines.length < CHUNK_CHARACTERS) continue
    chunks.push(Buffer.from(lines))
    lines = ''
  }
  if (lines !== '') chunks.push(Buffer.from(lines))
  return chunks
}

/** Every table keeps the tokens of its last inserts (`non_replicated_deduplication_window`) and ignores a repeated one. */
export const createTelemetryStore = ({ client }: { client: ClickHouseClient }): TelemetryStore => {
  const insert = async <Row>(
    table: string,
    columns: readonly string[],
    rows: readonly Row[],
    toLine: (row: Row) => string,
    token: string,
  ): Promise<void> => {
    if (rows.length === 0) return
    const result = await client.exec({
      query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT TabSeparated`,
      values: Readable.from(encode(rows, toLine), { objectMode: false }),
      clickhouse_settings: { insert_deduplication_token: `${token}:${table}`, insert_deduplicate: 1 },
    })
    // The connection is free again only once the (empty) answer was read.
    result.stream.resume()
  }

  return {
    write: async ({ token, events, outcomes, keptItems }) => {
      await insert('events', EVENT_COLUMNS, events, eventLine, token)
      await insert('kept_items', KEPT_ITEM_COLUMNS, keptItems, keptItemLine, token)
      await insert('outcomes', OUTCOME_COLUMNS, sumOutcomes(outcomes), outcomeLine, token)
    },
  }
}
