import { Readable } from 'node:stream'
import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client'
import type { StoredEvent, TelemetryStore } from '../../issues/events.store.ts'
import { LIMITS } from '../../limits.ts'
import { EVENT_COLUMNS, eventColumns, eventPlace } from './event-row.ts'
import { KEPT_ITEM_COLUMNS, keptItemLine } from './kept-item-row.ts'
import { OUTCOME_COLUMNS, sumOutcomes, outcomeLine } from './outcome-row.ts'
import { STACK_COLUMNS, stackLine, takeOutStacks } from './shared-stacks.ts'
import { json } from './tab-separated.ts'

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
const createWriter = (): {
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

const encodeLines = <Row>(rows: readonly Row[], toLine: (row: Row) => string): Buffer[] => {
  const writer = createWriter()
  for (const row of rows) writer.write(toLine(row))
  return writer.take()
}

const encodeEvents = (events: readonly StoredEvent[]): Buffer[] => {
  const writer = createWriter()
  for (const event of events) {
    writer.append(Buffer.from(eventPlace(event), 'latin1'))
    writer.append(event.row.bytes)
  }
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

/** Which stacks are known to be stored; the one that was needed longest ago is forgotten first, and then written again. */
const createKnownStacks = () => {
  const known = new Set<string>()
  return {
    /** The stacks of these events that may be missing, by a key for `add`. */
    missing: (events: readonly StoredEvent[]): Map<string, string> => {
      const lines = new Map<string, string>()
      for (const event of events) {
        for (const stack of event.row.stacks) {
          const key = `${event.projectId}:${stack.keptUntil}:${stack.id}`
          if (known.delete(key)) known.add(key)
          else if (!lines.has(key)) lines.set(key, stackLine(event, stack))
        }
      }
      return lines
    },
    add: (keys: Iterable<string>): void => {
      for (const key of keys) known.add(key)
      for (const oldest of known) {
        if (known.size <= LIMITS.KNOWN_STACKS) return
        known.delete(oldest)
      }
    },
  }
}

/** Every table keeps the tokens of its last inserts (`non_replicated_deduplication_window`) and ignores a repeated one. */
export const createTelemetryStore = ({ client }: { client: ClickHouseClient }): TelemetryStore => {
  const encoded = createWriter()
  const knownStacks = createKnownStacks()

  const insert = async (table: string, columns: readonly string[], lines: Buffer[], token: string): Promise<void> => {
    if (lines.length === 0) return
    const result = await client.exec({
      query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT TabSeparated`,
      values: Readable.from(lines, { objectMode: false }),
      clickhouse_settings: { insert_deduplication_token: `${token}:${table}`, insert_deduplicate: 1 },
    })
    // The connection is free again only once the (empty) answer was read.
    result.stream.resume()
  }

  return {
    encode: (stored) => {
      const { event, stacks } = takeOutStacks(stored.grouped.event)
      const bytes = encoded.write(eventColumns(stored), json(JSON.stringify(event)))
      // Rows are held by those who asked for them, not by the writer.
      encoded.take()
      return { bytes, stacks }
    },
    write: async ({ token, events, outcomes, keptItems }) => {
      const stacks = knownStacks.missing(events)
      // First, so that no event is ever readable without them.
      await insert('stacks', STACK_COLUMNS, encodeLines([...stacks.values()], String), token)
      knownStacks.add(stacks.keys())
      const [refusedEvents, refusedItems] = await Promise.allSettled([
        insertTolerantly(events, token, (rows, part) => insert('events', EVENT_COLUMNS, encodeEvents(rows), part)),
        insertTolerantly(keptItems, token, (rows, part) =>
          insert('kept_items', KEPT_ITEM_COLUMNS, encodeLines(rows, keptItemLine), part),
        ),
      ])
      // Both have ended before any is tried again.
      if (refusedEvents.status === 'rejected') throw refusedEvents.reason
      if (refusedItems.status === 'rejected') throw refusedItems.reason
      const refused = { events: refusedEvents.value, keptItems: refusedItems.value }
      const rows = sumOutcomes(outcomes(refused))
      await insert('outcomes', OUTCOME_COLUMNS, encodeLines(rows, outcomeLine), token)
      return refused
    },
  }
}
