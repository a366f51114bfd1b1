import { randomUUID } from 'node:crypto'
import { RecentMap } from '../../lib/recent-map.ts'
import type { RowToken } from '../../ingest/index.ts'
import { LIMITS } from '../limits.ts'
import type { RowPlace } from '../../storage/telemetry/missing-rows.ts'
import { createLineWriter, encodeLines } from '../../storage/telemetry/row-writer.ts'
import type { RowTable, RowWriter } from '../../storage/telemetry/row-writer.ts'
import { json } from '../../storage/telemetry/tab-separated.ts'
import type { EventRow, EventToStore, StoredEvent } from '../events.store.ts'
import { EVENT_COLUMNS, eventColumns, eventPlace } from './event-row.ts'
import { STACK_COLUMNS, stackLine, takeOutStacks } from './shared-stacks.ts'

/** Events in telemetry: append only. */
export interface EventRows {
  /**
   * The row of an event but for its issue, which only the ledger knows. Pure. Made as soon as the event is grouped, so
   * that a batch that waits for its turn is a few buffers and not a forest of objects.
   */
  encode(event: EventToStore): EventRow
  /** @returns what the store will never take, by index, with its reason; it has the rest */
  write(events: readonly StoredEvent[], to: RowToken): Promise<ReadonlyMap<number, string>>
}

const encodeEvents = (events: readonly StoredEvent[]): Buffer[] => {
  const writer = createLineWriter()
  for (const event of events) {
    writer.append(Buffer.from(eventPlace(event), 'latin1'))
    writer.append(event.row.bytes)
  }
  return writer.take()
}

/** Id and time are the first columns of the row. */
const PLACE_BYTES = 128

const placeOfEvent = ({ projectId, row }: StoredEvent): RowPlace => {
  const { buffer, byteOffset, byteLength } = row.bytes
  const begin = Buffer.from(buffer, byteOffset, Math.min(byteLength, PLACE_BYTES)).toString('latin1')
  const [id = '', seconds = ''] = begin.split('\t', 2)
  return { projectId, id, at: Math.round(Number(seconds) * 1000) }
}

const EVENTS: RowTable<StoredEvent> = {
  lookup: { table: 'events', id: 'event_id', idType: 'UUID', time: 'timestamp' },
  columns: EVENT_COLUMNS,
  encode: encodeEvents,
  placeOf: placeOfEvent,
}

/** Which stacks are known to be stored; the one that was needed longest ago is forgotten first, and then written again. */
const createKnownStacks = () => {
  const known = new RecentMap<string, true>(LIMITS.KNOWN_STACKS)
  return {
    /** The stacks of these events that may be missing, by a key for `add`. */
    missing: (events: readonly StoredEvent[]): Map<string, string> => {
      const lines = new Map<string, string>()
      for (const event of events) {
        for (const stack of event.row.stacks) {
          const key = `${event.projectId}:${stack.keptUntil}:${stack.id}`
          if (known.get(key) === undefined && !lines.has(key)) lines.set(key, stackLine(event, stack))
        }
      }
      return lines
    },
    add: (keys: Iterable<string>): void => {
      for (const key of keys) known.set(key, true)
    },
  }
}

export const createEventRows = (writer: RowWriter): EventRows => {
  const encoded = createLineWriter()
  const knownStacks = createKnownStacks()
  return {
    encode: (stored) => {
      const { event, stacks } = takeOutStacks(stored.grouped.event)
      const bytes = encoded.write(eventColumns(stored), json(JSON.stringify(event)))
      // Rows are held by those who asked for them, not by the writer.
      encoded.take()
      return { bytes, stacks }
    },
    write: async (events, to) => {
      const stacks = knownStacks.missing(events)
      // Merges keep one of those that are there twice: written again, they have a token that nobody knows.
      const token = to.again ? `${to.token}:${randomUUID()}` : to.token
      // First, so that no event is ever readable without them.
      await writer.insert('stacks', STACK_COLUMNS, encodeLines([...stacks.values()], String), token)
      knownStacks.add(stacks.keys())
      return writer.insertRows(EVENTS, events, to)
    },
  }
}
