import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import type { Selectable } from 'kysely'
import { AWAKE } from './notify.ts'
import type { NoticeEntryTable } from './schema.ts'

/** What people have of an issue that was merged into another one is of that one from then on. */

export interface Merged {
  readonly issueId: number
  readonly parentId: number
  /** Events of the one that was merged, and of both together. */
  readonly events: number
  readonly parentEvents: number
}

const causeOf = (issueId: number): string => `issue:${issueId}`

/** Stands before the cause of lines whose issue is deleted. */
export const DELETED = 'deleted:'

const deletedCauseOf = (issueId: number): string => `${DELETED}${causeOf(issueId)}`

/** Whoever followed it follows the other one, but for those who have a mark of that one by which they do not. */
const moveFollowers = async (transaction: LedgerTransaction, { issueId, parentId }: Merged): Promise<void> => {
  const following = await transaction
    .selectFrom('issue_marks')
    .select('user_id')
    .where('issue_id', '=', issueId)
    .where('is_subscribed', '=', 1)
    .execute()
  const ended = await transaction
    .selectFrom('notice_subscriptions')
    .innerJoin('issue_marks', (join) =>
      join
        .onRef('issue_marks.user_id', '=', 'notice_subscriptions.user_id')
        .onRef('issue_marks.issue_id', '=', 'notice_subscriptions.issue_id'),
    )
    .select('notice_subscriptions.user_id')
    .where('notice_subscriptions.issue_id', '=', parentId)
    .where('issue_marks.is_subscribed', '=', 0)
    .execute()
  const silent = new Set(ended.map(({ user_id: id }) => id))
  const users = following.flatMap(({ user_id: id }) => (silent.has(id) ? [] : [id]))
  for (const part of chunks(users, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('issue_marks')
      .values(
        part.map((id) => ({ user_id: id, issue_id: parentId, seen_at: null, is_bookmarked: 0, is_subscribed: 1 })),
      )
      .onConflict((conflict) => conflict.columns(['user_id', 'issue_id']).doUpdateSet({ is_subscribed: 1 }))
      .execute()
    const reasons = await transaction
      .selectFrom('notice_subscriptions')
      .select(['user_id', 'reason', 'since'])
      .where('issue_id', '=', issueId)
      .where('user_id', 'in', part)
      .execute()
    if (reasons.length === 0) continue
    await transaction
      .insertInto('notice_subscriptions')
      .values(reasons.map((row) => ({ ...row, issue_id: parentId })))
      .onConflict((conflict) => conflict.columns(['user_id', 'issue_id']).doNothing())
      .execute()
  }
}

type Line = Selectable<NoticeEntryTable>

const linesOf = (transaction: LedgerTransaction, organizationId: number, cause: string): Promise<readonly Line[]> =>
  transaction
    .selectFrom('notice_entries')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('cause', '=', cause)
    .execute()

interface Way {
  readonly from: string
  readonly to: string
  /** How many more events the issue has by which lines of `to` are counted. */
  readonly more: number
  /** Of which issue lines are from then on. */
  readonly issueId: number
}

/** A line that sleeps until the one was so much worse sleeps until both together are. */
const sleepOf = ({ snooze, snooze_events: until, snooze_release, snooze_until }: Line, { more }: Way) => ({
  snooze,
  snooze_release,
  snooze_until,
  snooze_events: until === null ? null : until + more,
})

/** Of two lines of one person the one stays that waits for them: one that was done with says nothing. */
const together = (moved: Line, known: Line, way: Way) => {
  const isDone = known.done_at !== null
  const both = !isDone && moved.done_at === null
  const sleeps = both ? known.snooze !== null && moved.snooze !== null : moved.snooze !== null
  return {
    told: both ? known.told + moved.told : moved.told,
    first_at: both ? Math.min(known.first_at, moved.first_at) : moved.first_at,
    last_at: Math.max(known.last_at, moved.last_at),
    waits: both && known.waits === 1 ? (1 as const) : moved.waits,
    read_at: both && (known.read_at === null || moved.read_at === null) ? null : moved.read_at,
    done_at: null,
    ...(sleeps ? sleepOf(moved, way) : AWAKE),
  }
}

/** Lines get another cause; what somebody has of both is one line. */
const moveLines = async (transaction: LedgerTransaction, organizationId: number, way: Way): Promise<void> => {
  const known = new Map((await linesOf(transaction, organizationId, way.to)).map((line) => [line.user_id, line]))
  for (const line of await linesOf(transaction, organizationId, way.from)) {
    const other = known.get(line.user_id)
    if (other === undefined) {
      await transaction
        .updateTable('notice_entries')
        .set({ issue_id: way.issueId, cause: way.to, ...sleepOf(line, way) })
        .where('id', '=', line.id)
        .execute()
      continue
    }
    await transaction.updateTable('notice_items').set({ entry_id: other.id }).where('entry_id', '=', line.id).execute()
    await transaction.deleteFrom('notice_entries').where('id', '=', line.id).execute()
    if (line.done_at !== null) continue
    await transaction
      .updateTable('notice_entries')
      .set(together(line, other, way))
      .where('id', '=', other.id)
      .execute()
  }
}

export const followMerge = async (
  transaction: LedgerTransaction,
  organizationId: number,
  merged: Merged,
): Promise<void> => {
  await moveFollowers(transaction, merged)
  const { events, issueId, parentEvents, parentId } = merged
  const more = parentEvents - events
  await moveLines(transaction, organizationId, {
    from: causeOf(issueId),
    to: causeOf(parentId),
    more,
    issueId: parentId,
  })
  await transaction
    .updateTable('notice_mails')
    .set({ cause: causeOf(parentId) })
    .where('organization_id', '=', organizationId)
    .where('cause', '=', causeOf(issueId))
    .execute()
}

/** Of an issue that was deleted nothing is shown, and nothing that waits is mailed. */
export const followDeletion = async (
  transaction: LedgerTransaction,
  organizationId: number,
  issueId: number,
  now: number,
): Promise<void> => {
  await moveLines(transaction, organizationId, {
    from: causeOf(issueId),
    to: deletedCauseOf(issueId),
    more: 0,
    issueId,
  })
  await transaction
    .updateTable('notice_mails')
    .set({ dropped_at: now })
    .where('organization_id', '=', organizationId)
    .where('cause', '=', causeOf(issueId))
    .where('dropped_at', 'is', null)
    .execute()
}

/** The deletion was undone. Somebody may have heard of it meanwhile, e.g. that an alert is over because it was deleted. */
export const followRestoration = (
  transaction: LedgerTransaction,
  organizationId: number,
  issueId: number,
): Promise<void> =>
  moveLines(transaction, organizationId, { from: deletedCauseOf(issueId), to: causeOf(issueId), more: 0, issueId })
