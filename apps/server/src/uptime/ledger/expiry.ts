import { DAY_MS } from '../../lib/durations.ts'
import type { Ledger, RetentionPart } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'

/** Results go with the age of an organisation's data, and the oldest of too many; their days stay for longer. */
export const createResultRetention = ({ ledger: { db } }: { readonly ledger: Ledger }): RetentionPart => ({
  expire: async ({ before, organizationId }) => {
    const own = db.selectFrom('uptime_checks').select('id').where('organization_id', '=', organizationId)
    const old = await db
      .deleteFrom('uptime_results')
      .where('check_id', 'in', own)
      .where('at', '<', before)
      .executeTakeFirst()
    const beyond = await forgetBeyondLimits(db, organizationId)
    await db
      .deleteFrom('uptime_days')
      .where('check_id', 'in', own)
      .where('day', '<', Math.floor(before / DAY_MS) - LIMITS.UPTIME_DAYS_KEPT_DAYS)
      .execute()
    return { uptimeResults: Number(old.numDeletedRows) + beyond }
  },
})

/** Of each check, the newest are kept: between two looks it makes a few hundred more. */
const forgetBeyondLimits = async (db: Ledger['db'], organizationId: number): Promise<number> => {
  const checks = await db
    .selectFrom('uptime_checks')
    .select(({ selectFrom }) => [
      'id',
      selectFrom('uptime_results')
        .select('at')
        .whereRef('uptime_results.check_id', '=', 'uptime_checks.id')
        .orderBy('at', 'desc')
        .offset(LIMITS.UPTIME_RESULTS_KEPT)
        .limit(1)
        .as('beyond'),
    ])
    .where('organization_id', '=', organizationId)
    .execute()
  let removed = 0
  for (const { beyond, id } of checks) {
    if (beyond === null) continue
    const gone = await db
      .deleteFrom('uptime_results')
      .where('check_id', '=', id)
      .where('at', '<=', beyond)
      .executeTakeFirst()
    removed += Number(gone.numDeletedRows)
  }
  return removed
}
