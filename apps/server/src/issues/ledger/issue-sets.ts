import type { Insertable } from 'kysely'
import { noteFacts, type Fact } from '../../facts/index.ts'
import { LIMITS } from '../limits.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import type { ChangedState, FrozenSet, IssueState, Undone, Wish } from '../workflow/bulk.store.ts'
import type { Actor, IssueChangeRequest } from '../workflow/workflow.store.ts'
import { factsOfChange } from './facts-of-change.ts'
import { changeIssues, insertActivity, lockIssues, stateOf } from './issue-workflow.ts'
import type { IssueActivityTable } from './schema.ts'
import { readStatusDetails } from './status-details.ts'

export type IssueSets = ReturnType<typeof createLedgerIssueSets>

/**
 * Issues that are frozen, to be changed together: what is changed is exactly what was shown, whatever a search finds by
 * then. Each keeps how it was, so that the change can be taken back for a while.
 */
export const createLedgerIssueSets = ({ ledger }: { readonly ledger: Ledger }) => ({
  freeze: (request: FreezeRequest): Promise<number> =>
    ledger.transaction((transaction) => freeze(transaction, request)),

  /** Null when it is somebody else's, or too old. */
  find: async (organizationId: number, userId: number, id: number, now: number): Promise<FrozenSet | null> => {
    const row = await ledger.db
      .selectFrom('issue_sets')
      .selectAll()
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .where('created_at', '>', now - LIMITS.ISSUE_SET_MS)
      .executeTakeFirst()
    if (row === undefined) return null
    return {
      id: row.id,
      organizationId,
      userId,
      count: row.issues,
      createdAt: row.created_at,
      // Only `begin` writes it.
      wish: row.wish === null ? null : (JSON.parse(row.wish) as Wish),
      reached: row.reached,
      appliedAt: row.applied_at,
      undoneAt: row.undone_at,
    }
  },

  /** Notes what is wanted of each, unless something is already. */
  begin: async (id: number, wish: Wish): Promise<void> => {
    await ledger.db
      .updateTable('issue_sets')
      .set({ wish: JSON.stringify(wish) })
      .where('id', '=', id)
      .where('wish', 'is', null)
      .where('applied_at', 'is', null)
      .execute()
  },

  /** Notes that the change is made whole. */
  finish: async (id: number, now: number): Promise<void> => {
    await ledger.db
      .updateTable('issue_sets')
      .set({ applied_at: now })
      .where('id', '=', id)
      .where('applied_at', 'is', null)
      .execute()
  },

  countChanged: (id: number): Promise<number> => countChanged(ledger, id),

  /** Ids above `after`, ascending. */
  members: async (id: number, after: number, limit: number): Promise<readonly number[]> => {
    const rows = await ledger.db
      .selectFrom('issue_set_members')
      .select('issue_id')
      .where('set_id', '=', id)
      .where('issue_id', '>', after)
      .orderBy('issue_id')
      .limit(limit)
      .execute()
    return rows.map((row) => row.issue_id)
  },

  /**
   * Changes issues of the set, and remembers how they were and how far it came, in one. Nothing when the set stands
   * elsewhere by now: another request made this step, or took the change back.
   */
  change: (id: number, step: Step, request: IssueChangeRequest): Promise<void> =>
    ledger.transaction((transaction) => change(transaction, ledger, { id, step, request })),

  /** Puts issues of the set back to how they were, those above `after` that nobody changed since. */
  restore: (
    id: number,
    actor: Actor,
    after: number,
    limit: number,
  ): Promise<Undone & { readonly last: number | null }> =>
    ledger.transaction((transaction) => restore(transaction, ledger, { id, actor, after, limit })),

  /** From here on it changes nothing more. */
  noteUndone: async (id: number, now: number): Promise<void> => {
    await ledger.db.updateTable('issue_sets').set({ undone_at: now }).where('id', '=', id).execute()
  },

  /** Sets that nobody can use any more. */
  forgetOld: async (now: number): Promise<void> => {
    await ledger.db
      .deleteFrom('issue_sets')
      .where('created_at', '<=', now - LIMITS.ISSUE_SET_MS)
      .execute()
  },
})

/** How many issues of a set were changed, taken back or not. */
const countChanged = async (ledger: Pick<Ledger, 'db'>, id: number): Promise<number> => {
  const { changed } = await ledger.db
    .selectFrom('issue_set_members')
    .select(({ fn }) => fn.countAll<number>().as('changed'))
    .where('set_id', '=', id)
    .where('after', 'is not', null)
    .executeTakeFirstOrThrow()
  return changed
}

/** Issues of a set above one id, up to another. */
interface Step {
  readonly after: number
  readonly last: number
}

interface FreezeRequest extends Actor {
  readonly userId: number
  readonly ids: readonly number[]
}

