import { issueOfHash } from '../../issues/index.ts'
import { idsInTurns, turnOf } from '../../storage/ledger/in-turns.ts'
import type { Ledger } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'

/** What is to be told of addresses: of each organisation in the order in which it happened, of all of them in turns. */
const selectWaiting = ({ db }: Ledger) =>
  db
    .selectFrom('uptime_events')
    .innerJoin('uptime_checks', 'uptime_checks.id', 'uptime_events.check_id')
    .select('uptime_events.id')

type Waiting = (query: ReturnType<typeof selectWaiting>) => ReturnType<typeof selectWaiting>

const selectEvents = ({ db }: Ledger, ids: readonly number[]) =>
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
    .where('uptime_events.id', 'in', ids)
    .orderBy('uptime_events.id')

export type UptimeEvent = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number]
export type UptimeEvents = ReturnType<typeof createUptimeEvents>

const inTurns = async (ledger: Ledger, waiting: Waiting): Promise<readonly UptimeEvent[]> => {
  const turns = waiting(selectWaiting(ledger)).select(turnOf('uptime_checks.organization_id', 'uptime_events.id'))
  const ids = await idsInTurns(ledger, turns, LIMITS.UPTIME_EVENTS_PER_LOOK)
  return ids.length === 0 ? [] : selectEvents(ledger, ids).execute()
}

export const createUptimeEvents = ({ ledger }: { readonly ledger: Ledger }) => ({
  unsent: (): Promise<readonly UptimeEvent[]> =>
    inTurns(ledger, (query) =>
      query.where('uptime_events.sent_at', 'is', null).where('uptime_events.kind', '=', 'failed'),
    ),
  /** Those of which nothing that failed before is on its way any more, and that nobody undoes any more. */
  over: (now: number): Promise<readonly UptimeEvent[]> =>
    inTurns(ledger, (query) =>
      query
        .where('uptime_events.kind', '=', 'over')
        // None is told of later than that: the clock was set back.
        .where(({ eb, or }) =>
          or([eb('uptime_events.at', '<=', now), eb('uptime_events.at', '>', now + LIMITS.UPTIME_UNDO_MS)]),
        )
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
        ),
    ),
  sent: async (ids: readonly number[], at: number): Promise<void> => {
    await ledger.db
      .updateTable('uptime_events')
      .set({ sent_at: at })
      .where('id', 'in', [...ids, 0])
      .execute()
  },
  /** What failed again before anybody was told that it is well is not over. */
  forgetOvertaken: async (): Promise<void> => {
    await ledger.db
      .deleteFrom('uptime_events')
      .where('kind', '=', 'over')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('uptime_events as later')
            .select('later.id')
            .whereRef('later.check_id', '=', 'uptime_events.check_id')
            .whereRef('later.about', '=', 'uptime_events.about')
            .whereRef('later.id', '>', 'uptime_events.id')
            .where('later.kind', '=', 'failed'),
        ),
      )
      .execute()
  },
  /** Lets go those whose event was digested by an instant. */
  forgetDigested: async (until: number): Promise<void> => {
    await ledger.db.deleteFrom('uptime_events').where('sent_at', '<', until).execute()
  },
  done: async (ids: readonly number[]): Promise<void> => {
    await ledger.db
      .deleteFrom('uptime_events')
      .where('id', 'in', [...ids, 0])
      .execute()
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
