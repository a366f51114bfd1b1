import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { AWAKE } from './notify.ts'

/** Ends of sleep that are not a notice: a time, an issue that has more events, a release. */

/** Lines that woke up, by where they are, and when the next does by the time; Infinity for none. */
export interface Woken {
  readonly organizationIds: readonly number[]
  readonly nextAt: number
}

export const wakeLines = async ({ db }: Ledger, now: number): Promise<Woken> => {
  // It is asked each second, and mostly nothing sleeps: that is no reason to write.
  const asleep = await db
    .selectFrom('notice_entries')
    .select('id')
    .where('snooze', 'in', ['time', 'worse'])
    .limit(1)
    .executeTakeFirst()
  if (asleep === undefined) return { organizationIds: [], nextAt: Infinity }
  const byTime = await db
    .updateTable('notice_entries')
    .set({ ...AWAKE, read_at: null, woken: 'You wanted to see it again now.' })
    .where('snooze', '=', 'time')
    .where('snooze_until', '<=', now)
    .returning('organization_id')
    .execute()
  const byEvents = await db
    .updateTable('notice_entries')
    .set({ ...AWAKE, read_at: null, woken: 'It got worse: it happened twice as often since.' })
    .where('snooze', '=', 'worse')
    .where('snooze_events', 'is not', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('issues')
          .select('issues.id')
          .whereRef('issues.id', '=', 'notice_entries.issue_id')
          .whereRef('issues.times_seen', '>=', 'notice_entries.snooze_events'),
      ),
    )
    .returning('organization_id')
    .execute()
  const next = await db
    .selectFrom('notice_entries')
    .select((eb) => eb.fn.min('snooze_until').as('at'))
    .where('snooze', '=', 'time')
    .executeTakeFirst()
  return {
    organizationIds: [...byTime, ...byEvents].map((row) => row.organization_id),
    nextAt: next?.at ?? Infinity,
  }
}

/** Lines that sleep until this release, or whichever comes next of their project. */
export const wakeByRelease = async (
  transaction: LedgerTransaction,
  { organizationId, projectId, version }: { organizationId: number; projectId: number | null; version: string },
): Promise<void> => {
  await transaction
    .updateTable('notice_entries')
    .set({ ...AWAKE, read_at: null, woken: `${version} is live.` })
    .where('snooze', '=', 'release')
    .where('organization_id', '=', organizationId)
    .where('snooze_release', 'in', [version, ''])
    .where((eb) =>
      projectId === null
        ? eb('project_id', 'is', null)
        : eb.or([eb('project_id', 'is', null), eb('project_id', '=', projectId)]),
    )
    .execute()
}
