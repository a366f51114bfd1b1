import { issueOfHash } from '../../issues/index.ts'
import type { Ledger } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'

/** What is to be told of addresses, in the order in which it happened. */
const selectEvents = ({ db }: Ledger) =>
  db
    .selectFrom('uptime_events')
    .innerJoin('uptime_checks', 'uptime_checks.id', 'uptime_events.check_id')
    .select([
      'uptime_events.id',
      'uptime_events.about',
      'uptime_events.title',
      'uptime_events.reason',
      'uptime_events.at',
      'uptime_checks.guid',
      'uptime_checks.name',
      'uptime_checks.asked',
      'uptime_checks.environment',
      'uptime_checks.organization_id',
      'uptime_checks.project_id',
    ])
    .orderBy('uptime_events.id')
    .limit(LIMITS.UPTIME_EVENTS_PER_LOOK)

export type UptimeEvent = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number]
export type UptimeEvents = ReturnType<typeof createUptimeEvents>

export const createUptimeEvents = ({ ledger }: { readonly ledger: Ledger }) => ({
  unsent: (): Promise<UptimeEvent[]> =>
    selectEvents(ledger).where('sent_at', 'is', null).where('kind', '=', 'failed').execute(),
  /** Those of which nothing that failed before is on its way any more. */
  over: (): Promise<UptimeEvent[]> =>
    selectEvents(ledger)
      .where('kind', '=', 'over')
      .where(({ exists, not, selectFrom }) =>
        not(
          exists(
            selectFrom('uptime_events as before')
              .select('before.id')
              .whereRef('before.check_id', '=', 'uptime_events.check_id')
              .whereRef('before.about', '=', 'uptime_events.about')
              .whereRef('before.id', '<', 'uptime_events.id')
              .where('before.kind', '=', 'failed'),
          ),
        ),
      )
      .execute(),
  sent: async (id: number, at: number): Promise<void> => {
    await ledger.db.updateTable('uptime_events').set({ sent_at: at }).where('id', '=', id).execute()
  },
  /** Lets go those whose event was digested by an instant. */
  forgetDigested: async (until: number): Promise<void> => {
    await ledger.db.deleteFrom('uptime_events').where('sent_at', '<', until).execute()
  },
  done: async (id: number): Promise<void> => {
    await ledger.db.deleteFrom('uptime_events').where('id', '=', id).execute()
  },
  waiting: async (): Promise<number> => {
    const { events } = await ledger.db
      .selectFrom('uptime_events')
      .select((eb) => eb.fn.countAll<number>().as('events'))
      .executeTakeFirstOrThrow()
    return events
  },
  issueOf: (projectId: number, hash: string) => issueOfHash(ledger, projectId, hash),
})
