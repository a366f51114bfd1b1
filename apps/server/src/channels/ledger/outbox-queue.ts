import { sql, type Kysely, type SelectQueryBuilder } from 'kysely'
import { HOUR_MS } from '../../lib/durations.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import type { LedgerSchema } from '../../storage/ledger/schema.ts'
import { LIMITS } from '../limits.ts'
import type { Message } from '../message.ts'
import { heldMessage } from '../told-together.ts'
import type { OutboxTable } from './schema.ts'

type Executor = Kysely<LedgerSchema> | LedgerTransaction

/** A message that was taken to be sent. */
export interface TakenMessage {
  readonly id: number
  readonly organizationId: number
  readonly key: string
  readonly lane: string
  readonly way: OutboxTable['way']
  readonly channelId: number | null
  readonly userId: number | null
  readonly unsubscribe: string | null
  readonly address: string | null
  readonly name: string | null
  readonly incidentId: number | null
  readonly message: Message
  /** Of the message's thread. */
  readonly thread: string
  /** This one included. It is the fence: whoever comes back after another try began changes nothing. */
  readonly attempt: number
  readonly createdAt: number
  /** What the first message of its thread is called there; null for none. */
  readonly remote: string | null
  /** Messages that were held back, or are told by this one because they came too late. */
  readonly within: { readonly count: number; readonly headlines: readonly string[] }
}

/** What is not taken now. */
export interface Busy {
  readonly ways: readonly OutboxTable['way'][]
  readonly lanes: readonly string[]
  readonly organizations: readonly number[]
}

/** How a try ended. */
export interface TryRecord {
  readonly durationMs: number
  /** As JSON, without secrets. */
  readonly request: string
  readonly status: number | null
  readonly answer: string | null
  readonly remoteAddress: string | null
  readonly error: string | null
}

export type TryOutcome =
  | { readonly kind: 'sent'; readonly remote: string | null }
  | { readonly kind: 'again'; readonly at: number; readonly forgetsThread: boolean }
  | { readonly kind: 'failed' }

const ATTEMPTS: Readonly<Record<OutboxTable['way'], number>> = {
  call: LIMITS.DELIVERY_ATTEMPTS,
  mail: LIMITS.DELIVERY_MAIL_ATTEMPTS,
}

const LEASES: Readonly<Record<OutboxTable['way'], number>> = {
  call: LIMITS.DELIVERY_LEASE_MS,
  mail: LIMITS.DELIVERY_MAIL_LEASE_MS,
}

/** What becomes of an incident, and what the last word about it makes outdated. */
const TELLING = ['update', 'over'] as const
const OUTDATED = ['first', 'update'] as const

/** Messages that wait, or whose sender is gone, before which nothing else of their thread waits. */
const firstInLine = (
  db: Executor,
  { ways, lanes, organizations }: Busy,
): SelectQueryBuilder<LedgerSchema, 'outbox', object> =>
  db
    .selectFrom('outbox')
    .where('outbox.due_at', 'is not', null)
    .where('outbox.way', 'not in', ['', ...ways] as OutboxTable['way'][])
    .where('outbox.lane', 'not in', ['', ...lanes])
    .where('outbox.organization_id', 'not in', [0, ...organizations])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('outbox as earlier')
            .select(sql<number>`1`.as('one'))
            .whereRef('earlier.lane', '=', 'outbox.lane')
            .whereRef('earlier.thread', '=', 'outbox.thread')
            .whereRef('earlier.id', '<', 'outbox.id')
            .where('earlier.due_at', 'is not', null)
            // One that failed before may be overtaken by one that says what has become of it, and tells of it then.
            .where(({ and, not: never, eb }) =>
              never(
                and([
                  eb('outbox.stage', 'in', TELLING),
                  eb('earlier.stage', 'in', OUTDATED),
                  eb('earlier.state', '=', 'waiting'),
                  eb('earlier.attempts', '>', 0),
                ]),
              ),
            ),
        ),
      ),
    )
    .orderBy('outbox.due_at')
    .orderBy('outbox.id')

const nextId = async (
  { dialect }: Ledger,
  transaction: LedgerTransaction,
  now: number,
  busy: Busy,
): Promise<number | null> => {
  const row = await firstInLine(transaction, busy)
    .select('outbox.id')
    .where('outbox.due_at', '<=', now)
    .limit(1)
    // Several processes send: what one looks at, the others pass over.
    .$if(dialect === 'postgres', (query) => query.forUpdate('outbox').skipLocked())
    .executeTakeFirst()
  return row?.id ?? null
}

type Row = Awaited<ReturnType<typeof readRow>>
const readRow = (transaction: LedgerTransaction, id: number) =>
  transaction.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Whether it does not go at all, or not by itself; then that is noted. */
