import type { Insertable } from 'kysely'
import { noteFacts, type Fact } from '../../facts/index.ts'
import { ISSUE_FACT_COLUMNS, issueOfFact } from '../issue-facts.ts'
import type { AssigneeRecord } from '../issues.view.ts'
import { changeStatus, type StatusDetails } from '../workflow/status.ts'
import { aboutIssue, factsOfChange } from './facts-of-change.ts'
import { newestReleaseOf } from './newest-release-of.ts'
import { formatShortId } from '../short-id.ts'
import type { ChangedState, IssueState } from '../workflow/bulk.store.ts'
import type { Actor, AssigneeReference, IssueChangeRequest, Mentions, Merge } from '../workflow/workflow.store.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { EDGES, edgeOf, SPAN_COLUMNS, spanOf, togetherOf, type Edge, type Span } from './issue-span.ts'
import type { IssueActivityTable, IssueTable } from './schema.ts'

export type IssueWorkflow = ReturnType<typeof createLedgerIssueWorkflow>

/** Changes of issues by people. Each call is one transaction; ids of other organisations are left alone. */
export const createLedgerIssueWorkflow = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** @returns ids of the issues that exist; those that already were as asked are among them */
  change: (request: IssueChangeRequest): Promise<readonly number[]> =>
    ledger.transaction(async (transaction) => (await changeIssues(transaction, ledger, request)).map(({ id }) => id)),
  /** Null when two or more living issues of one project are not among `ids`. */
  merge: (request: Actor & { readonly ids: readonly number[] }): Promise<Merge | null> =>
    ledger.transaction((transaction) => mergeIssues(transaction, ledger, request)),
  /** @returns the issues that the hashes lead to now; empty when none of them was the issue's, or all were */
  unmerge: (
    request: Actor & { readonly issueId: number; readonly hashes: readonly string[] },
  ): Promise<readonly number[]> => ledger.transaction((transaction) => unmerge(transaction, ledger, request)),
  /** Marks issues, and what was merged into them, for deletion; with `discard`, their hashes take no events ever again. */
  remove: (
    request: Actor & { readonly ids: readonly number[]; readonly discard: boolean },
  ): Promise<readonly number[]> => ledger.transaction((transaction) => remove(transaction, ledger, request)),
  /** Undoes `remove` as long as it was not carried out. */
  restore: (request: Actor & { readonly ids: readonly number[] }): Promise<readonly number[]> =>
    ledger.transaction((transaction) => restore(transaction, request)),

  addNote: ({
    issueId,
    text,
    userId,
    now,
    organizationId,
    mentions = { userIds: [], teamIds: [] },
  }: Actor & { readonly issueId: number; readonly text: string; readonly mentions?: Mentions }): Promise<number> =>
    ledger.transaction(async (transaction) => {
      const [issue] = await lockIssues(transaction, ledger, organizationId, [issueId])
      if (issue === undefined) throw new Error(`Issue ${issueId} was deleted before a note could be added to it`)
      const row = await transaction
        .insertInto('issue_activity')
        .values({
          issue_id: issueId,
          project_id: issue.project_id,
          user_id: userId,
          type: 'note',
          data: JSON.stringify({ text }),
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const fact: Fact = {
        organizationId,
        projectId: issue.project_id,
        kind: 'issue_noted',
        issueId,
        reportId: null,
        actorId: userId,
        receivedAt: now,
        data: { issue: issueOfFact(issue), activityId: row.id, ...mentions },
      }
      await noteFacts(transaction, [fact], now)
      return row.id
    }),

  /** False when the note is not there, or not the actor's. */
  changeNote: async ({
    issueId,
    noteId,
    text,
    userId,
  }: Actor & { readonly issueId: number; readonly noteId: number; readonly text: string }): Promise<boolean> => {
    const result = await ledger.db
      .updateTable('issue_activity')
      .set({ data: JSON.stringify({ text }) })
      .where('id', '=', noteId)
      .where('issue_id', '=', issueId)
      .where('type', '=', 'note')
      .where('user_id', userId === null ? 'is' : '=', userId)
      .executeTakeFirst()
    return result.numUpdatedRows > 0n
  },

  removeNote: async ({
    issueId,
    noteId,
    userId,
  }: Actor & { readonly issueId: number; readonly noteId: number }): Promise<boolean> => {
    const result = await ledger.db
      .deleteFrom('issue_activity')
      .where('id', '=', noteId)
      .where('issue_id', '=', issueId)
      .where('type', '=', 'note')
      .where('user_id', userId === null ? 'is' : '=', userId)
      .executeTakeFirst()
    return result.numDeletedRows > 0n
  },

  assignee: findAssignee(ledger),
})

