import { sql } from 'kysely'
import type { FeedbackActor } from '../inbox.store.ts'
import type { DueMail, Thread, ThreadMessage } from '../threads.store.ts'
import { movedReport } from '../report-facts.ts'
import { LIMITS } from '../limits.ts'
import { noteFacts, shorten, shortenOrNull } from '../../facts/index.ts'
import { eventIdOfReport } from './event-of-report.ts'
import { HOUR_MS } from '../../lib/durations.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'

type Executor = Ledger['db'] | LedgerTransaction

const messagesOf = async (db: Executor, feedbackId: number): Promise<ThreadMessage[]> => {
  const rows = await db
    .selectFrom('feedback_messages')
    .leftJoin('users', 'users.id', 'feedback_messages.user_id')
    .selectAll('feedback_messages')
    .select(['users.name', 'users.email'])
    .where('feedback_messages.feedback_id', '=', feedbackId)
    .orderBy('feedback_messages.id')
    .limit(LIMITS.FEEDBACK_THREAD_MESSAGES)
    .execute()
  return rows.map(toMessage)
}

const toMessage = (row: {
  readonly id: number
  readonly author: ThreadMessage['author']
  readonly user_id: number | null
  readonly name: string | null
  readonly email: string | null
  readonly text: string
  readonly delivery: ThreadMessage['delivery']
  readonly attempts: number
  readonly error: string | null
  readonly created_at: number
}): ThreadMessage => ({
  id: row.id,
  author: row.author,
  user: row.user_id === null || row.email === null ? null : { id: row.user_id, name: row.name ?? '', email: row.email },
  text: row.text,
  delivery: row.delivery,
  attempts: row.attempts,
  error: row.error,
  createdAt: row.created_at,
})

/** Of each of these threads the newest messages, oldest first. */
export const newestMessages = async (
  db: Executor,
  feedbackIds: readonly number[],
  limit: number,
): Promise<ReadonlyMap<number, readonly ThreadMessage[]>> => {
  if (feedbackIds.length === 0) return new Map()
  const rows = await db
    .selectFrom((all) =>
      all
        .selectFrom('feedback_messages')
        .selectAll()
        .select(sql<number>`row_number() OVER (PARTITION BY feedback_id ORDER BY id DESC)`.as('place'))
        .where('feedback_id', 'in', [...feedbackIds])
        .as('message'),
    )
    .leftJoin('users', 'users.id', 'message.user_id')
    .selectAll('message')
    .select(['users.name', 'users.email'])
    .where('message.place', '<=', limit)
    .orderBy('message.id')
    .execute()
  const threads = Map.groupBy(rows, (row) => row.feedback_id)
  return new Map([...threads].map(([id, own]) => [id, own.map(toMessage)]))
}

const countMessages = async (db: LedgerTransaction, feedbackId: number, reporterSince: number | null) => {
  let query = db
    .selectFrom('feedback_messages')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('feedback_id', '=', feedbackId)
  if (reporterSince !== null) query = query.where('author', '=', 'reporter').where('created_at', '>', reporterSince)
  return (await query.executeTakeFirst())?.count ?? 0
}

