import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'

/** One row per stored event: keeps duplicates out and finds an event by its id. */

export interface IndexedEvent {
  readonly projectId: number
  /** 32 hex characters. */
  readonly eventId: string
  readonly issueId: number
  readonly timestamp: number
}

/** `<project>:<event id>` → issue and batch, of those that are stored already. */
export type KnownEvents = ReadonlyMap<string, { readonly issueId: number; readonly batch: number }>

export const eventKey = (projectId: number, eventId: string): string => `${projectId}:${eventId}`

const toBytes = (eventId: string): Uint8Array => Buffer.from(eventId, 'hex')
const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

export const findEvents = async (
  transaction: LedgerTransaction,
  events: readonly { projectId: number; eventId: string }[],
): Promise<KnownEvents> => {
  const byProject = Map.groupBy(events, (event) => event.projectId)
  const known = new Map<string, { issueId: number; batch: number }>()
  for (const [projectId, wanted] of byProject) {
    for (const part of chunks(wanted, ROWS_PER_STATEMENT)) {
      const rows = await transaction
        .selectFrom('event_index')
        .select(['event_id', 'issue_id', 'batch'])
        .where('project_id', '=', projectId)
        .where(
          'event_id',
          'in',
          part.map((event) => toBytes(event.eventId)),
        )
        .execute()
      for (const row of rows) {
        known.set(eventKey(projectId, toHex(row.event_id)), { issueId: row.issue_id, batch: row.batch })
      }
    }
  }
  return known
}

export const indexEvents = async (
  transaction: LedgerTransaction,
  events: readonly IndexedEvent[],
  batch: number,
): Promise<void> => {
  // In the order of the key, so that neighbours land on the same page.
  const ordered = events.toSorted(
    (a, b) => a.projectId - b.projectId || (a.eventId < b.eventId ? -1 : a.eventId > b.eventId ? 1 : 0),
  )
  for (const part of chunks(ordered, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('event_index')
      .values(
        part.map((event) => ({
          project_id: event.projectId,
          event_id: toBytes(event.eventId),
          issue_id: event.issueId,
          timestamp: event.timestamp,
          batch,
        })),
      )
      .execute()
  }
}
