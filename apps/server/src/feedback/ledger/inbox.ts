import { sql } from 'kysely'
import { noteFacts } from '../../facts/index.ts'
import { deletedReports, movedReport } from '../report-facts.ts'
import type { FeedbackDetails, FeedbackStatus } from '../feedback.ts'
import type {
  FeedbackActivity,
  FeedbackActor,
  FeedbackChangeRequest,
  FeedbackIssueRecord,
  FeedbackRecord,
  FeedbackReference,
  FeedbackRow,
  InboxPage,
  InboxSelection,
} from '../inbox.store.ts'
import { LIMITS } from '../limits.ts'
import { formatShortId } from '../../issues/index.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'

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
  else if (selection.mailbox === 'put-away') query = query.where('feedback.status', 'in', ['archived', 'spam'])
  else if (selection.mailbox !== 'all') query = query.where('feedback.status', '=', selection.mailbox)
  // Reports may be many: whoever no longer waits for the answer stops the statement here.
  if (selection.words.length > 0 && ledger.dialect === 'sqlite') query = query.where(sql<boolean>`in_time(feedback.id)`)
  for (const word of selection.words) {
    const found = ledger.dialect === 'sqlite' ? sql`instr` : sql`strpos`
    query = query.where(sql<boolean>`${found}(feedback.words, ${word.toLowerCase()}) > 0`)
  }
  const { assignee, environments, ids, period } = selection
  if (ids !== undefined) query = query.where('feedback.id', 'in', [0, ...ids])
  if (environments !== undefined) {
    query = query.where(({ eb }) => eb.or(environments.map((name) => eb('feedback.environment', '=', name))))
  }
  if (assignee === null) {
    query = query.where('feedback.assigned_user_id', 'is', null).where('feedback.assigned_team_id', 'is', null)
  } else if (assignee !== undefined) {
    query = query.where(
      assignee.type === 'user' ? 'feedback.assigned_user_id' : 'feedback.assigned_team_id',
      '=',
      assignee.id,
    )
  }
  if (period !== null) {
    query = query.where('feedback.created_at', '>=', period.from).where('feedback.created_at', '<', period.to)
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
const COUNT_REPLIES = sql<number>`(SELECT count(*) FROM feedback_messages t WHERE t.feedback_id = feedback.id)`
const COUNT_MERGED = sql<number>`(SELECT count(*) FROM feedback m WHERE m.merged_into_id = feedback.id)`

/** What a row is read with, beside its message: not `details`, of which a stranger may have made a megabyte, nor `words`. */
const ROW_COLUMNS = [
  'feedback.id',
  'feedback.event_id',
  'feedback.project_id',
  'feedback.status',
  'feedback.is_read',
  'feedback.source',
  'feedback.name',
  'feedback.email',
  'feedback.url',
  'feedback.browser',
  'feedback.os',
  'feedback.environment',
  'feedback.release',
  'feedback.trace_id',
  'feedback.replay_id',
  'feedback.associated_event_id',
  'feedback.issue_id',
  'feedback.is_unlinked',
  'feedback.assigned_user_id',
  'feedback.assigned_team_id',
  'feedback.spam_score',
  'feedback.spam_reasons',
  'feedback.spam_decided_by',
  'feedback.attachments',
  'feedback.awaits_reply',
  'feedback.thread_token',
  'feedback.created_at',
  'feedback.written_at',
  'feedback.last_activity_at',
] as const

const load = async (
  ledger: Ledger,
  organizationId: number,
  ids: readonly number[],
  messageChars?: number,
): Promise<FeedbackRow[]> => {
  if (ids.length === 0) return []
  const message =
    messageChars === undefined
      ? sql<string>`feedback.message`
      : sql<string>`substr(feedback.message, 1, ${messageChars})`
  const rows = await ledger.db
    .selectFrom('feedback')
    .innerJoin('projects', 'projects.id', 'feedback.project_id')
    .leftJoin('users', 'users.id', 'feedback.assigned_user_id')
    .leftJoin('teams', 'teams.id', 'feedback.assigned_team_id')
    .select(ROW_COLUMNS)
    .select(message.as('message'))
    .select([
      'projects.slug as project_slug',
      'projects.name as project_name',
      'projects.platform as project_platform',
      'users.name as user_name',
      'users.email as user_email',
      'teams.name as team_name',
      'teams.slug as team_slug',
      COUNT_REPLIES.as('replies'),
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
  const issues = await issuesOf(ledger, rows)
  const records = rows.map((row): FeedbackRow => ({
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
    traceId: row.trace_id,
    replayId: row.replay_id,
    associatedEventId: row.associated_event_id,
    issue: issues.get(row.id) ?? null,
    assigned: assigneeOf(row),
    spam: { score: row.spam_score, reasons: row.spam_reasons, decidedBy: row.spam_decided_by },
    attachments: row.attachments,
    notes: row.notes,
    merged: row.merged,
    replies: row.replies,
    awaitsReply: row.awaits_reply === 1,
    threadToken: row.thread_token,
    createdAt: row.created_at,
    writtenAt: row.written_at === 0 ? row.created_at : row.written_at,
    lastActivityAt: row.last_activity_at,
  }))
  const byId = new Map(records.map((record) => [record.id, record]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const assigneeOf = (row: {
  readonly assigned_user_id: number | null
  readonly user_name: string | null
  readonly user_email: string | null
  readonly assigned_team_id: number | null
  readonly team_name: string | null
  readonly team_slug: string | null
}): FeedbackRow['assigned'] => {
  if (row.assigned_user_id !== null && row.user_name !== null && row.user_email !== null) {
    return { type: 'user', id: row.assigned_user_id, name: row.user_name, email: row.user_email }
  }
  if (row.assigned_team_id !== null && row.team_name !== null && row.team_slug !== null) {
    return { type: 'team', id: row.assigned_team_id, name: row.team_name, slug: row.team_slug }
  }
  return null
}

/**
 * The issue of each report: the one it was linked to, else that of its event, which may have come after the report
 * (protocol.md check 78). A merged issue is the one that stands for it.
 */
const issuesOf = async (
  ledger: Ledger,
  rows: readonly {
    readonly id: number
    readonly project_id: number
    readonly issue_id: number | null
    readonly associated_event_id: string | null
    readonly is_unlinked: number
  }[],
): Promise<ReadonlyMap<number, FeedbackIssueRecord>> => {
  const issueIds = new Map<number, number>()
  for (const row of rows) if (row.issue_id !== null) issueIds.set(row.id, row.issue_id)
  const byEvent = rows.flatMap(({ id, issue_id, project_id, associated_event_id, is_unlinked }) =>
    issue_id === null && associated_event_id !== null && is_unlinked === 0
      ? [{ id, project_id, eventId: associated_event_id }]
      : [],
  )
  for (const [projectId, own] of Map.groupBy(byEvent, (row) => row.project_id)) {
    const found = await ledger.db
      .selectFrom('event_index')
      .select(['event_id', 'issue_id'])
      .where('project_id', '=', projectId)
      .where(
        'event_id',
        'in',
        own.map(({ eventId }) => Buffer.from(eventId, 'hex')),
      )
      .execute()
    const ids = new Map(found.map((row) => [Buffer.from(row.event_id).toString('hex'), row.issue_id]))
    for (const { id, eventId } of own) {
      const issueId = ids.get(eventId)
      if (issueId !== undefined) issueIds.set(id, issueId)
    }
  }
  const stand = await issuesThatStand(ledger, [...new Set(issueIds.values())])
  return new Map(
    [...issueIds].flatMap(([id, issueId]) => {
      const issue = stand.get(issueId)
      return issue === undefined ? [] : [[id, issue] as const]
    }),
  )
}

/** By the id that was asked for; deleted ones are left out. */
const issuesThatStand = async (ledger: Ledger, ids: readonly number[]) => {
  const columns = ['issues.id', 'issues.merged_into_id', 'issues.deleted_at', 'issues.number'] as const
  const read = (wanted: readonly number[]) =>
    ledger.db
      .selectFrom('issues')
      .innerJoin('projects', 'projects.id', 'issues.project_id')
      .select([...columns, 'issues.title', 'issues.status', 'issues.level', 'projects.slug'])
      .where('issues.id', 'in', [0, ...wanted])
      .execute()
  const rows = await read(ids)
  const parents = await read(rows.flatMap((row) => row.merged_into_id ?? []))
  const byId = new Map([...rows, ...parents].map((row) => [row.id, row]))
  const found = new Map<number, FeedbackIssueRecord>()
  for (const id of ids) {
    const asked = byId.get(id)
    const row = asked?.merged_into_id === null ? asked : byId.get(asked?.merged_into_id ?? 0)
    if (row === undefined || row.deleted_at !== null) continue
    found.set(id, {
      id: row.id,
      shortId: formatShortId(row.slug, row.number),
      title: row.title,
      status: row.status,
      level: row.level,
    })
  }
  return found
}

const own = (transaction: LedgerTransaction, organizationId: number, ids: readonly number[]) =>
  transaction
    .selectFrom('feedback')
    .select([
      'id',
      'project_id',
      'event_id',
      'status',
      'issue_id',
      'assigned_user_id',
      'assigned_team_id',
      'merged_into_id',
      'attachments',
    ])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [0, ...ids])
    .execute()

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

type OwnRow = Awaited<ReturnType<typeof own>>[number]

const changeOne = async (
  transaction: LedgerTransaction,
  actor: FeedbackActor,
  row: OwnRow,
  { status, isRead, assignee, addTags, removeTags }: FeedbackChangeRequest,
): Promise<void> => {
  const moved = status !== undefined && status !== row.status
  const judged = moved && (status === 'spam' || row.status === 'spam')
  const columns = {
    ...(status === undefined ? {} : { status }),
    ...(judged ? { spam_decided_by: 'person' as const } : {}),
    ...(isRead === undefined ? {} : { is_read: isRead ? (1 as const) : (0 as const) }),
    ...(assignee === undefined
      ? {}
      : {
          assigned_user_id: assignee?.type === 'user' ? assignee.id : null,
          assigned_team_id: assignee?.type === 'team' ? assignee.id : null,
        }),
  }
  if (Object.keys(columns).length > 0) {
    await transaction.updateTable('feedback').set(columns).where('id', '=', row.id).execute()
  }
  if (moved) {
    await note(transaction, actor, row.id, status === 'open' && judged ? 'set_not_spam' : `set_${status}`)
    await noteFacts(transaction, [movedReport(row, status, actor)], actor.now)
  }
  if (assignee !== undefined) {
    const before = row.assigned_user_id ?? row.assigned_team_id
    if (before !== (assignee?.id ?? null) || (assignee?.type === 'team') !== (row.assigned_team_id !== null)) {
      await note(transaction, actor, row.id, assignee === null ? 'unassigned' : 'assigned', { assignee })
    }
  }
  if (removeTags !== undefined && removeTags.length > 0) {
    await transaction
      .deleteFrom('feedback_tags')
      .where('feedback_id', '=', row.id)
      .where('key', 'in', [...removeTags])
      .execute()
  }
  for (const { key, value } of addTags ?? []) {
    await transaction
      .insertInto('feedback_tags')
      .values({ feedback_id: row.id, key, value })
      .onConflict((conflict) => conflict.columns(['feedback_id', 'key']).doUpdateSet({ value }))
      .execute()
  }
}

const selectActivity = (ledger: Ledger, organizationId: number, feedbackId: number) =>
  ledger.db
    .selectFrom('feedback_activity')
    .innerJoin('feedback', 'feedback.id', 'feedback_activity.feedback_id')
    .leftJoin('users', 'users.id', 'feedback_activity.user_id')
    .selectAll('feedback_activity')
    .select(['users.name', 'users.email'])
    .where('feedback.organization_id', '=', organizationId)
    .where('feedback.id', '=', feedbackId)

const toActivity = (
  row: Awaited<ReturnType<ReturnType<typeof selectActivity>['execute']>>[number],
): FeedbackActivity => ({
  id: row.id,
  type: row.type,
  user: row.user_id === null || row.email === null ? null : { id: row.user_id, name: row.name ?? '', email: row.email },
  data: JSON.parse(row.data) as Record<string, unknown>,
  createdAt: row.created_at,
})

export type Inbox = ReturnType<typeof createLedgerInbox>

/** The inbox. Every call names its organisation; reports of others do not exist. */
export const createLedgerInbox = ({ ledger }: { readonly ledger: Ledger }) => ({
  list: list(ledger),
  counts: counts(ledger),
  find: find(ledger),
  /** The issue of the event that was reported about; null while that is not here. */
  eventIssue: async ({ id, project, associatedEventId }: FeedbackRecord): Promise<FeedbackIssueRecord | null> => {
    const row = { id, project_id: project.id, issue_id: null, is_unlinked: 0, associated_event_id: associatedEventId }
    return (await issuesOf(ledger, [row])).get(id) ?? null
  },
  activity: activity(ledger),
  merged: merged(ledger),
  ids: async (selection: InboxSelection, limit: number): Promise<readonly number[]> => {
    const rows = await matching(ledger, selection).select('feedback.id').orderBy('feedback.id').limit(limit).execute()
    return rows.map((row) => row.id)
  },
  change: change(ledger),
  link: link(ledger),
  remove: remove(ledger),
  tags: tags(ledger),
  merge: merge(ledger),
  unmerge: unmerge(ledger),
  note: addNote(ledger),
  changeNote: changeNote(ledger),
  removeNote: removeNote(ledger),
})

/** One more than `limit` when there are more. */
const list =
  (ledger: Ledger) =>
  async (
    selection: InboxSelection,
    { sort, limit, offset, messageChars }: InboxPage,
  ): Promise<{ readonly rows: readonly FeedbackRow[]; readonly hits: number }> => {
    const direction = sort === '-date' ? 'asc' : 'desc'
    const base = matching(ledger, selection)
    let ordered = base.select('feedback.id')
    if (sort === 'same') ordered = ordered.orderBy(COUNT_MERGED, 'desc')
    if (sort === 'spam') ordered = ordered.orderBy('feedback.spam_score', 'desc')
    // Those that wait for us first, then by their latest message.
    if (sort === 'reply') ordered = ordered.orderBy('feedback.awaits_reply', 'desc')
    ordered = ordered.orderBy(sort === 'reply' ? 'feedback.last_activity_at' : 'feedback.created_at', direction)
    const rows = await ordered
      .orderBy('feedback.id', direction)
      .limit(limit + 1)
      .offset(offset)
      .execute()
    // A second statement: counted in the first one, the page could not stop at its last row.
    const all = await base.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirst()
    return {
      rows: await load(
        ledger,
        selection.organizationId,
        rows.map((row) => row.id),
        messageChars,
      ),
      hits: all?.count ?? 0,
    }
  }

const counts =
  (ledger: Ledger) =>
  async (
    organizationId: number,
    projectIds: readonly number[] | null,
  ): Promise<Readonly<Record<FeedbackStatus | 'unread' | 'held', number>>> => {
    const rows = await matching(ledger, {
      organizationId,
      projectIds,
      mailbox: 'all',
      words: [],
      tags: [],
      period: null,
    })
      .select(['feedback.status', 'feedback.is_read', 'feedback.spam_decided_by'])
      .select((expression) => expression.fn.countAll<number>().as('count'))
      .groupBy(['feedback.status', 'feedback.is_read', 'feedback.spam_decided_by'])
      .execute()
    const counts = { unread: 0, open: 0, resolved: 0, spam: 0, archived: 0, held: 0 }
    for (const row of rows) {
      counts[row.status] += row.count
      if (row.status === 'open' && row.is_read === 0) counts.unread += row.count
      if (row.status === 'spam' && row.is_read === 0 && row.spam_decided_by === 'automatic') counts.held += row.count
    }
    return counts
  }

/** By id or event id. */
const find =
  (ledger: Ledger) =>
  async (organizationId: number, reference: string): Promise<FeedbackRecord | null> => {
    const all = ledger.db.selectFrom('feedback').select(['id', 'details'])
    let query = all.where('organization_id', '=', organizationId)
    if (/^[0-9a-f]{32}$/.test(reference)) {
      // By the projects' own index, and the sum keeps SQLite from that of the organisation: none is of event ids alone.
      const projects = ledger.db.selectFrom('projects').select('id').where('organization_id', '=', organizationId)
      query = all
        .where(sql<boolean>`organization_id + 0 = ${organizationId}`)
        .where('project_id', 'in', projects)
        .where('event_id', '=', reference)
    } else if (/^\d{1,15}$/.test(reference)) query = query.where('id', '=', Number(reference))
    else return null
    const row = await query.executeTakeFirst()
    const [found] = row === undefined ? [] : await load(ledger, organizationId, [row.id])
    if (row === undefined || found === undefined) return null
    return { ...found, details: JSON.parse(row.details) as FeedbackDetails }
  }

/** Newest first; one more than `limit` when there are more. */
const activity =
  (ledger: Ledger) =>
  async (
    organizationId: number,
    feedbackId: number,
    { type, limit }: { readonly type?: string; readonly limit: number },
  ): Promise<readonly FeedbackActivity[]> => {
    const rows = await selectActivity(ledger, organizationId, feedbackId)
      .$if(type !== undefined, (query) => query.where('feedback_activity.type', '=', type ?? ''))
      .orderBy('feedback_activity.id', 'desc')
      .limit(limit + 1)
      .execute()
    return rows.map(toActivity)
  }

/** Oldest first, at most `FEEDBACK_MERGED_SHOWN`. */
const merged =
  (ledger: Ledger) =>
  async (organizationId: number, feedbackId: number): Promise<readonly FeedbackRow[]> => {
    const rows = await ledger.db
      .selectFrom('feedback')
      .select('id')
      .where('merged_into_id', '=', feedbackId)
      .orderBy('id')
      .limit(LIMITS.FEEDBACK_MERGED_SHOWN)
      .execute()
    return load(
      ledger,
      organizationId,
      rows.map((row) => row.id),
    )
  }

/** @returns ids of those that exist */
/** Changes one report in a transaction of others; one of another organisation is left alone. */
export const changeReport = async (
  transaction: LedgerTransaction,
  actor: FeedbackActor,
  id: number,
  request: FeedbackChangeRequest,
): Promise<void> => {
  const [row] = await own(transaction, actor.organizationId, [id])
  if (row !== undefined) await changeOne(transaction, actor, row, request)
}

const change =
  (ledger: Ledger) =>
  (actor: FeedbackActor, ids: readonly number[], change: FeedbackChangeRequest): Promise<readonly number[]> =>
    ledger.transaction(async (transaction) => {
      const rows = await own(transaction, actor.organizationId, ids)
      for (const row of rows) await changeOne(transaction, actor, row, change)
      return rows.map((row) => row.id)
    })

/** Null unlinks. False when report and issue are not of one project. */
const link =
  (ledger: Ledger) =>
  (actor: FeedbackActor, feedbackId: number, issueId: number | null): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const [row] = await own(transaction, actor.organizationId, [feedbackId])
      if (row === undefined) return false
      if (issueId !== null) {
        const issue = await transaction
          .selectFrom('issues')
          .select('project_id')
          .where('id', '=', issueId)
          .executeTakeFirst()
        if (issue?.project_id !== row.project_id) return false
      }
      await transaction
        .updateTable('feedback')
        // Who unlinks does not want the issue of its event in its place.
        .set({
          issue_id: issueId,
          is_unlinked: issueId === null ? 1 : 0,
          linked_by: issueId === null ? null : 'person',
          told_resolved_at: null,
        })
        .where('id', '=', row.id)
        .execute()
      await note(transaction, actor, row.id, issueId === null ? 'unlinked' : 'linked', {
        issue: issueId ?? row.issue_id,
      })
      return true
    })

/** Of those that stand under a report that goes, the oldest takes its place: they do not all come back into the list. */
const handOver = async (transaction: LedgerTransaction, gone: readonly number[]): Promise<void> => {
  const left = await transaction
    .selectFrom('feedback')
    .select(['id', 'merged_into_id'])
    .where('merged_into_id', 'in', [0, ...gone])
    .where('id', 'not in', [0, ...gone])
    .orderBy('id')
    .execute()
  for (const [parent, children] of Map.groupBy(left, (row) => row.merged_into_id)) {
    const heir = children[0]?.id
    if (heir === undefined) continue
    await transaction
      .updateTable('feedback')
      .set({ merged_into_id: heir })
      .where('merged_into_id', '=', parent)
      .where('id', '!=', heir)
      .execute()
    await transaction.updateTable('feedback').set({ merged_into_id: null }).where('id', '=', heir).execute()
  }
}

/** @returns those that are gone, whose attachments and rows of telemetry are to go as well */
const remove =
  (ledger: Ledger) =>
  (actor: FeedbackActor, ids: readonly number[]): Promise<readonly FeedbackReference[]> =>
    ledger.transaction(async (transaction) => {
      const { organizationId } = actor
      const rows = await own(transaction, organizationId, ids)
      const gone = rows.map((row) => row.id)
      await handOver(transaction, gone)
      await transaction
        .deleteFrom('feedback')
        .where('id', 'in', [0, ...gone])
        .execute()
      await noteFacts(transaction, deletedReports(rows, actor), actor.now)
      return rows.map((row) => ({
        organizationId,
        projectId: row.project_id,
        eventId: row.event_id,
        attachments: row.attachments,
      }))
    })

/** Commonest first, at most `limit` values in all. */
const tags =
  (ledger: Ledger) =>
  (
    organizationId: number,
    projectIds: readonly number[] | null,
    limit: number,
  ): Promise<readonly { readonly key: string; readonly value: string; readonly count: number }[]> => {
    let query = ledger.db
      .selectFrom('feedback_tags')
      .innerJoin('feedback', 'feedback.id', 'feedback_tags.feedback_id')
      .select(['feedback_tags.key', 'feedback_tags.value'])
      .select((expression) => expression.fn.countAll<number>().as('count'))
      .where('feedback.organization_id', '=', organizationId)
    if (projectIds !== null) query = query.where('feedback.project_id', 'in', [0, ...projectIds])
    return query
      .groupBy(['feedback_tags.key', 'feedback_tags.value'])
      .orderBy('count', 'desc')
      .orderBy('feedback_tags.key')
      .limit(limit)
      .execute()
  }

/** Null when parent or children are not reports of one project. */
const merge =
  (ledger: Ledger) =>
  (actor: FeedbackActor, parent: number, children: readonly number[]): Promise<readonly number[] | null> =>
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
    })

const unmerge =
  (ledger: Ledger) =>
  (actor: FeedbackActor, children: readonly number[]): Promise<readonly number[]> =>
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
    })

