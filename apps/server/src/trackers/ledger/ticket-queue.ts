import { sql, type Selectable } from 'kysely'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import type { RemoteTicket, TicketState } from '../kinds/kind.ts'
import { LIMITS } from '../limits.ts'
import type { Draft } from '../writing/draft.ts'
import type { TicketTable } from './schema.ts'

/** A ticket that somebody looks at, and nobody else meanwhile. */
export interface TakenTicket {
  readonly id: number
  readonly organizationId: number
  readonly trackerId: number
  readonly issueId: number | null
  readonly reportId: number | null
  readonly marker: string
  /** What a ticket that is to be made says; null when it is made. */
  readonly draft: Draft | null
  readonly remoteId: string
  readonly state: TicketTable['state']
  readonly wanted: TicketState | null
  readonly asked: number
  readonly turn: number
  readonly attempt: number
  /** When it was tried first, if it was before; it may have been made then. */
  readonly firstTriedAt: number | null
}

export type TicketQueue = ReturnType<typeof createTicketQueue>

const toTaken = (row: Selectable<TicketTable>): TakenTicket => ({
  id: row.id,
  organizationId: row.organization_id,
  trackerId: row.tracker_id,
  issueId: row.issue_id,
  reportId: row.feedback_id,
  marker: row.marker,
  draft: row.state === 'creating' ? (JSON.parse(row.draft) as Draft) : null,
  remoteId: row.remote_id,
  state: row.state,
  wanted: row.wanted,
  asked: row.asked,
  turn: row.turn + 1,
  attempt: row.attempts + 1,
  firstTriedAt: row.first_tried_at,
})

/** What is to be looked at, of trackers that may be called. */
const due = (db: Ledger['db'] | LedgerTransaction, now: number) =>
  db
    .selectFrom('tickets')
    .innerJoin('trackers', 'trackers.id', 'tickets.tracker_id')
    .where('tickets.due_at', 'is not', null)
    // What was never made cannot be asked for.
    .where(({ eb, or }) => or([eb('tickets.state', '=', 'creating'), eb('tickets.remote_id', '!=', '')]))
    .where('tickets.deleted_at', 'is', null)
    .where('trackers.deleted_at', 'is', null)
    .where(({ eb, or }) => or([eb('trackers.quiet_until', 'is', null), eb('trackers.quiet_until', '<=', now)]))

/** Whose turn it is not. */
export interface Busy {
  readonly trackerIds: readonly number[]
  readonly organizationIds: readonly number[]
}

/** Takes the next one that is due; the lease is committed before anything is called. */
const take =
  (ledger: Ledger) =>
  (now: number, busy: Busy = { trackerIds: [], organizationIds: [] }): Promise<TakenTicket | null> =>
    ledger.transaction(async (transaction) => {
      const row = await due(transaction, now)
        .selectAll('tickets')
        .where('tickets.due_at', '<=', now)
        .where(({ eb, or }) => or([eb('tickets.taken_until', 'is', null), eb('tickets.taken_until', '<=', now)]))
        .where('tickets.tracker_id', 'not in', [0, ...busy.trackerIds])
        .where('tickets.organization_id', 'not in', [0, ...busy.organizationIds])
        .orderBy('tickets.due_at')
        // Of those that wait for the same tracker not the one for which it did nothing.
        .orderBy('tickets.attempts')
        .limit(1)
        .$if(ledger.dialect === 'postgres', (query) => query.forUpdate('tickets').skipLocked())
        .executeTakeFirst()
      if (row === undefined) return null
      await transaction
        .updateTable('tickets')
        .set({
          turn: row.turn + 1,
          attempts: row.attempts + 1,
          taken_until: now + LIMITS.TICKET_LEASE_MS,
          first_tried_at: row.first_tried_at ?? now,
        })
        .where('id', '=', row.id)
        .execute()
      return toTaken(row)
    })

/** What came of a look. */
export interface Looked {
  /** Null: the tracker has it no more. */
  readonly remote: RemoteTicket | null
}

/**
 * Notes how the tracker has a ticket. What somebody wanted meanwhile is looked at next.
 *
 * @param changed told, in the same transaction, of a state that is another than we knew and that we did not want
 * @returns false when it was somebody else's by now: nothing is changed
 */
const finish =
  (ledger: Ledger) =>
  (
    taken: TakenTicket,
    { remote }: Looked,
    now: number,
    changed: (transaction: LedgerTransaction, state: TicketState) => Promise<void>,
  ): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const before = await transaction
        .selectFrom('tickets')
        .selectAll()
        .where('id', '=', taken.id)
        .where('turn', '=', taken.turn)
        .$if(ledger.dialect === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst()
      if (before === undefined) return false
      const wanted = before.wanted === remote?.state ? null : before.wanted
      await transaction
        .updateTable('tickets')
        .set({
          ...(remote === null
            ? { state: 'gone' as const, error: 'The tracker does not have this ticket any more.' }
            : {
                state: remote.state,
                remote_id: remote.id,
                key: remote.key.slice(0, 100),
                url: remote.url,
                title: remote.title.slice(0, 500),
                error: null,
              }),
          draft: '',
          wanted,
          attempts: 0,
          taken_until: null,
          looked_at: now,
          // What is gone is told when it is there again and somebody asks.
          due_at: (wanted !== null && remote !== null) || before.asked !== taken.asked ? now : null,
        })
        .where('id', '=', taken.id)
        .execute()
      // What we wrote ourselves, or are about to write, is no news.
      const isOurs = taken.state === 'creating' || taken.wanted !== null || before.wanted !== null
      if (remote !== null && !isOurs && remote.state !== before.state) await changed(transaction, remote.state)
      return true
    })

/** @param again when it is tried next; null for never */
const fail =
  ({ db }: Ledger) =>
  async (taken: TakenTicket, error: string, again: number | null, now: number): Promise<void> => {
    await db
      .updateTable('tickets')
      .set({
        error,
        taken_until: null,
        looked_at: now,
        // Said to be numbers: PostgreSQL takes what is only given for text.
        due_at: sql<
          number | null
        >`CASE WHEN asked <> ${taken.asked} THEN CAST(${now} AS bigint) ELSE CAST(${again} AS bigint) END`,
        // Whoever asked meanwhile wants another try.
        ...(again === null && taken.state === 'creating'
          ? { state: sql<TicketTable['state']>`CASE WHEN asked <> ${taken.asked} THEN state ELSE 'failed' END` }
          : {}),
      })
      .where('id', '=', taken.id)
      .where('turn', '=', taken.turn)
      .execute()
  }

export const createTicketQueue = ({ ledger }: { readonly ledger: Ledger }) => ({
  take: take(ledger),
  finish: finish(ledger),
  fail: fail(ledger),
  /** When the next one is due, or a tracker may be called again; null for none. */
  nextDueAt: async (now: number): Promise<number | null> => {
    const { rested } = await ledger.db
      .selectFrom('trackers')
      .select(({ fn }) => fn.min<number | null>('quiet_until').as('rested'))
      .where('quiet_until', '>', now)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow()
    const rows = await due(ledger.db, now)
      .select(['tickets.due_at', 'tickets.taken_until'])
      .orderBy('tickets.due_at')
      // More than are ever taken at once.
      .limit(LIMITS.TICKETS_AT_ONCE * 10)
      .execute()
    const times = rows.map((row) => Math.max(row.due_at ?? 0, row.taken_until ?? 0))
    if (rested !== null) times.push(rested)
    return times.length === 0 ? null : Math.min(...times)
  },
})
