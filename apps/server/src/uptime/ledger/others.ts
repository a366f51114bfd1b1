import type { Ledger } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import { askedOf } from './records.ts'

/**
 * Makes a few addresses of other hosts due at once that were up: whether they answer says whether one host is away, or this
 * server is cut off.
 *
 * @returns how many
 */
export const askOthers = async ({ db }: Ledger, host: string, now: number): Promise<number> => {
  const rows = await db
    .selectFrom('uptime_checks')
    .select(['id', 'asked'])
    .where('status', '=', 'up')
    .where('next_at', 'is not', null)
    .orderBy('last_asked_at', 'desc')
    .limit(LIMITS.UPTIME_CHECKS)
    .execute()
  const others = new Map<string, number>()
  for (const row of rows) {
    const other = new URL(askedOf(row).url).host
    if (other === host || others.has(other) || others.size >= LIMITS.UPTIME_SICK_HOSTS) continue
    others.set(other, row.id)
  }
  await db
    .updateTable('uptime_checks')
    .set({ next_at: now })
    .where('id', 'in', [...others.values(), 0])
    .where('next_at', '>', now)
    .execute()
  return others.size
}