const freeze = async (
  transaction: LedgerTransaction,
  { ids, now, organizationId, userId }: FreezeRequest,
): Promise<number> => {
  await makeRoom(transaction, organizationId, userId)
  const { id } = await transaction
    .insertInto('issue_sets')
    .values({
      organization_id: organizationId,
      user_id: userId,
      issues: ids.length,
      created_at: now,
      applied_at: null,
      undone_at: null,
      wish: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const part of chunks(ids, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('issue_set_members')
      .values(part.map((issueId) => ({ set_id: id, issue_id: issueId, before: null, after: null })))
      .execute()
  }
  return id
}

const change = async (
  transaction: LedgerTransaction,
  ledger: Ledger,
  { id, request, step }: { readonly id: number; readonly step: Step; readonly request: IssueChangeRequest },
): Promise<void> => {
  const { numUpdatedRows } = await transaction
    .updateTable('issue_sets')
    .set({ reached: step.last })
    .where('id', '=', id)
    .where('reached', '=', step.after)
    .where('undone_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return
  const changed = await changeIssues(transaction, ledger, request)
  const rows = changed.map(({ after, before, id: issueId }) => ({
    set_id: id,
    issue_id: issueId,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  }))
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('issue_set_members')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['set_id', 'issue_id']).doUpdateSet((row) => ({
          before: row.ref('excluded.before'),
          after: row.ref('excluded.after'),
        })),
      )
      .execute()
  }
}

const restore = async (
  transaction: LedgerTransaction,
  ledger: Ledger,
  {
    actor,
    after,
    id,
    limit,
  }: { readonly actor: Actor; readonly after: number; readonly id: number; readonly limit: number },
): Promise<Undone & { readonly last: number | null }> => {
  const rows = await transaction
    .selectFrom('issue_set_members')
    .selectAll()
    .where('set_id', '=', id)
    .where('issue_id', '>', after)
    .orderBy('issue_id')
    .limit(limit)
    .execute()
  const states = rows.flatMap(({ after: to, before, issue_id: issueId }): ChangedState[] =>
    before === null || to === null
      ? []
      : // Only `change` writes them.
        [{ id: issueId, before: JSON.parse(before) as IssueState, after: JSON.parse(to) as IssueState }],
  )
  const restored = await restoreStates(transaction, ledger, actor, states)
  return { restored, left: states.length - restored.length, last: rows.at(-1)?.issue_id ?? null }
}

/** One person keeps so many; the oldest give way. */
const makeRoom = async (transaction: LedgerTransaction, organizationId: number, userId: number): Promise<void> => {
  const beyond = await transaction
    .selectFrom('issue_sets')
    .select('id')
    .where('user_id', '=', userId)
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .offset(LIMITS.ISSUE_SETS - 1)
    .limit(1)
    .executeTakeFirst()
  if (beyond === undefined) return
  await transaction
    .deleteFrom('issue_sets')
    .where('user_id', '=', userId)
    .where('organization_id', '=', organizationId)
    .where('id', '<=', beyond.id)
    .execute()
}

/** Nobody changed it since. */
const isAs = (issue: IssueState, state: IssueState): boolean => JSON.stringify(stateOf(issue)) === JSON.stringify(state)

const STATUS_ACTIVITY = { unresolved: 'set_unresolved', resolved: 'set_resolved', ignored: 'set_ignored' } as const

/** @returns the issues that are as they were; those that somebody changed since are left */
const restoreStates = async (
  transaction: LedgerTransaction,
  ledger: Ledger,
  actor: Actor,
  states: readonly ChangedState[],
): Promise<readonly number[]> => {
  const wanted = new Map(states.map((state) => [state.id, state]))
  const issues = await lockIssues(transaction, ledger, actor.organizationId, [...wanted.keys()])
  const activity: Insertable<IssueActivityTable>[] = []
  const facts: Fact[] = []
  const restored: number[] = []
  for (const issue of issues) {
    const state = wanted.get(issue.id)
    if (state === undefined || !isAs(issue, state.after)) continue
    const { before } = state
    const note = (type: string, data: object): void => {
      activity.push({
        issue_id: issue.id,
        project_id: issue.project_id,
        user_id: actor.userId,
        type,
        data: JSON.stringify({ ...data, undone: true }),
        created_at: actor.now,
      })
    }
    if (before.status !== issue.status || before.substatus !== issue.substatus) note(STATUS_ACTIVITY[before.status], {})
    if (before.priority !== issue.priority) note('set_priority', { priority: before.priority })
    if (before.assigned_user_id !== issue.assigned_user_id || before.assigned_team_id !== issue.assigned_team_id) {
      const id = before.assigned_user_id ?? before.assigned_team_id
      if (id === null) note('unassigned', {})
      else {
        const assigneeType = before.assigned_user_id === null ? 'team' : 'user'
        note('assigned', { assignee: String(id), assigneeType })
      }
    }
    await transaction
      .updateTable('issues')
      .set({ ...before, changed_at: actor.now })
      .where('id', '=', issue.id)
      .execute()
    facts.push(
      ...factsOfChange({ before: issue, after: before, details: readStatusDetails(before.status_details) }, actor),
    )
    restored.push(issue.id)
  }
  await insertActivity(transaction, activity)
  await noteFacts(transaction, facts, actor.now)
  return restored
}
