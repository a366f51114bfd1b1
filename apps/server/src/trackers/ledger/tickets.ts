import { randomUUID } from 'node:crypto'
import { sql, type Insertable } from 'kysely'
import type { TicketOfIssue } from '../../issues/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { kindOf } from '../kinds/index.ts'
import type { RemoteTicket } from '../kinds/kind.ts'
import { LIMITS } from '../limits.ts'
import type { Subject, TicketActor, TicketRecord } from '../ticket.ts'
import { targetOf } from '../tracker.ts'
import type { Draft } from '../writing/draft.ts'
import type { TicketTable } from './schema.ts'

export type Tickets = ReturnType<typeof createTickets>

/** A prime: of many ids in a row the remainders are spread. */
const APART = 7919

type Executor = Ledger['db'] | LedgerTransaction

/** Tickets whose tracker is connected. */
const shown = (db: Executor, organizationId: number) =>
  db
    .selectFrom('tickets')
    .innerJoin('trackers', 'trackers.id', 'tickets.tracker_id')
    .leftJoin('users', 'users.id', 'tickets.created_by')
    .selectAll('tickets')
    .select(['trackers.kind as tracker_kind', 'trackers.name as tracker_name', 'trackers.settings as tracker_settings'])
    .select(['users.name as maker_name', 'users.email as maker_email'])
    .where('tickets.organization_id', '=', organizationId)
    .where('trackers.deleted_at', 'is', null)
    .where('tickets.deleted_at', 'is', null)

/** Those of them that stand beside their issue: they are made, and there. */
const shownBeside = (db: Executor, organizationId: number) =>
  shown(db, organizationId).where('tickets.url', '!=', '').where('tickets.state', '!=', 'gone')

type ShownRow = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number]

const fullKeyOf = ({ key, tracker_kind: kind, tracker_settings: settings }: ShownRow): string => {
  if (!key.startsWith('#')) return key
  const known = JSON.parse(settings) as Record<string, unknown>
  return `${kindOf(kind).name(targetOf({ settings: known, sealed: { secrets: {}, hook: null } }).settings)}${key}`
}

const toRecord = (row: ShownRow): TicketRecord => ({
  id: row.id,
  organizationId: row.organization_id,
  tracker: { id: row.tracker_id, kind: row.tracker_kind, name: row.tracker_name },
  issueId: row.issue_id,
  reportId: row.feedback_id,
  key: row.key,
  fullKey: fullKeyOf(row),
  url: row.url,
  title: row.title,
  state: row.state,
  wanted: row.wanted,
  error: row.error,
  isLinked: row.is_linked === 1,
  createdAt: row.created_at,
  createdBy:
    row.created_by === null ? null : { id: row.created_by, name: row.maker_name ?? '', email: row.maker_email ?? '' },
})

const ofSubject = (db: Executor, organizationId: number, subject: Subject) =>
  subject.kind === 'issue'
    ? shown(db, organizationId).where('tickets.issue_id', 'in', [0, ...subject.storedIds])
    : shown(db, organizationId).where('tickets.feedback_id', '=', subject.id)

const rowOf = (
  { organizationId, userId, now }: TicketActor,
  trackerId: number,
  subject: Subject,
): Omit<
  Insertable<TicketTable>,
  'draft' | 'is_linked' | 'title' | 'state' | 'due_at' | 'remote_id' | 'key' | 'url'
> => ({
  organization_id: organizationId,
  tracker_id: trackerId,
  issue_id: subject.kind === 'issue' ? subject.id : null,
  feedback_id: subject.kind === 'report' ? subject.id : null,
  marker: randomUUID(),
  wanted: null,
  asked: 0,
  turn: 0,
  taken_until: null,
  looked_at: now,
  attempts: 0,
  first_tried_at: null,
  error: null,
  created_by: userId,
  created_at: now,
  deleted_at: null,
})

const isFull = async (transaction: LedgerTransaction, organizationId: number, subject: Subject): Promise<boolean> => {
  const rows = await ofSubject(transaction, organizationId, subject).limit(LIMITS.TICKETS_PER_SUBJECT).execute()
  return rows.length >= LIMITS.TICKETS_PER_SUBJECT
}

interface Wanted {
  readonly trackerId: number
  readonly subject: Subject
  readonly draft: Draft
}

/** Nothing of the one before it is left, and whoever looks at that one notes nothing any more. */
const anew = ({ turn }: Pick<TicketTable, 'turn'>) => ({
  marker: randomUUID(),
  remote_id: '',
  key: '',
  url: '',
  wanted: null,
  turn: turn + 1,
  taken_until: null,
  first_tried_at: null,
})

/** Why a ticket of a tracker that is to be left alone is not made at once; null for others. */
const whyItWaits = async (transaction: LedgerTransaction, trackerId: number, now: number): Promise<string | null> => {
  const resting = await transaction
    .selectFrom('trackers')
    .select('last_error')
    .where('id', '=', trackerId)
    .where('quiet_until', '>', now)
    .executeTakeFirst()
  return resting?.last_error ?? null
}

