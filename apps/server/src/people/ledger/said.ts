import { sql } from 'kysely'
import { localeIn, newestMessages } from '../../feedback/index.ts'
import type { MomentPage } from '../../lib/moment-page.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import { reportIdsAbout } from './written-reports.ts'

/** What people said about an issue, as its page shows it. */
export type SaidReport = Awaited<ReturnType<ReturnType<typeof readSaid>>>['rows'][number]

/** Newest first; one more than asked for when there are more. Spam is left out. */
export const readSaid =
  (ledger: Ledger) =>
  async (
    { organizationId, issueIds }: { readonly organizationId: number; readonly issueIds: readonly number[] },
    { behind, limit }: MomentPage,
  ) => {
    const { db } = ledger
    const all = db
      .selectFrom('feedback')
      .where('feedback.id', 'in', reportIdsAbout(organizationId, issueIds))
      .where('feedback.status', '!=', 'spam')
    const rows = await all
      .leftJoin('feedback as parent', 'parent.id', 'feedback.merged_into_id')
      .select(['feedback.id', 'feedback.event_id', 'feedback.project_id', 'feedback.name', 'feedback.email'])
      .select(['feedback.url', 'feedback.release', 'feedback.status', 'feedback.created_at', 'feedback.written_at'])
      .select(['feedback.user_key', 'feedback.merged_into_id', 'feedback.attachments', 'feedback.replay_id'])
      .select(['feedback.awaits_reply', 'feedback.thread_token'])
      .select(sql<'event' | 'trace' | 'person' | null>`coalesce(feedback.linked_by, parent.linked_by)`.as('linked_by'))
      .select(sql<string>`substr(feedback.message, 1, ${LIMITS.SAID_CHARS})`.as('message'))
      .select(localeIn(ledger).as('locale'))
      .select(sql<number>`(SELECT count(*) FROM feedback_messages t WHERE t.feedback_id = feedback.id)`.as('replies'))
      .$if(behind !== null, (reports) =>
        reports.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('feedback.created_at', 'feedback.id'), '<', tuple(behind?.at ?? 0, behind?.id ?? 0)),
        ),
      )
      .orderBy('feedback.created_at', 'desc')
      .orderBy('feedback.id', 'desc')
      .limit(limit + 1)
      .execute()
    const counted = await all.select(({ fn }) => fn.countAll<number>().as('hits')).executeTakeFirst()
    const ids = rows.map((row) => row.id)
    const [threads, linkers] = await Promise.all([
      newestMessages(db, ids, LIMITS.SAID_THREAD_MESSAGES),
      whoLinked(ledger, ids),
    ])
    return {
      rows: rows.map((row) => ({
        ...row,
        thread: threads.get(row.id) ?? [],
        linkedBy: linkers.get(row.id) ?? null,
      })),
      hits: counted?.hits ?? 0,
    }
  }

/** Of each report, who linked it last by hand. */
const whoLinked = async ({ db }: Ledger, ids: readonly number[]) => {
  const rows = await db
    .selectFrom('feedback_activity')
    .innerJoin('users', 'users.id', 'feedback_activity.user_id')
    .select(['feedback_activity.feedback_id', 'users.id', 'users.name', 'users.email'])
    .where('feedback_activity.feedback_id', 'in', [0, ...ids])
    .where('feedback_activity.type', '=', 'linked')
    .orderBy('feedback_activity.id')
    .execute()
  return new Map(rows.map(({ feedback_id, ...user }) => [feedback_id, user]))
}
