import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import type { MonitorConfig } from '../config.ts'
import { LIMITS } from '../limits.ts'
import { configOf } from './records.ts'

/** Keeps a configuration that is replaced, of the latest ones of its monitor. */
export const keepPastConfig = async (
  transaction: LedgerTransaction,
  monitorId: number,
  { config, until }: { readonly config: string; readonly until: number },
): Promise<void> => {
  await transaction
    .insertInto('monitor_past_configs')
    .values({ monitor_id: monitorId, until_at: until, config })
    // Of two changes in one moment, what was between them judged nothing.
    .onConflict((conflict) => conflict.columns(['monitor_id', 'until_at']).doNothing())
    .execute()
  const beyond = await transaction
    .selectFrom('monitor_past_configs')
    .select('until_at')
    .where('monitor_id', '=', monitorId)
    .orderBy('until_at', 'desc')
    .offset(LIMITS.MONITOR_PAST_CONFIGS)
    .limit(1)
    .executeTakeFirst()
  if (beyond === undefined) return
  await transaction
    .deleteFrom('monitor_past_configs')
    .where('monitor_id', '=', monitorId)
    .where('until_at', '<=', beyond.until_at)
    .execute()
}

/** What a monitor was configured as at an instant. Of times from which none is kept, the first one after them. */
export const readConfigs = async (
  { db }: Ledger,
  { config, id }: { readonly id: number; readonly config: string },
): Promise<(at: number) => MonitorConfig> => {
  const rows = await db
    .selectFrom('monitor_past_configs')
    .select(['until_at', 'config'])
    .where('monitor_id', '=', id)
    .orderBy('until_at')
    .execute()
  const past = rows.map((row) => ({ until: row.until_at, config: configOf(row.config) }))
  const today = configOf(config)
  return (at) => past.find(({ until }) => at < until)?.config ?? today
}
