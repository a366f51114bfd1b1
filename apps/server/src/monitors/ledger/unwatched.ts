import type { LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'

/**
 * A monitor that is deleted or switched off while it fails: nothing would ever say that it runs again, so its issue is over
 * as soon as nobody undoes it any more.
 */
export const endIncidents = async (transaction: LedgerTransaction, monitorId: number, now: number): Promise<void> => {
  const failing = await transaction
    .selectFrom('monitor_environments')
    .innerJoin('monitor_runs', 'monitor_runs.environment_id', 'monitor_environments.id')
    .select(({ fn }) => ['monitor_environments.id as environment_id', fn.max('monitor_runs.id').as('run_id')])
    .where('monitor_environments.monitor_id', '=', monitorId)
    .where('monitor_environments.has_issue', '=', 1)
    .groupBy('monitor_environments.id')
    .execute()
  if (failing.length === 0) return
  const at = now + LIMITS.MONITOR_UNDO_MS
  await transaction
    .insertInto('monitor_events')
    .values(failing.map((row) => ({ ...row, kind: 'recovered', at })))
    .execute()
}

/** It is watched again: what was not told yet is taken back, and what was told is an issue that is over. */
export const resumeIncidents = async (
  transaction: LedgerTransaction,
  monitorId: number,
  now: number,
): Promise<void> => {
  const takenBack = await transaction
    .deleteFrom('monitor_events')
    .where('kind', '=', 'recovered')
    .where('at', '>', now)
    .where('environment_id', 'in', (eb) =>
      eb.selectFrom('monitor_environments').select('id').where('monitor_id', '=', monitorId),
    )
    .returning('environment_id')
    .execute()
  await transaction
    .updateTable('monitor_environments')
    .set({ has_issue: 0 })
    .where('monitor_id', '=', monitorId)
    .where('id', 'not in', [...takenBack.map(({ environment_id }) => environment_id), 0])
    .execute()
}