/** Somebody (a member, by id or e-mail) or a team of the organisation. Null when there is none. */
const findAssignee =
  ({ db }: Ledger) =>
  async (organizationId: number, reference: AssigneeReference): Promise<AssigneeRecord | null> => {
    if (reference.kind === 'team') {
      const team = await db
        .selectFrom('teams')
        .select(['id', 'name', 'slug'])
        .where('organization_id', '=', organizationId)
        .where((eb) =>
          /^\d{1,15}$/.test(reference.reference)
            ? eb('id', '=', Number(reference.reference))
            : eb('slug', '=', reference.reference),
        )
        .executeTakeFirst()
      return team === undefined ? null : { type: 'team', ...team }
    }
    const user = await db
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.user_id')
      .select(['users.id', 'users.name', 'users.email'])
      .where('members.organization_id', '=', organizationId)
      .where((eb) =>
        reference.kind === 'user'
          ? eb('users.id', '=', reference.id)
          : eb('users.email', '=', reference.email.toLowerCase()),
      )
      .executeTakeFirst()
    return user === undefined ? null : { type: 'user', ...user }
  }

const ISSUE_COLUMNS = [
  'id',
  'project_id',
  'status_details',
  'priority_locked_at',
  'first_release_at',
  'last_release_at',
  ...ISSUE_FACT_COLUMNS,
] as const
type IssueRow = Pick<
  { [Key in keyof IssueTable]: IssueTable[Key] extends { __select__: infer Select } ? Select : IssueTable[Key] },
  (typeof ISSUE_COLUMNS)[number]
>

/** Living issues of the organisation, by id. */
export const lockIssues = async (
  transaction: LedgerTransaction,
  { dialect }: Ledger,
  organizationId: number,
  ids: readonly number[],
): Promise<IssueRow[]> => {
  const found: IssueRow[] = []
  for (const part of chunks([...new Set(ids)], ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('issues')
      .select(ISSUE_COLUMNS)
      .where('organization_id', '=', organizationId)
      .where('id', 'in', part)
      .where('deleted_at', 'is', null)
      .where('merged_into_id', 'is', null)
      .orderBy('id')
      .$if(dialect === 'postgres', (query) => query.forUpdate())
      .execute()
    found.push(...rows)
  }
  return found
}

export const insertActivity = async (
  transaction: LedgerTransaction,
  rows: readonly Insertable<IssueActivityTable>[],
): Promise<void> => {
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction.insertInto('issue_activity').values(part).execute()
  }
}

/** @returns the issues that exist, as they were and as they are now */
export const changeIssues = async (
  transaction: LedgerTransaction,
  ledger: Ledger,
  request: IssueChangeRequest,
): Promise<readonly ChangedState[]> => {
  const issues = await lockIssues(transaction, ledger, request.organizationId, request.ids)
  const releases = new Map<number, string | null>()
  if (request.status?.kind === 'resolvedInNextRelease' || request.status?.kind === 'resolvedInRelease') {
    for (const { project_id: id } of issues)
      if (!releases.has(id)) releases.set(id, await newestReleaseOf(transaction, request.organizationId, id, 'any'))
  }
  const activity: Insertable<IssueActivityTable>[] = []
  const facts: Fact[] = []
  const states: ChangedState[] = []
  for (const issue of issues) {
    const columns: Partial<IssueState> = {}
    let details: StatusDetails = {}
    const note = (type: string, data: object): void => {
      activity.push({
        issue_id: issue.id,
        project_id: issue.project_id,
        user_id: request.userId,
        type,
        data: JSON.stringify(data),
        created_at: request.now,
      })
    }
    if (request.status !== undefined) {
      const changed = changeStatus(
        request.status,
        {
          status: issue.status,
          substatus: issue.substatus,
          timesSeen: issue.times_seen,
          newestRelease: releases.get(issue.project_id) ?? null,
          dailyPeak: request.dailyPeaks?.get(issue.id) ?? 0,
        },
        request.now,
        request.userId,
      )
      const same = changed.status === issue.status && changed.substatus === issue.substatus
      // Somebody who resolves what is resolved changes nothing; conditions are always written anew.
      if (!same || Object.keys(changed.activity.data).length > 0) {
        details = changed.details
        columns.status = changed.status
        columns.substatus = changed.substatus
        columns.status_details = JSON.stringify(changed.details)
        note(changed.activity.type, changed.activity.data)
      }
    }
    if (request.assignee !== undefined) {
      const { assignee } = request
      const userId = assignee?.type === 'user' ? assignee.id : null
      const teamId = assignee?.type === 'team' ? assignee.id : null
      if (userId !== issue.assigned_user_id || teamId !== issue.assigned_team_id) {
        columns.assigned_user_id = userId
        columns.assigned_team_id = teamId
        if (assignee === null) note('unassigned', {})
        else {
          note('assigned', {
            assignee: String(assignee.id),
            assigneeType: assignee.type,
            assigneeName: assignee.name,
            ...(assignee.type === 'user' ? { assigneeEmail: assignee.email } : {}),
          })
        }
      }
    }
    if (request.priority !== undefined) {
      // What somebody says is high stays so, whatever its points become.
      columns.priority_locked_at = request.priority === null ? null : request.now
      if (request.priority !== null && request.priority !== issue.priority) {
        columns.priority = request.priority
        note('set_priority', { priority: request.priority })
      }
    }
    if (Object.keys(columns).length > 0) {
      await transaction
        .updateTable('issues')
        .set({ ...columns, changed_at: request.now })
        .where('id', '=', issue.id)
        .execute()
      facts.push(...factsOfChange({ before: issue, after: columns, details }, request))
    }
    const before = stateOf(issue)
    states.push({ id: issue.id, before, after: { ...before, ...columns } })
  }
  await insertActivity(transaction, activity)
  await noteFacts(transaction, facts, request.now)
  return states
}

