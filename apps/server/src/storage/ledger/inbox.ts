import { sql } from 'kysely'
import type { FeedbackDetails } from '../../feedback/feedback.ts'
import type {
  FeedbackActivity,
  FeedbackActor,
  FeedbackRecord,
  Inbox,
  InboxSelection,
} from '../../feedback/inbox.store.ts'
import type { Ledger, LedgerTransaction } from './ledger.ts'

const escapeLike = (word: string): string => word.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)

const matching = (ledger: Ledger, selection: InboxSelection) => {
  let query = ledger.db
    .selectFrom('feedback')
    .innerJoin('projects', 'projects.id', 'feedback.project_id')
    .where('feedback.organization_id', '=', selection.organizationId)
    .where('projects.deleted_at', 'is', null)
    .where('feedback.merged_into_id', 'is', null)
  if (selection.projectIds !== null) query = query.where('feedback.project_id', 'in', [0, ...selection.projectIds])
  if (selection.mailbox === 'unread')
    query = query.where('feedback.status', '=', 'open').where('feedback.is_read', '=', 0)
  else if (selection.mailbox !== 'all') query = query.where('feedback.status', '=', selection.mailbox)
  for (const word of selection.words) {
    query = query.where(sql<boolean>`feedback.words LIKE ${`%${escapeLike(word)}%`} ESCAPE '\\'`)
  }
  const { assignedUserId } = selection
  if (assignedUserId !== undefined) {
    query =
      assignedUserId === null
        ? query.where('feedback.assigned_user_id', 'is', null)
        : query.where('feedback.assigned_user_id', '=', assignedUserId)
  }
  for (const [key, value] of selection.tags) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('feedback_tags')
          .select('feedback_tags.key')
          .whereRef('feedback_tags.feedback_id', '=', 'feedback.id')
          .where('feedback_tags.key', '=', key)
          .where('feedback_tags.value', '=', value),
      ),
    )
  }
  return query
}

const COUNT_NOTES = sql<number>`(SELECT count(*) FROM feedback_activity a WHERE a.feedback_id = feedback.id AND a.type = 'note')`
const COUNT_MERGED = sql<number>`(SELECT count(*) FROM feedback m WHERE m.merged_into_id = feedback.id)`

