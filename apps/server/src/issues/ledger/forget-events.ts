import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { findEvents } from './event-index.ts'

/** What the ledger forgets of events that are erased, so that it says of their issues what telemetry does. */

export interface ForgottenEvent {
  readonly projectId: number
  /** 32 hex characters. */
  readonly eventId: string
}

/** Of the events that are stored under one issue: when the newest of all happened, and the newest that stays. */
export interface NewestOfIssue {
  readonly storedIssueId: number
  readonly any: number
  /** Null when none stays. */
  readonly staying: number | null
}

/** These issues, those they were merged into, and all that were merged into those: stored id → id of the issue that stands. */
export const standingOf = async (
  { db }: Pick<Ledger, 'db'>,
  storedIds: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  const standing = new Set<number>()
  for (const part of chunks(storedIds, ROWS_PER_STATEMENT)) {
    const rows = await db.selectFrom('issues').select(['id', 'merged_into_id']).where('id', 'in', part).execute()
    for (const row of rows) standing.add(row.merged_into_id ?? row.id)
  }
  const found = new Map([...standing].map((id) => [id, id] as const))
  for (const part of chunks([...standing], ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('issues')
      .select(['id', 'merged_into_id'])
      .where('merged_into_id', 'in', part)
      .execute()
    for (const row of rows) if (row.merged_into_id !== null) found.set(row.id, row.merged_into_id)
  }
  return found
}

/**
 * Events that are in the index are counted, once: they leave it, and the count of their issue, in one transaction. An issue
 * was last seen when the newest event happened that stays.
 */
export const forgetEvents = async (
  ledger: Ledger,
  {
    events,
    standing,
    newest,
    now,
  }: {
    readonly events: readonly ForgottenEvent[]
    readonly standing: ReadonlyMap<number, number>
    readonly newest: readonly NewestOfIssue[]
    readonly now: number
  },
): Promise<void> =>
  ledger.transaction(async (transaction) => {
    const known = await findEvents(transaction, events)
    for (const [projectId, own] of Map.groupBy(events, (event) => event.projectId)) {
      for (const part of chunks(own, ROWS_PER_STATEMENT)) {
        await transaction
          .deleteFrom('event_index')
          .where('project_id', '=', projectId)
          .where(
            'event_id',
            'in',
            part.map(({ eventId }) => Buffer.from(eventId, 'hex')),
          )
          .execute()
      }
    }
    const counts = new Map<number, number>()
    for (const { issueId } of known.values()) {
      // Of what was merged, either has a count: it is set apart again with its own.
      for (const id of new Set([issueId, standing.get(issueId) ?? issueId])) counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    const seen = Map.groupBy(newest, ({ storedIssueId }) => standing.get(storedIssueId) ?? storedIssueId)
    await changeIssues(transaction, { counts, seen, dialect: ledger.dialect, now })
  })

const changeIssues = async (
  transaction: LedgerTransaction,
  {
    counts,
    seen,
    dialect,
    now,
  }: {
    readonly counts: ReadonlyMap<number, number>
    readonly seen: ReadonlyMap<number, readonly NewestOfIssue[]>
    readonly dialect: Ledger['dialect']
    readonly now: number
  },
): Promise<void> => {
  for (const part of chunks([...new Set([...counts.keys(), ...seen.keys()])], ROWS_PER_STATEMENT)) {
    const issues = await transaction
      .selectFrom('issues')
      .select(['id', 'times_seen', 'first_seen', 'last_seen'])
      .where('id', 'in', part)
      .orderBy('id')
      // The digest adds to what it read.
      .$if(dialect === 'postgres', (query) => query.forUpdate())
      .execute()
    for (const issue of issues) {
      const times = Math.max(0, issue.times_seen - (counts.get(issue.id) ?? 0))
      const last = lastSeenOf(issue, seen.get(issue.id) ?? [])
      if (times === issue.times_seen && last === issue.last_seen) continue
      await transaction
        .updateTable('issues')
        .set({ times_seen: times, last_seen: last, changed_at: now })
        .where('id', '=', issue.id)
        .execute()
    }
  }
}

/** What came after telemetry was asked is newer than all that it knew, and stays. */
const lastSeenOf = (
  issue: { readonly first_seen: number; readonly last_seen: number },
  newest: readonly NewestOfIssue[],
): number => {
  const known = Math.max(...newest.map(({ any }) => any))
  const staying = newest.flatMap((one) => one.staying ?? [])
  if (staying.length === 0 || issue.last_seen > known) return issue.last_seen
  return Math.max(issue.first_seen, Math.min(issue.last_seen, Math.max(...staying)))
}