/**
 * Notes that a ticket is to be made: once for each tracker and subject. Asked again it is the same one; one that failed is
 * tried anew, with what it says now, and one that is gone is made anew.
 */
const make =
  (ledger: Ledger) =>
  (actor: TicketActor, { trackerId, subject, draft }: Wanted): Promise<Result<number, 'too_many'>> =>
    ledger.transaction(async (transaction) => {
      const { organizationId, now } = actor
      const [before] = await ofSubject(transaction, organizationId, subject)
        .where('tickets.tracker_id', '=', trackerId)
        .where('tickets.is_linked', '=', 0)
        .execute()
      if (before !== undefined) {
        if (before.state === 'failed' || before.state === 'gone') {
          const error = await whyItWaits(transaction, trackerId, now)
          await transaction
            .updateTable('tickets')
            .set({
              ...(before.state === 'gone' ? anew(before) : {}),
              state: 'creating',
              draft: JSON.stringify(draft),
              title: draft.title,
              error,
              attempts: 0,
              due_at: now,
            })
            .where('id', '=', before.id)
            .execute()
        }
        return ok(before.id)
      }
      if (await isFull(transaction, organizationId, subject)) return err('too_many')
      const { id } = await transaction
        .insertInto('tickets')
        .values({
          ...rowOf(actor, trackerId, subject),
          draft: JSON.stringify(draft),
          is_linked: 0,
          remote_id: '',
          key: '',
          url: '',
          title: draft.title,
          state: 'creating',
          error: await whyItWaits(transaction, trackerId, now),
          due_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return ok(id)
    })

interface Found {
  readonly trackerId: number
  readonly subject: Subject
  readonly remote: RemoteTicket
}

/** A ticket that is linked already stays as it is. */
const link =
  (ledger: Ledger) =>
  (actor: TicketActor, { trackerId, subject, remote }: Found): Promise<Result<number, 'too_many'>> =>
    ledger.transaction(async (transaction) => {
      const { organizationId } = actor
      const [before] = await ofSubject(transaction, organizationId, subject)
        .where('tickets.tracker_id', '=', trackerId)
        .where('tickets.remote_id', '=', remote.id)
        .execute()
      if (before !== undefined) return ok(before.id)
      if (await isFull(transaction, organizationId, subject)) return err('too_many')
      const { id } = await transaction
        .insertInto('tickets')
        .values({
          ...rowOf(actor, trackerId, subject),
          draft: '',
          is_linked: 1,
          remote_id: remote.id,
          key: remote.key,
          url: remote.url,
          title: remote.title,
          state: remote.state,
          due_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return ok(id)
    })

const remove =
  ({ db }: Ledger) =>
  async ({ organizationId, now }: TicketActor, id: number): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('tickets')
      .set({ deleted_at: now })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

/** What happened meanwhile is asked for. @returns false when it is gone, or another was made in its place */
const restore =
  (ledger: Ledger) =>
  ({ organizationId, now }: TicketActor, id: number): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom('tickets')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return false
      if (row.deleted_at === null) return true
      const another = await transaction
        .selectFrom('tickets')
        .select('id')
        .where('tracker_id', '=', row.tracker_id)
        .where(row.issue_id === null ? 'feedback_id' : 'issue_id', '=', row.issue_id ?? row.feedback_id)
        .where(({ eb, or, and }) =>
          or([
            and([eb('is_linked', '=', 0), eb.val(row.is_linked === 0)]),
            and([eb('remote_id', '=', row.remote_id), eb('remote_id', '!=', '')]),
          ]),
        )
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (another !== undefined) return false
      await transaction
        .updateTable('tickets')
        .set(({ eb }) => ({
          deleted_at: null,
          asked: eb('asked', '+', 1),
          attempts: 0,
          due_at: now,
          state: row.state === 'failed' ? 'creating' : row.state,
        }))
        .where('id', '=', id)
        .execute()
      return true
    })

/** Of which tickets nobody told us anything. */
interface Untold {
  /** Only of this tracker; null for all. */
  readonly trackerId: number | null
  /** Those that were not looked at since. */
  readonly since: number
}

/** Tickets of which something may be known that we do not know, by how long each tracker has not been asked for them. */
const byLongestWait = ({ db }: Ledger, { trackerId }: Untold, now: number) =>
  db
    .selectFrom('tickets')
    .select(['id', 'due_at', 'looked_at'])
    // What waits already has its place before them.
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((over) =>
          over
            .partitionBy('tracker_id')
            .orderBy(({ eb }) => eb.case().when('due_at', 'is', null).then(1).else(0).end())
            .orderBy('looked_at')
            .orderBy('id'),
        )
        .as('place'),
    )
    .$if(trackerId !== null, (query) => query.where('tracker_id', '=', trackerId))
    .where('state', 'in', ['open', 'closed'])
    .where('deleted_at', 'is', null)
    .where('created_at', '>', now - LIMITS.TICKET_REVISIT_AGE_MS)

/** Makes tickets due of which nobody told us anything, one after the other, and of no tracker all at once. */
const revisit =
  (ledger: Ledger) =>
  async (untold: Untold, now: number): Promise<void> => {
    const { db } = ledger
    await db
      .updateTable('tickets')
      .set(({ eb }) => ({
        asked: eb('asked', '+', 1),
        attempts: 0,
        // Neighbours are apart; said to be numbers: PostgreSQL takes what is only given for text.
        due_at: sql<number>`CAST(${now} AS bigint) + (id * ${APART}) % CAST(${LIMITS.TICKET_REVISIT_SPREAD_MS} AS bigint)`,
      }))
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom(byLongestWait(ledger, untold, now).as('waiting'))
          .select('waiting.id')
          .where('waiting.place', '<=', LIMITS.TICKET_REVISITS)
          .where('waiting.due_at', 'is', null)
          .where('waiting.looked_at', '<=', untold.since),
      )
      .where('taken_until', 'is', null)
      .execute()
  }

