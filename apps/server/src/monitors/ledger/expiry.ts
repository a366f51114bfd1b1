import type { Ledger, RetentionPart } from '../../storage/index.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { LIMITS } from '../limits.ts'
import { forgetUntil } from './runs.ts'

/** Runs go with the age of an organisation's data, and what they were judged by; how many there were of each day stays for longer. */
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
    await db
      .deleteFrom('monitor_past_configs')
      .where('monitor_id', 'in', (eb) =>
        eb.selectFrom('monitors').select('id').where('organization_id', '=', organizationId),
      )
      .where('until_at', '<', before)
      .execute()
    const beyond = await forgetBeyondLimits(db, organizationId)
    const firstDay = Math.floor(before / DAY_MS) - LIMITS.MONITOR_DAYS_KEPT_DAYS
    await db
      .deleteFrom('monitor_days')
      .where('environment_id', 'in', environments)
      .where('day', '<', firstDay)
      .execute()
    return { monitorRuns: Number(runs.numDeletedRows) + beyond }
  },
})

/** Runs that never came are many as well: of each environment, the newest are kept. */
const forgetBeyondLimits = async (db: Ledger['db'], organizationId: number): Promise<number> => {
  const full = await db
    .selectFrom('monitor_environments')
    .select(({ selectFrom }) => [
      'id',
      selectFrom('monitor_runs')
        .select('started_at')
        .whereRef('monitor_runs.environment_id', '=', 'monitor_environments.id')
        .orderBy('started_at', 'desc')
        .offset(LIMITS.MONITOR_RUNS_KEPT)
        .limit(1)
        .as('beyond'),
    ])
    .where('organization_id', '=', organizationId)
    .execute()
  let removed = 0
  for (const { beyond, id } of full) {
    if (beyond !== null) removed += await forgetUntil(db, id, beyond)
  }
  return removed
}
