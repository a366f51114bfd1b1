import { setImmediate } from 'node:timers/promises'
import { noteFacts } from '../../facts/index.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Ledger, RetentionPart } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { LIMITS } from '../limits.ts'
import { deletedReports } from '../report-facts.ts'

/** Reports of visitors in which nothing has happened since, with their threads. Whoever told of them forgets what they said. */
const expireReports = async (ledger: Ledger, organizationId: number, before: number, now: number): Promise<number> => {
  let removed = 0
  for (;;) {
    const old = await ledger.db
      .selectFrom('feedback')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('last_activity_at', '<', before)
      .limit(LIMITS.EXPIRED_REPORTS_PER_STEP)
      .execute()
    if (old.length === 0) return removed
    removed += await ledger.transaction(async (transaction) => {
      const gone: { readonly id: number; readonly project_id: number }[] = []
      for (const part of chunks(old, ROWS_PER_STATEMENT)) {
        const ids = part.map(({ id }) => id)
        const rows = await transaction
          .deleteFrom('feedback')
          .where('id', 'in', ids)
          // Somebody may have written to one meanwhile.
          .where('last_activity_at', '<', before)
          .returning(['id', 'project_id'])
          .execute()
        gone.push(...rows)
      }
      await noteFacts(transaction, deletedReports(gone, { organizationId, userId: null, now }), now)
      return gone.length
    })
    await setImmediate()
  }
}

/** Reports go with the age of their last change; their threads and tags go with them. */
export const createReportRetention = ({
  clock,
  ledger,
}: {
  readonly ledger: Ledger
  readonly clock: Clock
}): RetentionPart => ({
  expire: async ({ organizationId, before }) => ({
    feedback: await expireReports(ledger, organizationId, before, clock.now()),
  }),
})