/** Ids of issues with a ticket that is shown beside them. */
const issuesWithTickets =
  ({ db }: Ledger) =>
  async (organizationId: number): Promise<readonly number[]> => {
    const rows = await shownBeside(db, organizationId)
      .innerJoin('issues', 'issues.id', 'tickets.issue_id')
      // Connections are few: tickets are found by theirs.
      .where('trackers.organization_id', '=', organizationId)
      .clearSelect()
      .select(sql<number>`coalesce(issues.merged_into_id, issues.id)`.as('id'))
      .distinct()
      .execute()
    return rows.map(({ id }) => id)
  }

/** Tickets. Every call names its organisation; those of others do not exist. */
export const createTickets = ({ ledger }: { readonly ledger: Ledger }) => ({
  find: async (organizationId: number, id: number): Promise<TicketRecord | null> => {
    const row = await shown(ledger.db, organizationId).where('tickets.id', '=', id).executeTakeFirst()
    return row === undefined ? null : toRecord(row)
  },
  list: async (organizationId: number, subject: Subject): Promise<readonly TicketRecord[]> => {
    const rows = await ofSubject(ledger.db, organizationId, subject)
      .orderBy('tickets.id')
      .limit(LIMITS.TICKETS_PER_SUBJECT)
      .execute()
    return rows.map(toRecord)
  },
  /** Of many issues at once, those that are there. */
  ofIssues: async (
    organizationId: number,
    issues: ReadonlyMap<number, readonly number[]>,
  ): Promise<ReadonlyMap<number, readonly TicketOfIssue[]>> => {
    const owners = new Map([...issues].flatMap(([id, stored]) => stored.map((one) => [one, id] as const)))
    const found = new Map<number, TicketOfIssue[]>()
    for (const ids of chunks([...owners.keys()], ROWS_PER_STATEMENT)) {
      const rows = await shownBeside(ledger.db, organizationId)
        .where('tickets.issue_id', 'in', ids)
        .orderBy('tickets.id')
        .execute()
      for (const row of rows) {
        const id = owners.get(row.issue_id ?? 0)
        const ticket = { key: fullKeyOf(row), url: row.url }
        if (id !== undefined) found.set(id, [...(found.get(id) ?? []), ticket])
      }
    }
    return found
  },
  issuesWithTickets: issuesWithTickets(ledger),
  make: make(ledger),
  link: link(ledger),
  remove: remove(ledger),
  restore: restore(ledger),

  /** Asks for a look at its tracker, as if nothing had failed before. */
  check: async ({ organizationId, now }: TicketActor, id: number): Promise<void> => {
    await ledger.db
      .updateTable('tickets')
      .set(({ eb }) => ({
        asked: eb('asked', '+', 1),
        attempts: 0,
        due_at: now,
        state: eb
          .case()
          .when('state', '=', 'failed')
          .then('creating' as const)
          .else(eb.ref('state'))
          .end(),
      }))
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .execute()
  },

  /** A tracker says that something changed of these: they are looked at. @returns how many are ours */
  heard: async (
    transaction: LedgerTransaction,
    trackerId: number,
    remoteIds: readonly string[],
    now: number,
  ): Promise<number> => {
    if (remoteIds.length === 0) return 0
    const { numUpdatedRows } = await transaction
      .updateTable('tickets')
      .set(({ eb }) => ({ asked: eb('asked', '+', 1), attempts: 0, due_at: now }))
      .where('tracker_id', '=', trackerId)
      .where('remote_id', 'in', [...remoteIds])
      .where('deleted_at', 'is', null)
      .execute()
      .then(([result]) => result ?? { numUpdatedRows: 0n })
    return Number(numUpdatedRows)
  },

  revisit: revisit(ledger),

  /** Those that were taken off and that nobody can put back any more. */
  forgetRemoved: async (now: number): Promise<void> => {
    await ledger.db
      .deleteFrom('tickets')
      .where('deleted_at', '<', now - LIMITS.TRACKER_RESTORE_MS)
      .execute()
  },
})
