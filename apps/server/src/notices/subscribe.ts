import type { LedgerTransaction } from '../storage/index.ts'
import type { NoticeSubscriptionTable } from './ledger/schema.ts'

/**
 * Somebody follows an issue by what happened. Who follows it already does so for the same reason as before; who ended it by
 * hand does so again, as something new ties them to it.
 *
 * @returns whether they did not follow it before
 */
export const subscribe = async (
  transaction: LedgerTransaction,
  { userId, issueId, reason, now }: SubscribeRequest,
): Promise<boolean> => {
  const issue = await transaction.selectFrom('issues').select('id').where('id', '=', issueId).executeTakeFirst()
  const user = await transaction.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()
  if (issue === undefined || user === undefined) return false
  const marked = await transaction
    .selectFrom('issue_marks')
    .select('is_subscribed')
    .where('user_id', '=', userId)
    .where('issue_id', '=', issueId)
    .executeTakeFirst()
  if (marked?.is_subscribed === 1) return false
  await transaction
    .insertInto('issue_marks')
    .values({ user_id: userId, issue_id: issueId, seen_at: null, is_bookmarked: 0, is_subscribed: 1 })
    .onConflict((conflict) => conflict.columns(['user_id', 'issue_id']).doUpdateSet({ is_subscribed: 1 }))
    .execute()
  await transaction
    .insertInto('notice_subscriptions')
    .values({ user_id: userId, issue_id: issueId, reason, since: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'issue_id']).doUpdateSet({ reason, since: now }))
    .execute()
  return true
}

export interface SubscribeRequest {
  readonly userId: number
  readonly issueId: number
  readonly reason: NoticeSubscriptionTable['reason']
  /** Milliseconds since the epoch. */
  readonly now: number
}
