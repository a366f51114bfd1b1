import type { Ledger, RetentionPart } from '../../storage/index.ts'
import { forgetReports } from './deleted-reports.ts'
import { DELETED } from './moved-issues.ts'
import { LIMITS } from '../limits.ts'

/** Lines that were done with, or that nobody looked at for long; what was told without a line goes with its age. */
export const createNoticeRetention = ({ ledger }: { readonly ledger: Ledger }): RetentionPart => ({
  sweep: async (now) => {
    const { db } = ledger
    await forgetExpiredReports(ledger)
    const entries = await db
      .deleteFrom('notice_entries')
      .where('snooze', 'is', null)
      .where((eb) =>
        eb.or([
          eb('last_at', '<', now - LIMITS.NOTICE_KEPT_MS),
          // Its issue is gone.
          eb.and([eb('issue_id', 'is', null), eb('cause', 'like', `${DELETED}%`)]),
          eb.and([eb('done_at', 'is not', null), eb('done_at', '<', now - LIMITS.NOTICE_DONE_MS)]),
        ]),
      )
      .executeTakeFirst()
    const items = await db
      .deleteFrom('notice_items')
      .where('at', '<', now - LIMITS.NOTICE_KEPT_MS)
      .executeTakeFirst()
    // What nobody wanted back is not needed any more.
    await db
      .deleteFrom('notice_mails')
      .where('dropped_at', '<', now - LIMITS.NOTICE_UNDO_MS)
      .execute()
    return { notices: Number(entries.numDeletedRows) + Number(items.numDeletedRows) }
  },
})

/** Whatever else takes reports away, e.g. their age, tells nobody of each. */
const forgetExpiredReports = (ledger: Ledger): Promise<void> =>
  ledger.transaction(async (transaction) => {
    const gone = await transaction
      .selectFrom('notice_items')
      .select('report_id')
      .distinct()
      .where('report_id', 'is not', null)
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(selectFrom('feedback').select('feedback.id').whereRef('feedback.id', '=', 'notice_items.report_id')),
        ),
      )
      .limit(LIMITS.NOTICE_REPORTS_FORGOTTEN)
      .execute()
    await forgetReports(
      transaction,
      gone.map(({ report_id: id }) => id).filter((id) => id !== null),
    )
  })