export const stateOf = (issue: IssueState): IssueState => ({
  status: issue.status,
  substatus: issue.substatus,
  status_details: issue.status_details,
  priority: issue.priority,
  priority_locked_at: issue.priority_locked_at,
  assigned_user_id: issue.assigned_user_id,
  assigned_team_id: issue.assigned_team_id,
})

/** What the merge activity remembers, so that it can be undone. */
interface MergedIssue {
  readonly id: number
  readonly shortId: string
  readonly title: string
  readonly hashes: readonly string[]
}

interface MergeActivity {
  readonly issues: readonly MergedIssue[]
  /** Absent in what was merged before it was remembered. */
  readonly before?: Span
}

const hashesOf = async (transaction: LedgerTransaction, issueId: number): Promise<string[]> => {
  const rows = await transaction.selectFrom('issue_hashes').select('hash').where('issue_id', '=', issueId).execute()
  return rows.map((row) => row.hash)
}

const slugOf = async (transaction: LedgerTransaction, projectId: number): Promise<string> => {
  const row = await transaction.selectFrom('projects').select('slug').where('id', '=', projectId).executeTakeFirst()
  return row?.slug ?? ''
}

/** The one with most events stays, in the transaction of the caller. Null as for `merge`. */
export const mergeIssues = async (
  transaction: LedgerTransaction,
  ledger: Ledger,
  request: Actor & { readonly ids: readonly number[] },
): Promise<{ parent: number; children: readonly number[] } | null> => {
  const { organizationId, ids, userId, now } = request
  const issues = await lockIssues(transaction, ledger, organizationId, ids)
  const [parent, ...children] = issues.toSorted((a, b) => b.times_seen - a.times_seen || a.id - b.id)
  if (parent === undefined || children.length === 0) return null
  if (children.some((child) => child.project_id !== parent.project_id)) return null

  const slug = await slugOf(transaction, parent.project_id)
  const merged: MergedIssue[] = []
  for (const child of children) {
    const hashes = await hashesOf(transaction, child.id)
    merged.push({ id: child.id, shortId: formatShortId(slug, child.number), title: child.title, hashes })
    await transaction
      .updateTable('issue_hashes')
      .set({ issue_id: parent.id })
      .where('issue_id', '=', child.id)
      .execute()
    // Also what was merged into the child before: chains stay one step long.
    await transaction
      .updateTable('issues')
      .set({ merged_into_id: parent.id, changed_at: now })
      .where((eb) => eb.or([eb('id', '=', child.id), eb('merged_into_id', '=', child.id)]))
      .execute()
  }
  const together = {
    times_seen: children.reduce((sum, issue) => sum + issue.times_seen, parent.times_seen),
    ...togetherOf(spanOf(parent), children.map(spanOf)),
  }
  await transaction
    .updateTable('issues')
    .set({ ...together, changed_at: now })
    .where('id', '=', parent.id)
    .execute()
  await insertActivity(transaction, [
    {
      issue_id: parent.id,
      project_id: parent.project_id,
      user_id: userId,
      type: 'merge',
      data: JSON.stringify({ issues: merged, before: spanOf(parent) } satisfies MergeActivity),
      created_at: now,
    },
  ])
  const data = { parentId: parent.id, parent: issueOfFact({ ...parent, ...together }) }
  const facts = children.map((child): Fact => ({
    ...aboutIssue(child, request),
    kind: 'issue_merged',
    data: { issue: issueOfFact(child), ...data },
  }))
  await noteFacts(transaction, facts, now)
  return { parent: parent.id, children: children.map((child) => child.id) }
}

