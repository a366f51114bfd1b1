import type { Ledger } from '../../storage/index.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { LIMITS } from '../limits.ts'

/**
 * Notes that the server is there. When it was not for a while, nobody knows what would have come meanwhile: that time is
 * noted as an absence. A clock that leaps ahead looks the same, and is taken so.
 *
 * @returns whether it was away
 */
export const notePresence = (ledger: Ledger, name: string, now: number): Promise<boolean> =>
  ledger.transaction(async (transaction) => {
    const before = await transaction
      .selectFrom('server_presence')
      .select('at')
      .where('name', '=', name)
      .executeTakeFirst()
    await transaction
      .insertInto('server_presence')
      .values({ name, at: now })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ at: now }))
      .execute()
    if (before === undefined || now - before.at < LIMITS.MONITOR_OUTAGE_MS) return false
    await transaction.insertInto('server_absences').values({ from_at: before.at, until_at: now }).execute()
    await transaction
      .deleteFrom('server_absences')
      .where('until_at', '<', now - LIMITS.MONITOR_OUTAGES_KEPT_DAYS * DAY_MS)
      .execute()
    return true
  })
