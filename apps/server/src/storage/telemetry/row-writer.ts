import { Readable } from 'node:stream'
import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client'
import type { RowToken } from '../../ingest/digest/item-kind.ts'
import type { Logger } from '../../lib/logger.ts'
import { missingRows } from './missing-rows.ts'
import type { RowLookup, RowPlace } from './missing-rows.ts'

/** Rows are encoded into buffers of this size; a longer row gets one of its own. */
const CHUNK_BYTES = 512 * 1024
/** Rows from this size on are sent from where they are; smaller ones are gathered. */
const GATHERED_BYTES = 16 * 1024
/** UTF-8 takes at most so many bytes for a unit of a string. */
const BYTES_PER_UNIT = 3
const LINE_FEED = 0x0a

/**
 * Collects text in buffers. Each piece is encoded by itself: a string of a whole chunk would be copied together first,
 * and one character beyond Latin-1 would make all of it take the slow way.
 */
export const createLineWriter = (): {
  /** One row from its parts, and where it was written. */
  write(...parts: readonly string[]): Buffer
  append(bytes: Uint8Array): void
  /** Everything since the last call. */
  take(): Buffer[]
} => {
  let full: Buffer[] = []
  let chunk = Buffer.allocUnsafeSlow(0)
  let begin = 0
  let used = 0
  const cut = (): void => {
    if (used > begin) full.push(chunk.subarray(begin, used))
    begin = used
  }
  const reserve = (bytes: number): void => {
    if (chunk.byteLength - used >= bytes) return
    cut()
    chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, bytes))
    begin = 0
    used = 0
  }
  return {
    write: (...parts) => {
      let units = 0
      for (const part of parts) units += part.length
      reserve(units * BYTES_PER_UNIT + 1)
      const start = used
      for (const part of parts) used += chunk.write(part, used)
      chunk[used++] = LINE_FEED
      return chunk.subarray(start, used)
    },
    append: (bytes) => {
      if (bytes.byteLength >= GATHERED_BYTES) {
        cut()
        full.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
        return
      }
      reserve(bytes.byteLength)
      chunk.set(bytes, used)
      used += bytes.byteLength
    },
    take: () => {
      cut()
      const taken = full
      full = []
      return taken
    },
  }
}

export const encodeLines = <Row>(rows: readonly Row[], toLine: (row: Row) => string): Buffer[] => {
  const writer = createLineWriter()
  for (const row of rows) writer.write(toLine(row))
  return writer.take()
}

/** Codes of ClickHouse that are about the rows and come again each time; all others pass (away, full, out of memory). */
const ROW_FAULTS = new Set([
  '6', // CANNOT_PARSE_TEXT
  '25', // CANNOT_PARSE_ESCAPE_SEQUENCE
  '26', // CANNOT_PARSE_QUOTED_STRING
  '27', // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  '38', // CANNOT_PARSE_DATE
  '41', // CANNOT_PARSE_DATETIME
  '53', // TYPE_MISMATCH
  '62', // SYNTAX_ERROR
  '69', // ARGUMENT_OUT_OF_BOUND
  '72', // CANNOT_PARSE_NUMBER
  '117', // INCORRECT_DATA
  '128', // TOO_LARGE_ARRAY_SIZE
  '130', // CANNOT_READ_ARRAY_FROM_TEXT
  '131', // TOO_LARGE_STRING_SIZE
  '376', // CANNOT_PARSE_UUID
  '467', // CANNOT_PARSE_BOOL
])

const isRowFault = (error: unknown): error is ClickHouseError =>
  error instanceof ClickHouseError && ROW_FAULTS.has(error.code)

/**
 * Inserts rows, by halves when the store refuses some, down to those that it refuses by themselves. The parts have
 * tokens of their own that follow from their place, so that a repeated batch is split in the same way.
 */
const insertTolerantly = async <Row>(
  rows: readonly Row[],
  token: string,
  insert: (rows: readonly Row[], token: string) => Promise<void>,
): Promise<Map<number, string>> => {
  const refused = new Map<number, string>()
  const insertPart = async (from: number, to: number): Promise<void> => {
    const whole = to - from === rows.length
    try {
      await insert(whole ? rows : rows.slice(from, to), whole ? token : `${token}:${from}-${to}`)
    } catch (error) {
      if (!isRowFault(error)) throw error
      if (to - from === 1) {
        refused.set(from, error.message)
        return
      }
      const middle = (from + to) >>> 1
      await insertPart(from, middle)
      await insertPart(middle, to)
    }
  }
  if (rows.length > 0) await insertPart(0, rows.length)
  return refused
}

/** How often rows are written under a further token when a batch is written again. */
const FURTHER_TOKENS = 3

/** A table whose rows have an identity. */
export interface RowTable<Row> {
  readonly lookup: RowLookup
  readonly columns: readonly string[]
  /** Lines of `FORMAT TabSeparated`. */
  readonly encode: (rows: readonly Row[]) => Buffer[]
  readonly placeOf: (row: Row) => RowPlace
}

/** A row that is encoded as soon as it is read, so that a batch that waits is text and not a forest of objects. */
export interface EncodedRow {
  readonly place: RowPlace
  readonly line: string
}