/** Issues that were merged into this one, with the hashes they brought; and what this one was before each merge, oldest first. */
const mergedInto = async (
  transaction: LedgerTransaction,
  issueId: number,
): Promise<{ readonly children: readonly MergedIssue[]; readonly before: readonly Span[] }> => {
  const children = await transaction.selectFrom('issues').select('id').where('merged_into_id', '=', issueId).execute()
  const living = new Set(children.map((child) => child.id))
  const rows = await transaction
    .selectFrom('issue_activity')
    .select(['issue_id', 'data'])
    .where('issue_id', 'in', [issueId, ...living])
    .where('type', '=', 'merge')
    .orderBy('id')
    .execute()
  const merges = rows.map((row) => ({ into: row.issue_id, ...(JSON.parse(row.data) as Partial<MergeActivity>) }))
  return {
    children: merges.flatMap(({ issues }) => issues ?? []).filter((issue) => living.has(issue.id)),
    before: merges.flatMap(({ into, before }) => (into === issueId && before !== undefined ? [before] : [])),
  }
}

/**
 * Times that only the issues which leave had brought go with them. What arrived since the merge has moved the times on,
 * and stays, as its events do.
 */
const takeBackSpan = async (
  transaction: LedgerTransaction,
  parent: IssueRow,
  leaving: readonly number[],
  before: readonly Span[],
): Promise<void> => {
  if (leaving.length === 0) return
  const spans = async (ids: 'left' | 'stays'): Promise<readonly Span[]> => {
    const rows = await transaction
      .selectFrom('issues')
      .select(SPAN_COLUMNS)
      .$if(ids === 'left', (query) => query.where('id', 'in', leaving))
      .$if(ids === 'stays', (query) => query.where('merged_into_id', '=', parent.id))
      .execute()
    return rows.map(spanOf)
  }
  const [left, stays] = [await spans('left'), await spans('stays')]
  const now = spanOf(parent)
  const earlier = before.map(spanOf)
  const own = (edge: Edge): Span | undefined =>
    now[edge] !== null && left.some((span) => span[edge] === now[edge])
      ? earlier.findLast((span) => !left.some((gone) => gone[edge] === span[edge] && span[edge] !== null))
      : undefined
  const columns = EDGES.flatMap((edge) => {
    const kept = own(edge)
    return kept === undefined ? [] : [edgeOf(edge, [kept, ...stays])]
  })
  if (columns.length === 0) return
  const set: Partial<Span> = Object.assign({}, ...columns)
  await transaction.updateTable('issues').set(set).where('id', '=', parent.id).execute()
}

const unmerge = async (
  transaction: LedgerTransaction,
  ledger: Ledger,
  request: Actor & { readonly issueId: number; readonly hashes: readonly string[] },
): Promise<readonly number[]> => {
  const { organizationId, issueId, userId, now } = request
  const [issue] = await lockIssues(transaction, ledger, organizationId, [issueId])
  if (issue === undefined) return []
  const own = new Set(await hashesOf(transaction, issueId))
  const leaving = request.hashes.filter((hash) => own.has(hash))
  if (leaving.length === 0 || leaving.length === own.size) return []

  const targets: number[] = []
  const facts: Fact[] = []
  const free = new Set(leaving)
  const { children, before } = await mergedInto(transaction, issueId)
  for (const child of children) {
    if (!child.hashes.some((hash) => free.has(hash))) continue
    for (const hash of child.hashes) free.delete(hash)
    const revived = await revive(transaction, issue, child, now)
    const data = { issue: issueOfFact(revived), parentId: issueId }
    facts.push({ ...aboutIssue(revived, request), kind: 'issue_unmerged', data })
    targets.push(child.id)
  }
  await takeBackSpan(transaction, issue, targets, before)
  if (free.size > 0) targets.push(await splitOff(transaction, issue, [...free], organizationId, now))
  await insertActivity(transaction, [
    {
      issue_id: issueId,
      project_id: issue.project_id,
      user_id: userId,
      type: 'unmerge',
      data: JSON.stringify({ fingerprints: leaving, destinations: targets.map(String) }),
      created_at: now,
    },
  ])
  await noteFacts(transaction, facts, now)
  return targets
}