const addNote =
  (ledger: Ledger) =>
  async (actor: FeedbackActor, feedbackId: number, text: string): Promise<FeedbackActivity | null> => {
    const id = await ledger.transaction(async (transaction) => {
      const [row] = await own(transaction, actor.organizationId, [feedbackId])
      return row === undefined ? null : (await note(transaction, actor, row.id, 'note', { text })).id
    })
    return id === null ? null : readNote(ledger, actor, feedbackId, id)
  }

const readNote = async (
  ledger: Ledger,
  { organizationId }: FeedbackActor,
  feedbackId: number,
  noteId: number,
): Promise<FeedbackActivity | null> => {
  const row = await selectActivity(ledger, organizationId, feedbackId)
    .where('feedback_activity.id', '=', noteId)
    .executeTakeFirst()
  return row === undefined ? null : toActivity(row)
}

/** Null when the note is not there, or not the actor's. */
const changeNote =
  (ledger: Ledger) =>
  async (actor: FeedbackActor, feedbackId: number, noteId: number, text: string): Promise<FeedbackActivity | null> => {
    const isChanged = await ledger.transaction(async (transaction) => {
      const [row] = await own(transaction, actor.organizationId, [feedbackId])
      if (row === undefined || actor.userId === null) return false
      const result = await transaction
        .updateTable('feedback_activity')
        .set({ data: JSON.stringify({ text }) })
        .where('id', '=', noteId)
        .where('feedback_id', '=', row.id)
        .where('user_id', '=', actor.userId)
        .where('type', '=', 'note')
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    })
    return isChanged ? readNote(ledger, actor, feedbackId, noteId) : null
  }

/** False when the note is not there, or not the actor's. */
const removeNote =
  (ledger: Ledger) =>
  (actor: FeedbackActor, feedbackId: number, noteId: number): Promise<boolean> =>
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
    })
