import type { Standing } from '../../lib/standing.ts'
import type { Ledger } from '../../storage/index.ts'

/** Of a monitor of the organisation, in all of its environments; null when it is not there any more. */
export const readStanding = async (
  { db }: Ledger,
  organizationId: number,
  guid: string,
  firstDay: number,
): Promise<Standing | null> => {
  const rows = await db
    .selectFrom('monitor_environments')
    .innerJoin('monitors', 'monitors.id', 'monitor_environments.monitor_id')
    .select(['monitor_environments.id', 'monitor_environments.status', 'monitors.is_disabled'])
    .where('monitors.organization_id', '=', organizationId)
    .where('monitors.guid', '=', guid)
    .where('monitors.deleted_at', 'is', null)
    .execute()
  if (rows.length === 0) return null
  const days = await db
    .selectFrom('monitor_days')
    .select(['day', 'ok', 'failed', 'missed', 'timed_out'])
    .where(
      'environment_id',
      'in',
      rows.map(({ id }) => id),
    )
    .where('day', '>=', firstDay)
    .execute()
  const summed = [...Map.groupBy(days, ({ day }) => day)].map(([day, own]) => ({
    day,
    good: own.reduce((sum, { ok }) => sum + ok, 0),
    bad: own.reduce((sum, { failed, missed, timed_out: timedOut }) => sum + failed + missed + timedOut, 0),
  }))
  return {
    // Of what is off, nobody knows how it is now.
    isBad: rows.some(({ is_disabled: isDisabled, status }) => isDisabled === 0 && status === 'error'),
    isKnown: rows.some(({ is_disabled: isDisabled, status }) => isDisabled === 0 && status !== 'active'),
    days: summed,
  }
}
