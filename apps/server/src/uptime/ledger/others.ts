import type { Ledger } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import { askedOf } from './records.ts'

/**
 * Makes a few addresses of other hosts due at once that were up: whether they answer says whether one host is away, or this
 * server is cut off. Only those of its own organisation: nobody has the addresses of strangers asked, however their own
 * ones come and go. Those of strangers speak when they are due anyway, if that is soon.
 *
 * @returns how many there are who will say
 */
export const askOthers = async (
  { db }: Ledger,
  { host, organizationId }: { readonly host: string; readonly organizationId: number },
  now: number,
): Promise<number> => {
  const rows = await db
    .selectFrom('uptime_checks')
    .select(['id', 'asked', 'organization_id', 'next_at'])
    .where('status', '=', 'up')
    .where((eb) =>
      eb.or([
        eb.and([eb('organization_id', '=', organizationId), eb('next_at', 'is not', null)]),
        eb('next_at', '<=', now + LIMITS.UPTIME_DOUBT_MS),
      ]),
    )
    .orderBy((eb) => eb.case().when('organization_id', '=', organizationId).then(0).else(1).end())
    .orderBy('last_asked_at', 'desc')
    .limit(LIMITS.UPTIME_CHECKS)
    .execute()
  const others = new Map<string, (typeof rows)[number]>()
  for (const row of rows) {
    const other = new URL(askedOf(row).url).host
    if (other === host || others.has(other) || others.size >= LIMITS.UPTIME_SICK_HOSTS) continue
    others.set(other, row)
  }
  const own = [...others.values()].filter((row) => row.organization_id === organizationId)
  await db
    .updateTable('uptime_checks')
    .set({ next_at: now })
    .where('id', 'in', [...own.map(({ id }) => id), 0])
    .where('next_at', '>', now)
    .execute()
  return others.size
}
