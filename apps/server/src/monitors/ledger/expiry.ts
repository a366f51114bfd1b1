import type { Ledger, RetentionPart } from '../../storage/index.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { LIMITS } from '../limits.ts'

/** Runs go with the age of an organisation's data; how many there were of each day stays for longer. */
export const createRunRetention = ({ ledger: { db } }: { readonly ledger: Ledger }): RetentionPart => ({
  expire: async ({ before, organizationId }) => {
    const environments = db
      .selectFrom('monitor_environments')
      .select('id')
      .where('organization_id', '=', organizationId)
    const runs = await db
      .deleteFrom('monitor_runs')
      .where('environment_id', 'in', environments)
      .where('started_at', '<', before)
      .executeTakeFirst()
    const firstDay = Math.floor(before / DAY_MS) - LIMITS.MONITOR_DAYS_KEPT_DAYS
    await db
      .deleteFrom('monitor_days')
      .where('environment_id', 'in', environments)
      .where('day', '<', firstDay)
      .execute()
    return { monitorRuns: Number(runs.numDeletedRows) }
  },
})
