import type { Standing } from '../../lib/standing.ts'
import type { Ledger } from '../../storage/index.ts'

/** Of a check of the organisation; null when it is not there any more. */
export const readStanding = async (
  { db }: Ledger,
  organizationId: number,
  guid: string,
  firstDay: number,
): Promise<Standing | null> => {
  const row = await db
    .selectFrom('uptime_checks')
    .select(['id', 'status', 'is_disabled'])
    .where('organization_id', '=', organizationId)
    .where('guid', '=', guid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return null
  const days = await db
    .selectFrom('uptime_days')
    .select(['day', 'up', 'down'])
    .where('check_id', '=', row.id)
    .where('day', '>=', firstDay)
    .execute()
  return {
    // Of what is off, nobody knows how it is now.
    isBad: row.is_disabled === 0 && row.status === 'down',
    isKnown: row.is_disabled === 0 && row.status !== 'active',
    days: days.map(({ day, down, up }) => ({ day, good: up, bad: down })),
  }
}