export const addMessage = (
  transaction: LedgerTransaction,
  message: {
    readonly feedbackId: number
    readonly author: ThreadMessage['author']
    readonly userId: number | null
    readonly text: string
    readonly delivery: 'queued' | 'page' | null
    readonly now: number
  },
) =>
  transaction
    .insertInto('feedback_messages')
    .values({
      feedback_id: message.feedbackId,
      author: message.author,
      user_id: message.userId,
      text: message.text,
      delivery: message.delivery,
      attempts: 0,
      error: null,
      due_at: message.delivery === 'queued' ? message.now : null,
      sent_at: null,
      created_at: message.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

export const noteActivity = (
  transaction: LedgerTransaction,
  entry: { readonly feedbackId: number; readonly userId: number | null; readonly type: string; readonly now: number },
  data: Readonly<Record<string, unknown>> = {},
) =>
  transaction
    .insertInto('feedback_activity')
    .values({
      feedback_id: entry.feedbackId,
      user_id: entry.userId,
      type: entry.type,
      data: JSON.stringify(data),
      created_at: entry.now,
    })
    .execute()

/** Without the rest of the details, which a stranger may have made a megabyte. */
export const localeIn = ({ dialect }: Pick<Ledger, 'dialect'>) =>
  dialect === 'sqlite'
    ? sql<string>`coalesce(json_extract(feedback.details, '$.locale'), '')`
    : sql<string>`coalesce(feedback.details::json ->> 'locale', '')`

export type Threads = ReturnType<typeof createLedgerThreads>

/** Messages between reporters and the team, and the mails that carry them. */
export const createLedgerThreads = ({ ledger }: { readonly ledger: Ledger }) => ({
  messages: messages(ledger),
  reply: reply(ledger),
  byToken: byToken(ledger),
  answer: answer(ledger),
  nextMailAt: nextMailAt(ledger),
  takeDueMails: takeDueMails(ledger),
  countSent: countSent(ledger),
  countUnasked: countUnasked(ledger),
  mailSent: mailSent(ledger),
  mailFailed: mailFailed(ledger),
  /** The address or the server's way to it is limited; tried later, without counting. */
  postponeMail: async (messageId: number, until: number): Promise<void> => {
    await ledger.db.updateTable('feedback_messages').set({ due_at: until }).where('id', '=', messageId).execute()
  },
  linkLateEvents: linkLateEvents(ledger),
})

/** Oldest first. */
const messages =
  (ledger: Ledger) =>
  async (organizationId: number, feedbackId: number): Promise<readonly ThreadMessage[]> => {
    const row = await ledger.db
      .selectFrom('feedback')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', '=', feedbackId)
      .executeTakeFirst()
    return row === undefined ? [] : messagesOf(ledger.db, row.id)
  }

/** Null when there is no such report, `full` when its thread is. */
const reply =
  (ledger: Ledger) =>
  (
    actor: FeedbackActor,
    feedbackId: number,
    {
      text,
      delivery,
      resolve,
    }: { readonly text: string; readonly delivery: 'queued' | 'page'; readonly resolve: boolean },
  ): Promise<ThreadMessage | 'full' | null> =>
    ledger.transaction(async (transaction) => {
      const { now, userId } = actor
      const row = await transaction
        .selectFrom('feedback')
        .select(['id', 'status', 'project_id', 'issue_id'])
        .where('organization_id', '=', actor.organizationId)
        .where('id', '=', feedbackId)
        .executeTakeFirst()
      if (row === undefined) return null
      if ((await countMessages(transaction, row.id, null)) >= LIMITS.FEEDBACK_THREAD_MESSAGES) return 'full'
      const { id } = await addMessage(transaction, { feedbackId: row.id, author: 'agent', userId, text, delivery, now })
      await noteActivity(transaction, { feedbackId: row.id, userId, type: 'reply', now })
      const resolved = resolve && row.status !== 'resolved'
      if (resolved) {
        await noteActivity(transaction, { feedbackId: row.id, userId, type: 'set_resolved', now })
        await noteFacts(transaction, [movedReport(row, 'resolved', actor)], now)
      }
      await transaction
        .updateTable('feedback')
        .set({
          awaits_reply: 0,
          is_read: 1,
          last_activity_at: now,
          ...(resolved ? { status: 'resolved' as const } : {}),
        })
        .where('id', '=', row.id)
        .execute()
      return (await messagesOf(transaction, row.id)).find((message) => message.id === id) ?? null
    })

/** What the private page shows. Null when no report has this token, or its project is gone. */
const byToken =
  (ledger: Ledger) =>
  async (token: string): Promise<Thread | null> => {
    const row = await ledger.db
      .selectFrom('feedback')
      .innerJoin('projects', 'projects.id', 'feedback.project_id')
      .select(['feedback.id', 'feedback.status', 'feedback.message', 'feedback.created_at'])
      .select(localeIn(ledger).as('locale'))
      .select(['feedback.organization_id', 'feedback.project_id', 'projects.name', 'projects.settings'])
      .select(['feedback.event_id', 'feedback.attachments', 'feedback.url'])
      .where('feedback.thread_token', '=', token)
      .where('projects.deleted_at', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return null
    return {
      organizationId: row.organization_id,
      projectId: row.project_id,
      projectName: row.name,
      eventId: row.event_id,
      attachments: row.attachments,
      url: row.url,
      settings: row.settings,
      status: row.status,
      message: row.message,
      createdAt: row.created_at,
      locale: row.locale,
      messages: await messagesOf(ledger.db, row.id),
    }
  }

/** What the reporter writes there. */
const answer =
  (ledger: Ledger) =>
  (token: string, text: string, now: number): Promise<'ok' | 'unknown' | 'too_many' | 'full'> =>
    ledger.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom('feedback')
        .innerJoin('projects', 'projects.id', 'feedback.project_id')
        .select(['feedback.id', 'feedback.status', 'feedback.message', 'feedback.name'])
        .select(['feedback.organization_id', 'feedback.project_id', 'feedback.issue_id'])
        .where('feedback.thread_token', '=', token)
        .where('projects.deleted_at', 'is', null)
        .executeTakeFirst()
      if (row === undefined) return 'unknown'
      const lately = await countMessages(transaction, row.id, now - LIMITS.FEEDBACK_ANSWER_WINDOW_MS)
      if (lately >= LIMITS.FEEDBACK_ANSWERS_PER_WINDOW) return 'too_many'
      if ((await countMessages(transaction, row.id, null)) >= LIMITS.FEEDBACK_THREAD_MESSAGES) return 'full'
      await addMessage(transaction, { feedbackId: row.id, author: 'reporter', userId: null, text, delivery: null, now })
      await noteActivity(transaction, { feedbackId: row.id, userId: null, type: 'answer', now })
      // Spam stays where it is, whoever writes; everything else is open again, for somebody waits.
      const reopened = row.status === 'resolved' || row.status === 'archived' ? { status: 'open' as const } : {}
      await transaction
        .updateTable('feedback')
        // Who writes again is answered alone, also one who said the same as others.
        .set({ awaits_reply: 1, is_read: 0, last_activity_at: now, merged_into_id: null, ...reopened })
        .where('id', '=', row.id)
        .execute()
      if (row.status === 'spam') return 'ok'
      const fact = {
        organizationId: row.organization_id,
        projectId: row.project_id,
        kind: 'reporter_replied',
        issueId: row.issue_id,
        reportId: row.id,
        actorId: null,
        receivedAt: now,
        data: { text: shorten(text), message: shorten(row.message), name: shortenOrNull(row.name) },
      } as const
      await noteFacts(transaction, [fact], now)
      return 'ok'
    })

/** When the next message is to be sent by e-mail; null when none is. */
const nextMailAt = (ledger: Ledger) => async (): Promise<number | null> => {
  const row = await ledger.db
    .selectFrom('feedback_messages')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? null
}

/** Messages to be sent by e-mail now. Nobody else gets them until `leaseUntil`. */
const takeDueMails =
  (ledger: Ledger) =>
  (now: number, leaseUntil: number, limit: number): Promise<readonly DueMail[]> =>
    ledger.transaction(async (transaction) => {
      const rows = await transaction
        .selectFrom('feedback_messages')
        .innerJoin('feedback', 'feedback.id', 'feedback_messages.feedback_id')
        .innerJoin('projects', 'projects.id', 'feedback.project_id')
        .select(['feedback_messages.id', 'feedback_messages.author', 'feedback_messages.text'])
        .select('feedback_messages.attempts')
        .select(['feedback.email', 'feedback.name', 'feedback.message', 'feedback.thread_token'])
        .select(localeIn(ledger).as('locale'))
        .select(['feedback.organization_id', 'feedback.project_id'])
        .select(['feedback.created_at', 'projects.name as project_name', 'projects.settings'])
        .where('feedback_messages.due_at', '<=', now)
        .orderBy('feedback_messages.due_at')
        .limit(limit)
        .execute()
      await transaction
        .updateTable('feedback_messages')
        .set({ due_at: leaseUntil })
        .where('id', 'in', [0, ...rows.map((row) => row.id)])
        .execute()
      return rows.map((row) => ({
        messageId: row.id,
        organizationId: row.organization_id,
        projectId: row.project_id,
        author: row.author === 'system' ? ('system' as const) : ('agent' as const),
        text: row.text,
        attempts: row.attempts,
        email: row.email,
        reporterName: row.name,
        projectName: row.project_name,
        settings: row.settings,
        token: row.thread_token,
        reportText: row.message,
        reportedAt: row.created_at,
        locale: row.locale,
      }))
    })

/** Mails to this address since then. */
const countSent =
  (ledger: Ledger) =>
  async (email: string, since: number): Promise<number> => {
    const row = await ledger.db
      .selectFrom('feedback_messages')
      .innerJoin('feedback', 'feedback.id', 'feedback_messages.feedback_id')
      .select((expression) => expression.fn.countAll<number>().as('count'))
      .where('feedback_messages.sent_at', '>', since)
      .where(sql<string>`lower(feedback.email)`, '=', email.toLowerCase())
      .executeTakeFirst()
    return row?.count ?? 0
  }

/** Mails of a project that no person wrote. */
const countUnasked =
  (ledger: Ledger) =>
  async (projectId: number, since: number): Promise<number> => {
    const row = await ledger.db
      .selectFrom('feedback_messages')
      .innerJoin('feedback', 'feedback.id', 'feedback_messages.feedback_id')
      .select((expression) => expression.fn.countAll<number>().as('count'))
      .where('feedback_messages.sent_at', '>', since)
      .where('feedback_messages.author', '=', 'system')
      .where('feedback.project_id', '=', projectId)
      .executeTakeFirst()
    return row?.count ?? 0
  }

const mailSent =
  (ledger: Ledger) =>
  async (messageId: number, now: number): Promise<void> => {
    await ledger.db
      .updateTable('feedback_messages')
      .set((row) => ({ delivery: 'sent', sent_at: now, due_at: null, error: null, attempts: row('attempts', '+', 1) }))
      .where('id', '=', messageId)
      .execute()
  }

/** `retryAt` null: never again. */
const mailFailed =
  (ledger: Ledger) =>
  async (messageId: number, error: string, retryAt: number | null): Promise<void> => {
    await ledger.db
      .updateTable('feedback_messages')
      .set((row) => ({
        delivery: retryAt === null ? ('failed' as const) : ('queued' as const),
        due_at: retryAt,
        error,
        attempts: row('attempts', '+', 1),
      }))
      .where('id', '=', messageId)
      .execute()
  }

/** Gives reports of the last hour the issue of their event, if that came after them. */
const linkLateEvents =
  ({ db, dialect }: Ledger) =>
  async (now: number, limit: number): Promise<number> => {
    const rows = await db
      .selectFrom('feedback')
      .innerJoin('event_index', (join) =>
        join
          .onRef('event_index.project_id', '=', 'feedback.project_id')
          .on('event_index.event_id', '=', eventIdOfReport(dialect)),
      )
      .select(['feedback.id', 'event_index.issue_id'])
      .where('feedback.associated_event_id', 'is not', null)
      .where('feedback.issue_id', 'is', null)
      .where('feedback.is_unlinked', '=', 0)
      // By each project's own index.
      .where('feedback.project_id', 'in', db.selectFrom('projects').select('projects.id'))
      .where('feedback.created_at', '>', now - HOUR_MS)
      .limit(limit)
      .execute()
    for (const { id, issue_id } of rows) {
      await db.updateTable('feedback').set({ issue_id, linked_by: 'event' }).where('id', '=', id).execute()
    }
    return rows.length
  }