const isPassedOver = async (transaction: LedgerTransaction, row: Row, now: number): Promise<boolean> => {
  if (row.expires_at !== null && row.expires_at <= now) {
    await end(transaction, row.id, { state: 'expired', error: 'It could not be sent before it was out of date.' })
    return true
  }
  // Each of its tries ended without a word, and so would the next one.
  if (row.state === 'sending' && row.attempts >= ATTEMPTS[row.way]) {
    await end(transaction, row.id, {
      state: 'failed',
      error: 'It was tried often, and this server ended over each try.',
    })
    return true
  }
  const later = await laterThatTells(transaction, row, now)
  if (later !== null) {
    await fold(transaction, row.id, later)
    return true
  }
  if (row.stage === 'update' || row.stage === 'over') await foldEarlier(transaction, row)
  const until = await heldUntil(transaction, row, now)
  if (until === null) return false
  await end(transaction, row.id, { state: 'held', within_id: await holder(transaction, row, until, now) })
  return true
}

const end = async (
  transaction: LedgerTransaction,
  id: number,
  change: { readonly state: OutboxTable['state']; readonly error?: string; readonly within_id?: number },
): Promise<void> => {
  await transaction
    .updateTable('outbox')
    .set({ ...change, due_at: null })
    .where('id', '=', id)
    .execute()
}

/** The newest message of the thread that says what has become of it, for one that is late; null where it has to go itself. */
const laterThatTells = async (transaction: LedgerTransaction, row: Row, now: number): Promise<number | null> => {
  if (!(row.stage === 'first' || row.stage === 'update') || now - row.created_at < LIMITS.DELIVERY_FOLD_MS) return null
  const later = await transaction
    .selectFrom('outbox')
    .select('id')
    .where('lane', '=', row.lane)
    .where('thread', '=', row.thread)
    .where('id', '>', row.id)
    .where('state', '=', 'waiting')
    .where('due_at', 'is not', null)
    .where('stage', 'in', TELLING)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return later?.id ?? null
}

const fold = async (transaction: LedgerTransaction, id: number, into: number): Promise<void> => {
  await end(transaction, id, { state: 'folded', within_id: into })
  await transaction.updateTable('outbox').set({ within_id: into }).where('within_id', '=', id).execute()
}

/** Those that this one has overtaken. */
const foldEarlier = async (transaction: LedgerTransaction, row: Row): Promise<void> => {
  const earlier = await transaction
    .selectFrom('outbox')
    .select('id')
    .where('lane', '=', row.lane)
    .where('thread', '=', row.thread)
    .where('id', '<', row.id)
    .where('due_at', 'is not', null)
    .where('state', '=', 'waiting')
    .where('stage', 'in', OUTDATED)
    .orderBy('id')
    .execute()
  for (const { id } of earlier) await fold(transaction, id, row.id)
}

const HELD = 'held:'

/** Until when no more goes to this receiver, or from this organisation; null where it may go. */
const heldUntil = async (transaction: LedgerTransaction, row: Row, now: number): Promise<number | null> => {
  if (row.attempts > 0 || row.key.startsWith(HELD)) return null
  // An end is told to whoever was told the beginning.
  if (row.stage === 'over' && (await wasTold(transaction, row))) return null
  const since = now - HOUR_MS
  const ofLane = await sentSince(transaction, since, LIMITS.CHANNEL_MESSAGES_PER_HOUR, (query) =>
    query.where('lane', '=', row.lane),
  )
  if (ofLane !== null) return ofLane + HOUR_MS
  if (row.channel_id === null) return null
  const ofAll = await sentSince(transaction, since, LIMITS.ORGANIZATION_MESSAGES_PER_HOUR, (query) =>
    query.where('organization_id', '=', row.organization_id).where('channel_id', 'is not', null),
  )
  return ofAll === null ? null : ofAll + HOUR_MS
}

type SentQuery = SelectQueryBuilder<LedgerSchema, 'outbox', { sent_at: number | null }>

/** When the oldest of the last `limit` was sent, if there were as many since then; null otherwise. */
const sentSince = async (
  transaction: LedgerTransaction,
  since: number,
  limit: number,
  of: (query: SentQuery) => SentQuery,
): Promise<number | null> => {
  const query = of(transaction.selectFrom('outbox').select('sent_at').where('sent_at', '>', since))
  const row = await query
    .orderBy('sent_at', 'desc')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.sent_at ?? null
}

