import type { MarkRequest, Marks } from '../workflow/marks.store.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'

/** What asks for another look at an issue that one has seen, when it happened by itself. */
const ASKS_AGAIN = ['set_regression', 'set_unresolved']

const toFlag = (value: boolean | undefined): 0 | 1 => (value === true ? 1 : 0)

export type IssueMarks = ReturnType<typeof createLedgerIssueMarks>

/** What a person has noted about issues for themselves alone. Nobody else's lists change by it. */
export const createLedgerIssueMarks = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** Issues without an entry have no mark. */
  of: async (userId: number, issueIds: readonly number[]): Promise<ReadonlyMap<number, Marks>> => {
    const found = new Map<number, { seen: boolean; bookmarked: boolean; subscribed: boolean }>()
    for (const part of chunks(issueIds, ROWS_PER_STATEMENT)) {
      const rows = await ledger.db
        .selectFrom('issue_marks')
        .select((eb) => [
          'issue_id',
          'seen_at',
          'is_bookmarked',
          'is_subscribed',
          eb
            .selectFrom('issue_activity')
            .select((activity) => activity.fn.max('issue_activity.created_at').as('at'))
            .whereRef('issue_activity.issue_id', '=', 'issue_marks.issue_id')
            .where('issue_activity.type', 'in', ASKS_AGAIN)
            .where('issue_activity.user_id', 'is', null)
            .as('asked_at'),
        ])
        .where('user_id', '=', userId)
        .where('issue_id', 'in', part)
        .execute()
      for (const row of rows) {
        found.set(row.issue_id, {
          seen: row.seen_at !== null && row.seen_at >= (row.asked_at ?? 0),
          bookmarked: row.is_bookmarked === 1,
          subscribed: row.is_subscribed === 1,
        })
      }
    }
    return found
  },

  /** Marks that are undefined stay as they are. Ids of other organisations are left alone. */
  set: ({ organizationId, userId, now, ids, seen, bookmarked, subscribed }: MarkRequest): Promise<void> =>
    ledger.transaction(async (transaction) => {
      for (const part of chunks([...new Set(ids)], ROWS_PER_STATEMENT)) {
        const known = await transaction
          .selectFrom('issues')
          .select('id')
          .where('id', 'in', part)
          .where('organization_id', '=', organizationId)
          .execute()
        if (known.length === 0) continue
        await transaction
          .insertInto('issue_marks')
          .values(
            known.map(({ id }) => ({
              user_id: userId,
              issue_id: id,
              seen_at: seen === true ? now : null,
              is_bookmarked: toFlag(bookmarked),
              is_subscribed: toFlag(subscribed),
            })),
          )
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'issue_id']).doUpdateSet((row) => ({
              seen_at: row.ref(seen === undefined ? 'issue_marks.seen_at' : 'excluded.seen_at'),
              is_bookmarked: row.ref(bookmarked === undefined ? 'issue_marks.is_bookmarked' : 'excluded.is_bookmarked'),
              is_subscribed: row.ref(subscribed === undefined ? 'issue_marks.is_subscribed' : 'excluded.is_subscribed'),
            })),
          )
          .execute()
      }
    }),

  /** People who follow the issue, in the order of their names. */
  subscribers: async (issueId: number): Promise<readonly number[]> => {
    const rows = await ledger.db
      .selectFrom('issue_marks')
      .innerJoin('users', 'users.id', 'issue_marks.user_id')
      .select('users.id')
      .where('issue_marks.issue_id', '=', issueId)
      .where('issue_marks.is_subscribed', '=', 1)
      .orderBy('users.name')
      .orderBy('users.id')
      .execute()
    return rows.map((row) => row.id)
  },
})