/** The child becomes an issue again, with all that it brought: its events were stored under its id. */
const revive = async (
  transaction: LedgerTransaction,
  parent: IssueRow,
  child: MergedIssue,
  now: number,
): Promise<IssueRow> => {
  await transaction
    .updateTable('issue_hashes')
    .set({ issue_id: child.id })
    .where('issue_id', '=', parent.id)
    .where('project_id', '=', parent.project_id)
    .where('hash', 'in', [...child.hashes])
    .execute()
  const revived = await transaction
    .updateTable('issues')
    .set({ merged_into_id: null, changed_at: now })
    .where('id', '=', child.id)
    .returning(ISSUE_COLUMNS)
    .executeTakeFirstOrThrow()
  await transaction
    .updateTable('issues')
    .set((eb) => ({
      times_seen: eb(
        'times_seen',
        '-',
        eb.selectFrom('issues as child').select('child.times_seen').where('child.id', '=', child.id),
      ),
      changed_at: now,
    }))
    .where('id', '=', parent.id)
    .execute()
  return revived
}

/** A new issue for hashes that were never an issue of their own: what is stored stays where it is. */
const splitOff = async (
  transaction: LedgerTransaction,
  from: IssueRow,
  hashes: readonly string[],
  organizationId: number,
  now: number,
): Promise<number> => {
  const { last_issue_number: number } = await transaction
    .updateTable('projects')
    .set((eb) => ({ last_issue_number: eb('last_issue_number', '+', 1) }))
    .where('id', '=', from.project_id)
    .returning('last_issue_number')
    .executeTakeFirstOrThrow()
  const face = await transaction
    .selectFrom('issues')
    .select(['type', 'category', 'title', 'culprit', 'metadata', 'level', 'level_rank', 'platform', 'logger'])
    .where('id', '=', from.id)
    .executeTakeFirstOrThrow()
  const { id } = await transaction
    .insertInto('issues')
    .values({
      ...face,
      organization_id: organizationId,
      project_id: from.project_id,
      number,
      status: 'unresolved',
      substatus: 'new',
      status_details: '{}',
      priority: from.priority,
      is_unhandled: from.is_unhandled,
      first_seen: now,
      last_seen: now,
      times_seen: 0,
      first_release: null,
      last_release: null,
      assigned_user_id: null,
      assigned_team_id: null,
      deleted_at: null,
      merged_into_id: null,
      created_at: now,
      changed_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await transaction
    .updateTable('issue_hashes')
    .set({ issue_id: id })
    .where('project_id', '=', from.project_id)
    .where('hash', 'in', [...hashes])
    .execute()
  return id
}

const remove = async (
  transaction: LedgerTransaction,
  ledger: Ledger,
  request: Actor & { readonly ids: readonly number[]; readonly discard: boolean },
): Promise<readonly number[]> => {
  const issues = await lockIssues(transaction, ledger, request.organizationId, request.ids)
  for (const part of chunks(issues, ROWS_PER_STATEMENT)) {
    const ids = part.map((issue) => issue.id)
    await transaction
      .updateTable('issues')
      .set({ deleted_at: request.now, changed_at: request.now })
      .where((eb) => eb.or([eb('id', 'in', ids), eb('merged_into_id', 'in', ids)]))
      .execute()
    if (request.discard) {
      await transaction.updateTable('issue_hashes').set({ issue_id: null }).where('issue_id', 'in', ids).execute()
    }
  }
  const facts = issues.map((issue): Fact => ({
    ...aboutIssue(issue, request),
    kind: 'issue_deleted',
    data: { issue: issueOfFact(issue) },
  }))
  await noteFacts(transaction, facts, request.now)
  return issues.map((issue) => issue.id)
}

const restore = async (
  transaction: LedgerTransaction,
  request: Actor & { readonly ids: readonly number[] },
): Promise<readonly number[]> => {
  const { organizationId, ids, now } = request
  const restored: number[] = []
  const facts: Fact[] = []
  for (const part of chunks([...new Set(ids)], ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .updateTable('issues')
      .set({ deleted_at: null, changed_at: now })
      .where('organization_id', '=', organizationId)
      .where('id', 'in', part)
      .where('merged_into_id', 'is', null)
      .where('deleted_at', 'is not', null)
      .returning(ISSUE_COLUMNS)
      .execute()
    const back = rows.map((row) => row.id)
    for (const row of rows) {
      facts.push({ ...aboutIssue(row, request), kind: 'issue_restored', data: { issue: issueOfFact(row) } })
    }
    if (back.length > 0) {
      await transaction
        .updateTable('issues')
        .set({ deleted_at: null, changed_at: now })
        .where('merged_into_id', 'in', back)
        .execute()
    }
    restored.push(...back)
  }
  await noteFacts(transaction, facts, now)
  return restored
}