const wasTold = async (transaction: LedgerTransaction, { lane, thread, id }: Row): Promise<boolean> =>
  (await transaction
    .selectFrom('outbox')
    .select('id')
    .where('lane', '=', lane)
    .where('sent_at', 'is not', null)
    .where('thread', '=', thread)
    .where('id', '<', id)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** The message that says how many were held back, of which each receiver has one at a time. */
const holder = async (transaction: LedgerTransaction, row: Row, until: number, now: number): Promise<number> => {
  const waiting = await transaction
    .selectFrom('outbox')
    .select('id')
    .where('lane', '=', row.lane)
    .where('thread', '=', HELD)
    .where('state', '=', 'waiting')
    .where('due_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (waiting !== undefined) return waiting.id
  const { id } = await transaction
    .insertInto('outbox')
    .values({
      organization_id: row.organization_id,
      key: `${HELD}${row.id}`,
      lane: row.lane,
      way: row.way,
      channel_id: row.channel_id,
      user_id: row.user_id,
      unsubscribe: row.unsubscribe,
      address: row.address,
      name: row.name,
      message: JSON.stringify(heldMessage),
      thread: HELD,
      stage: 'single',
      state: 'waiting',
      due_at: until,
      expires_at: null,
      attempts: 0,
      within_id: null,
      rule_id: null,
      incident_id: null,
      error: null,
      created_at: now,
      sent_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const toTaken = async (transaction: LedgerTransaction, row: Row): Promise<TakenMessage> => {
  const remote = await transaction
    .selectFrom('outbox_threads')
    .select('remote')
    .where('lane', '=', row.lane)
    .where('thread', '=', row.thread)
    .executeTakeFirst()
  const { count } = await transaction
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('within_id', '=', row.id)
    .executeTakeFirstOrThrow()
  const named =
    count === 0
      ? []
      : await transaction
          .selectFrom('outbox')
          .select('message')
          .where('within_id', '=', row.id)
          .orderBy('id')
          .limit(LIMITS.MESSAGES_NAMED)
          .execute()
  return {
    id: row.id,
    organizationId: row.organization_id,
    key: row.key,
    lane: row.lane,
    way: row.way,
    channelId: row.channel_id,
    userId: row.user_id,
    unsubscribe: row.unsubscribe,
    address: row.address,
    name: row.name,
    incidentId: row.incident_id,
    message: JSON.parse(row.message) as Message,
    thread: row.thread,
    attempt: row.attempts + 1,
    createdAt: row.created_at,
    remote: remote?.remote ?? null,
    within: { count, headlines: named.map(({ message }) => (JSON.parse(message) as Message).headline) },
  }
}

const release = async (
  transaction: LedgerTransaction,
  { id, attempt }: { readonly id: number; readonly attempt: number },
  change: {
    readonly state: OutboxTable['state']
    readonly due_at: number | null
    readonly attempts?: number
    readonly sent_at?: number
    readonly error?: string | null
  },
): Promise<boolean> => {
  const { numUpdatedRows } = await transaction
    .updateTable('outbox')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .where('attempts', '=', attempt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @param error what went wrong; also of what was sent, where not all of its receivers have it */
const noteReach = async (
  transaction: LedgerTransaction,
  { channelId, isSent, error }: { readonly channelId: number; readonly isSent: boolean; readonly error: string | null },
  now: number,
): Promise<void> => {
  await transaction
    .updateTable('channels')
    .set(({ fn, val, ref }) =>
      isSent
        ? { failing_since: null, last_sent_at: now, last_error: error }
        : { failing_since: fn.coalesce(ref('failing_since'), val(now)), last_error: error },
    )
    .where('id', '=', channelId)
    .execute()
}

/** So many are passed over before others may write. */
const PASSED_OVER_AT_ONCE = 50

/** Takes the next one that is due: for a while it is nobody else's. */
const take =
  (ledger: Ledger) =>
  async (now: number, busy: Busy): Promise<TakenMessage | null> => {
    for (;;) {
      const taken = await ledger.transaction((transaction) => takeOrPass(ledger, transaction, now, busy))
      if (taken !== 'passed') return taken
    }
  }

const takeOrPass = async (
  ledger: Ledger,
  transaction: LedgerTransaction,
  now: number,
  busy: Busy,
): Promise<TakenMessage | null | 'passed'> => {
  for (let passed = 0; passed < PASSED_OVER_AT_ONCE; passed += 1) {
    const id = await nextId(ledger, transaction, now, busy)
    if (id === null) return null
    const row = await readRow(transaction, id)
    if (await isPassedOver(transaction, row, now)) continue
    await transaction
      .updateTable('outbox')
      .set({ state: 'sending', due_at: now + LEASES[row.way], attempts: row.attempts + 1 })
      .where('id', '=', id)
      .execute()
    await transaction
      .insertInto('outbox_attempts')
      .values({
        outbox_id: id,
        number: row.attempts + 1,
        started_at: now,
        duration_ms: null,
        request: '{}',
        status: null,
        answer: null,
        remote_address: null,
        error: null,
      })
      .execute()
    return toTaken(transaction, row)
  }
  return 'passed'
}

/** @returns false when it was somebody else's by now: nothing is changed */
const finish =
  (ledger: Ledger) =>
  (taken: TakenMessage, outcome: TryOutcome, record: TryRecord, now: number): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const { id, attempt, lane, thread, organizationId, channelId } = taken
      const change =
        outcome.kind === 'sent'
          ? { state: 'sent' as const, due_at: null, sent_at: now, error: record.error }
          : outcome.kind === 'again'
            ? { state: 'waiting' as const, due_at: outcome.at, error: record.error }
            : { state: 'failed' as const, due_at: null, error: record.error }
      if (!(await release(transaction, { id, attempt }, change))) return false
      await transaction
        .updateTable('outbox_attempts')
        .set({
          duration_ms: record.durationMs,
          request: record.request,
          status: record.status,
          answer: record.answer,
          remote_address: record.remoteAddress,
          error: record.error,
        })
        .where('outbox_id', '=', id)
        .where('number', '=', attempt)
        .execute()
      if (outcome.kind === 'again' && outcome.forgetsThread) {
        await transaction.deleteFrom('outbox_threads').where('lane', '=', lane).where('thread', '=', thread).execute()
      }
      if (outcome.kind === 'sent' && outcome.remote !== null) {
        const remote = { remote: outcome.remote, changed_at: now }
        await transaction
          .insertInto('outbox_threads')
          .values({ organization_id: organizationId, lane, thread, ...remote })
          .onConflict((conflict) => conflict.columns(['lane', 'thread']).doUpdateSet(remote))
          .execute()
      }
      if (channelId !== null) {
        await noteReach(transaction, { channelId, isSent: outcome.kind === 'sent', error: record.error }, now)
      }
      return true
    })

/** Removes what was over long ago, in steps between which others write. */
const forgetOld =
  ({ db }: Ledger) =>
  async (now: number): Promise<void> => {
    await db
      .deleteFrom('outbox_threads')
      .where('changed_at', '<', now - LIMITS.OUTBOX_THREAD_MS)
      .execute()
    for (;;) {
      const { numDeletedRows } = await db
        .deleteFrom('outbox')
        .where('id', 'in', (query) =>
          query
            .selectFrom('outbox')
            .select('id')
            .where('created_at', '<', now - LIMITS.OUTBOX_KEEP_MS)
            .where('due_at', 'is', null)
            .orderBy('created_at')
            .limit(LIMITS.OUTBOX_STEP_ROWS),
        )
        .executeTakeFirst()
      if (Number(numDeletedRows) < LIMITS.OUTBOX_STEP_ROWS) return
    }
  }

/** Messages in the order in which they may go: those of one thread to one receiver one after the other. */
export const createOutboxQueue = ({ ledger }: { readonly ledger: Ledger }) => ({
  take: take(ledger),
  finish: finish(ledger),

  /** When the next one is due; null for none. */
  nextDueAt: async (busy: Busy): Promise<number | null> => {
    const row = await firstInLine(ledger.db, busy).select('outbox.due_at').limit(1).executeTakeFirst()
    return row?.due_at ?? null
  },

  /** Puts one back that could not be tried, as if it had not been taken. */
  putBack: ({ id, attempt }: TakenMessage, at: number): Promise<void> =>
    ledger.transaction(async (transaction) => {
      if (!(await release(transaction, { id, attempt }, { state: 'waiting', due_at: at, attempts: attempt - 1 })))
        return
      await transaction
        .deleteFrom('outbox_attempts')
        .where('outbox_id', '=', id)
        .where('number', '=', attempt)
        .execute()
    }),

  /** Nothing of these goes before: their host rests. */
  rest: async (lane: string, until: number): Promise<void> => {
    await ledger.db
      .updateTable('outbox')
      .set({ due_at: until })
      .where('lane', '=', lane)
      .where('state', '=', 'waiting')
      .where('due_at', '<', until)
      .execute()
  },

  /** All that waits for another try goes now: who did not answer answers again. */
  hurry: async (of: 'lane' | 'way', value: string, now: number): Promise<void> => {
    await ledger.db
      .updateTable('outbox')
      .set({ due_at: now })
      .where(of, '=', value as OutboxTable['way'])
      .where('state', '=', 'waiting')
      .where('due_at', '>', now)
      // What was never tried may have to wait for its own time.
      .where('attempts', '>', 0)
      .execute()
  },

  /**
   * A server begins: what the one before it had under way is tried again at once, and nobody waits for the end of its leases.
   * On PostgreSQL others may be at work.
   */
  takeOver: async (now: number): Promise<void> => {
    if (ledger.dialect !== 'sqlite') return
    await ledger.db
      .updateTable('outbox')
      .set({ due_at: now })
      .where('state', '=', 'sending')
      .where('due_at', '>', now)
      .execute()
  },

  forgetOld: forgetOld(ledger),
})

export type OutboxQueue = ReturnType<typeof createOutboxQueue>