const load = async (ledger: Ledger, organizationId: number, ids: readonly number[]): Promise<FeedbackRecord[]> => {
  if (ids.length === 0) return []
  const rows = await ledger.db
    .selectFrom('feedback')
    .innerJoin('projects', 'projects.id', 'feedback.project_id')
    .leftJoin('users', 'users.id', 'feedback.assigned_user_id')
    .selectAll('feedback')
    .select([
      'projects.slug as project_slug',
      'projects.name as project_name',
      'projects.platform as project_platform',
      'users.name as user_name',
      'users.email as user_email',
      COUNT_NOTES.as('notes'),
      COUNT_MERGED.as('merged'),
    ])
    .where('feedback.organization_id', '=', organizationId)
    .where('feedback.id', 'in', ids)
    .where('projects.deleted_at', 'is', null)
    .execute()
  const tags = await ledger.db
    .selectFrom('feedback_tags')
    .selectAll()
    .where('feedback_id', 'in', ids)
    .orderBy('key')
    .execute()
  const records = await Promise.all(
    rows.map(async (row): Promise<FeedbackRecord> => ({
      id: row.id,
      eventId: row.event_id,
      project: { id: row.project_id, slug: row.project_slug, name: row.project_name, platform: row.project_platform },
      status: row.status,
      isRead: row.is_read === 1,
      source: row.source,
      message: row.message,
      name: row.name,
      email: row.email,
      url: row.url,
      browser: row.browser,
      os: row.os,
      environment: row.environment,
      release: row.release,
      tags: tags.filter((tag) => tag.feedback_id === row.id).map(({ key, value }) => ({ key, value })),
      details: JSON.parse(row.details) as FeedbackDetails,
      traceId: row.trace_id,
      replayId: row.replay_id,
      associatedEventId: row.associated_event_id,
      issueId: row.issue_id ?? (await issueOfEvent(ledger, row.project_id, row.associated_event_id)),
      assigned:
        row.assigned_user_id === null || row.user_name === null || row.user_email === null
          ? null
          : { id: row.assigned_user_id, name: row.user_name, email: row.user_email },
      spam: { score: row.spam_score, reasons: row.spam_reasons, decidedBy: row.spam_decided_by },
      attachments: row.attachments,
      notes: row.notes,
      merged: row.merged,
      awaitsReply: row.awaits_reply === 1,
      createdAt: row.created_at,
      lastActivityAt: row.last_activity_at,
    })),
  )
  const byId = new Map(records.map((record) => [record.id, record]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** A report may come before its event (protocol.md check 78). */
const issueOfEvent = async (ledger: Ledger, projectId: number, eventId: string | null): Promise<number | null> => {
  if (eventId === null) return null
  const row = await ledger.db
    .selectFrom('event_index')
    .innerJoin('issues', 'issues.id', 'event_index.issue_id')
    .select(['issues.id', 'issues.merged_into_id'])
    .where('event_index.project_id', '=', projectId)
    .where('event_index.event_id', '=', Buffer.from(eventId, 'hex'))
    .executeTakeFirst()
  return row === undefined ? null : (row.merged_into_id ?? row.id)
}

const own = (transaction: LedgerTransaction, organizationId: number, ids: readonly number[]) =>
  transaction
    .selectFrom('feedback')
    .select(['id', 'project_id', 'status', 'assigned_user_id', 'merged_into_id'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [0, ...ids])
    .execute()

const isMember = async (transaction: LedgerTransaction, organizationId: number, userId: number): Promise<boolean> =>
  (await transaction
    .selectFrom('members')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()) !== undefined

const note = (
  transaction: LedgerTransaction,
  { userId, now }: FeedbackActor,
  feedbackId: number,
  type: string,
  data: Readonly<Record<string, unknown>> = {},
) =>
  transaction
    .insertInto('feedback_activity')
    .values({ feedback_id: feedbackId, user_id: userId, type, data: JSON.stringify(data), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()

const activityOf = async (ledger: Ledger, organizationId: number, feedbackId: number): Promise<FeedbackActivity[]> => {
  const rows = await ledger.db
    .selectFrom('feedback_activity')
    .innerJoin('feedback', 'feedback.id', 'feedback_activity.feedback_id')
    .leftJoin('users', 'users.id', 'feedback_activity.user_id')
    .selectAll('feedback_activity')
    .select(['users.name', 'users.email'])
    .where('feedback.organization_id', '=', organizationId)
    .where('feedback.id', '=', feedbackId)
    .orderBy('feedback_activity.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    user:
      row.user_id === null || row.email === null ? null : { id: row.user_id, name: row.name ?? '', email: row.email },
    data: JSON.parse(row.data) as Record<string, unknown>,
    createdAt: row.created_at,
  }))
}

export const createLedgerInbox = ({ ledger }: { readonly ledger: Ledger }): Inbox => ({
  list: async (selection, { sort, limit, offset }) => {
    const base = matching(ledger, selection)
    const total = await base.select((expression) => expression.fn.countAll<number>().as('count')).executeTakeFirst()
    const column = sort === 'spam' ? 'feedback.spam_score' : 'feedback.created_at'
    const direction = sort === '-date' ? 'asc' : 'desc'
    const rows = await base
      .select('feedback.id')
      .orderBy(column, direction)
      .orderBy('feedback.id', direction)
      .limit(limit + 1)
      .offset(offset)
      .execute()
    return {
      rows: await load(
        ledger,
        selection.organizationId,
        rows.map((row) => row.id),
      ),
      hits: total?.count ?? 0,
    }
  },

  counts: async (organizationId, projectIds) => {
    const rows = await matching(ledger, { organizationId, projectIds, mailbox: 'all', words: [], tags: [] })
      .select(['feedback.status', 'feedback.is_read'])
      .select((expression) => expression.fn.countAll<number>().as('count'))
      .groupBy(['feedback.status', 'feedback.is_read'])
      .execute()
    const counts = { unread: 0, open: 0, resolved: 0, spam: 0, archived: 0 }
    for (const row of rows) {
      counts[row.status] += row.count
      if (row.status === 'open' && row.is_read === 0) counts.unread += row.count
    }
    return counts
  },

  find: async (organizationId, reference) => {
    let query = ledger.db.selectFrom('feedback').select('id').where('organization_id', '=', organizationId)
    if (/^[0-9a-f]{32}$/.test(reference)) query = query.where('event_id', '=', reference)
    else if (/^\d{1,15}$/.test(reference)) query = query.where('id', '=', Number(reference))
    else return null
    const row = await query.executeTakeFirst()
    return row === undefined ? null : ((await load(ledger, organizationId, [row.id]))[0] ?? null)
  },

  activity: (organizationId, feedbackId) => activityOf(ledger, organizationId, feedbackId),

  merged: async (organizationId, feedbackId) => {
    const rows = await ledger.db
      .selectFrom('feedback')
      .select('id')
      .where('merged_into_id', '=', feedbackId)
      .orderBy('id')
      .limit(100)
      .execute()
    return load(
      ledger,
      organizationId,
      rows.map((row) => row.id),
    )
  },

  ids: async (selection, limit) => {
    const rows = await matching(ledger, selection).select('feedback.id').orderBy('feedback.id').limit(limit).execute()
    return rows.map((row) => row.id)
  },

  change: (actor, ids, { status, isRead, assignedUserId }) =>
    ledger.transaction(async (transaction) => {
      const rows = await own(transaction, actor.organizationId, ids)
      if (typeof assignedUserId === 'number' && !(await isMember(transaction, actor.organizationId, assignedUserId)))
        return []
      for (const row of rows) {
        const moved = status !== undefined && status !== row.status
        const judged = moved && (status === 'spam' || row.status === 'spam')
        await transaction
          .updateTable('feedback')
          .set({
            ...(status === undefined ? {} : { status }),
            ...(judged ? { spam_decided_by: 'person' as const } : {}),
            ...(isRead === undefined ? {} : { is_read: isRead ? (1 as const) : (0 as const) }),
            ...(assignedUserId === undefined ? {} : { assigned_user_id: assignedUserId }),
            last_activity_at: sql<number>`last_activity_at`,
          })
          .where('id', '=', row.id)
          .execute()
        if (moved)
          await note(transaction, actor, row.id, status === 'open' && judged ? 'set_not_spam' : `set_${status}`)
        if (assignedUserId !== undefined && assignedUserId !== row.assigned_user_id) {
          await note(transaction, actor, row.id, assignedUserId === null ? 'unassigned' : 'assigned', {
            assignee: assignedUserId,
          })
        }
      }
      return rows.map((row) => row.id)
    }),

  merge: (actor, parent, children) =>
    ledger.transaction(async (transaction) => {
      const rows = await own(transaction, actor.organizationId, [parent, ...children])
      const into = rows.find((row) => row.id === parent)
      const rest = rows.filter((row) => row.id !== parent)
      if (into === undefined || into.merged_into_id !== null || rest.length === 0) return null
      if (rest.some((row) => row.project_id !== into.project_id)) return null
      const ids = rest.map((row) => row.id)
      await transaction
        .updateTable('feedback')
        .set({ merged_into_id: parent })
        .where((expression) => expression.or([expression('id', 'in', ids), expression('merged_into_id', 'in', ids)]))
        .execute()
      await note(transaction, actor, parent, 'merge', { children: ids })
      return ids
    }),

  unmerge: (actor, children) =>
    ledger.transaction(async (transaction) => {
      const rows = (await own(transaction, actor.organizationId, children)).filter((row) => row.merged_into_id !== null)
      const ids = rows.map((row) => row.id)
      await transaction
        .updateTable('feedback')
        .set({ merged_into_id: null })
        .where('id', 'in', [0, ...ids])
        .execute()
      for (const id of ids) await note(transaction, actor, id, 'unmerge')
      return ids
    }),

  note: async (actor, feedbackId, text) => {
    const id = await ledger.transaction(async (transaction) => {
      const [row] = await own(transaction, actor.organizationId, [feedbackId])
      return row === undefined ? null : (await note(transaction, actor, row.id, 'note', { text })).id
    })
    const all = id === null ? [] : await activityOf(ledger, actor.organizationId, feedbackId)
    return all.find((entry) => entry.id === id) ?? null
  },

  removeNote: (actor, feedbackId, noteId) =>
    ledger.transaction(async (transaction) => {
      const [row] = await own(transaction, actor.organizationId, [feedbackId])
      if (row === undefined || actor.userId === null) return false
      const result = await transaction
        .deleteFrom('feedback_activity')
        .where('id', '=', noteId)
        .where('feedback_id', '=', row.id)
        .where('user_id', '=', actor.userId)
        .where('type', '=', 'note')
        .executeTakeFirst()
      return Number(result.numDeletedRows) > 0
    }),
})