export const encodedTable = (lookup: RowLookup, columns: readonly string[]): RowTable<EncodedRow> => ({
  lookup,
  columns,
  encode: (rows) => encodeLines(rows, (row) => row.line),
  placeOf: ({ place }) => place,
})

export interface RowWriter {
  /** Rows without an identity: a repeated token is ignored, nothing is looked up. */
  insert(table: string, columns: readonly string[], lines: readonly Buffer[], token: string): Promise<void>
  /** @returns rows that the store will never take, by index, with its reason; it has the rest */
  insertRows<Row>(table: RowTable<Row>, rows: readonly Row[], to: RowToken): Promise<Map<number, string>>
}

/**
 * Writes rows of which each item has several.
 *
 * @returns items of which the store will never take a row, by index, with its reason; it has the rest
 */
export const insertRowsOfItems = async <Row>(
  writer: Pick<RowWriter, 'insertRows'>,
  table: RowTable<Row>,
  items: readonly (readonly Row[])[],
  to: RowToken,
): Promise<Map<number, string>> => {
  const rows = items.flatMap((own, item) => own.map((row) => ({ row, item })))
  const refused = await writer.insertRows(
    table,
    rows.map(({ row }) => row),
    to,
  )
  return new Map(
    [...refused].flatMap(([at, reason]) => {
      const item = rows[at]?.item
      return item === undefined ? [] : [[item, reason] as const]
    }),
  )
}

/** Every table keeps the tokens of its last inserts (`non_replicated_deduplication_window`) and ignores a repeated one. */
export const createRowWriter = ({
  client,
  logger,
}: {
  readonly client: ClickHouseClient
  readonly logger?: Pick<Logger, 'warn'>
}): RowWriter => {
  const insert = async (
    table: string,
    columns: readonly string[],
    lines: readonly Buffer[],
    token: string,
  ): Promise<void> => {
    if (lines.length === 0) return
    const result = await client.exec({
      query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT TabSeparated`,
      values: Readable.from(lines, { objectMode: false }),
      clickhouse_settings: {
        insert_deduplication_token: `${token}:${table}`,
        insert_deduplicate: 1,
        // Rows of one insert that replace each other do so when parts are merged: looking for them at once costs a third of
        // an insert, and whoever reads must do without anyway, because rows of two inserts wait for it as well.
        optimize_on_insert: 0,
      },
    })
    // The connection is free again only once the (empty) answer was read.
    result.stream.resume()
  }

  /**
   * The engine notes a token a moment before the rows can be read. When it dies in that moment, it knows the token, ignores
   * the repeated insert, and has no rows. So who writes a batch again looks whether they are there, and writes the rest
   * under the next token.
   *
   * No row is doubled by an insert of an earlier attempt that still runs, because it is looked only after the insert under
   * the same token was answered. The engine notes a token and shows its rows under one lock: if the earlier one was first,
   * its rows can be read by then; if it comes later, its token is known and it is ignored. The same holds for each further
   * token. Rows that went for their age meanwhile come back once, and go again for their age.
   */
  const insertMissing = async <Row>(
    { lookup, columns, encode, placeOf }: RowTable<Row>,
    { rows, token, refused }: { rows: readonly Row[]; token: string; refused: Map<number, string> },
  ): Promise<void> => {
    let wanted = rows.flatMap((row, index) => (refused.has(index) ? [] : [{ row, index }]))
    for (let attempt = 2; attempt < 2 + FURTHER_TOKENS; attempt += 1) {
      const places = wanted.map(({ row }) => placeOf(row))
      const missing = new Set(await missingRows(client, lookup, places))
      wanted = wanted.filter((_, at) => missing.has(at))
      if (wanted.length === 0) return
      logger?.warn('telemetry: rows were not there although the engine knew their batch; they are written again', {
        table: lookup.table,
        token: `${token}:${attempt}`,
        rows: wanted.length,
      })
      const again = await insertTolerantly(
        wanted.map(({ row }) => row),
        `${token}:${attempt}`,
        (part, partToken) => insert(lookup.table, columns, encode(part), partToken),
      )
      for (const [at, reason] of again) {
        const index = wanted[at]?.index
        if (index !== undefined) refused.set(index, reason)
      }
      wanted = wanted.filter(({ index }) => !refused.has(index))
    }
  }

  /** An engine that was restarted on a full disk may have the rows and not know their token any more. */
  const areAllThere = async <Row>({ lookup, placeOf }: RowTable<Row>, rows: readonly Row[]): Promise<boolean> => {
    try {
      return (await missingRows(client, lookup, rows.map(placeOf))).length === 0
    } catch (error) {
      // A row that the store will never take may have a place that cannot be asked for.
      if (isRowFault(error)) return false
      throw error
    }
  }

  return {
    insert,
    insertRows: async (kind, rows, { token, again }) => {
      if (again && (await areAllThere(kind, rows))) return new Map()
      const refused = await insertTolerantly(rows, token, (part, partToken) =>
        insert(kind.lookup.table, kind.columns, kind.encode(part), partToken),
      )
      if (again) await insertMissing(kind, { rows, token, refused })
      return refused
    },
  }
}
