import { zstdDecompressSync } from 'node:zlib'
import { noteFacts } from '../../facts/index.ts'
import { issueOfHash } from '../../issues/index.ts'
import { idsInTurns, turnOf } from '../../storage/ledger/in-turns.ts'
import type { Ledger } from '../../storage/index.ts'
import { eventIdOf, type FailedRun, type ToldMonitor } from '../occurrence.ts'
import { LIMITS } from '../limits.ts'
import { removedEnvironments } from '../monitor-facts.ts'
import { INCIDENTS } from './environment-writes.ts'
import { configOf } from './records.ts'

/** What is to be told of monitors: of each organisation in the order in which it happened, of all of them in turns. */

export interface WaitingEvent {
  readonly id: number
  readonly environmentId: number
  readonly kind: 'failed' | 'recovered'
  readonly at: number
  readonly monitor: ToldMonitor & { readonly ownerUserId: number | null; readonly ownerTeamId: number | null }
  readonly run: FailedRun
}

export type MonitorEvents = ReturnType<typeof createMonitorEvents>

export const createMonitorEvents = ({ ledger }: { readonly ledger: Ledger }) => {
  const inTurns = async (waiting: Waiting): Promise<readonly WaitingEvent[]> => {
    const turns = waiting(selectWaiting(ledger)).select(
      turnOf('monitor_environments.organization_id', 'monitor_events.id'),
    )
    const ids = await idsInTurns(ledger, turns, LIMITS.MONITOR_EVENTS_PER_LOOK)
    return ids.length === 0 ? [] : (await selectEvents(ledger, ids).execute()).map(read)
  }
  return {
    /** Those that no event was sent for yet. */
    unsent: (): Promise<readonly WaitingEvent[]> =>
      inTurns((query) => query.where('monitor_events.sent_at', 'is', null).where('monitor_events.kind', '=', 'failed')),
    /** Those of which nothing that failed before is on its way any more, and that nobody undoes any more. */
    recovered: (now: number): Promise<readonly WaitingEvent[]> =>
      inTurns((query) =>
        query
          .where('monitor_events.kind', '=', 'recovered')
          // None is told of later than that: the clock was set back.
          .where(({ eb, or }) =>
            or([eb('monitor_events.at', '<=', now), eb('monitor_events.at', '>', now + LIMITS.MONITOR_UNDO_MS)]),
          )
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('monitor_events as before')
                  .select('before.id')
                  .whereRef('before.environment_id', '=', 'monitor_events.environment_id')
                  .whereRef('before.id', '<', 'monitor_events.id')
                  .where('before.kind', '=', 'failed'),
              ),
            ),
          ),
      ),
    /** Those whose event was digested by an instant. */
    digested: (until: number): Promise<readonly WaitingEvent[]> =>
      inTurns((query) => query.where('monitor_events.sent_at', '<', until).where('monitor_events.kind', '=', 'failed')),
    /** What failed again before anybody was told that it runs is not over. */
    forgetOvertaken: async (): Promise<void> => {
      await ledger.db
        .deleteFrom('monitor_events')
        .where('kind', '=', 'recovered')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('monitor_events as later')
              .select('later.id')
              .whereRef('later.environment_id', '=', 'monitor_events.environment_id')
              .whereRef('later.id', '>', 'monitor_events.id')
              .where('later.kind', '=', 'failed'),
          ),
        )
        .execute()
    },
    waiting: async (): Promise<number> => {
      const { events } = await ledger.db
        .selectFrom('monitor_events')
        .select((eb) => eb.fn.countAll<number>().as('events'))
        .executeTakeFirstOrThrow()
      return events
    },
    /** Of environments that were removed meanwhile, what was sent opens an issue all the same: it is noted once more. */
    sent: (sent: readonly WaitingEvent[], at: number): Promise<void> =>
      ledger.transaction(async (transaction) => {
        const ids = sent.map(({ id }) => id)
        const rows = await transaction
          .updateTable('monitor_events')
          .set({ sent_at: at })
          .where('id', 'in', [...ids, 0])
          .returning('id')
          .execute()
        const there = new Set(rows.map(({ id }) => id))
        const gone = sent.filter(({ id }) => !there.has(id))
        const facts = gone.map(({ monitor }) =>
          removedEnvironments({ ...monitor, now: at }, monitor.guid, [monitor.environment]),
        )
        await noteFacts(transaction, facts, at)
      }),
    done: async (ids: readonly number[]): Promise<void> => {
      await ledger.db
        .deleteFrom('monitor_events')
        .where('id', 'in', [...ids, 0])
        .execute()
    },
    issueOf: (projectId: number, hash: string) => issueOfHash(ledger, projectId, hash),
  }
}

const selectWaiting = ({ db }: Ledger) =>
  db
    .selectFrom('monitor_events')
    .innerJoin('monitor_environments', 'monitor_environments.id', 'monitor_events.environment_id')
    .select('monitor_events.id')

type Waiting = (query: ReturnType<typeof selectWaiting>) => ReturnType<typeof selectWaiting>

const selectEvents = ({ db }: Ledger, ids: readonly number[]) =>
  db
    .selectFrom('monitor_events')
    .innerJoin('monitor_environments', 'monitor_environments.id', 'monitor_events.environment_id')
    .innerJoin('monitors', 'monitors.id', 'monitor_environments.monitor_id')
    .innerJoin('monitor_runs', 'monitor_runs.id', 'monitor_events.run_id')
    .leftJoin('monitor_logs', 'monitor_logs.run_id', 'monitor_runs.id')
    .select([
      'monitor_events.id',
      'monitor_events.kind',
      'monitor_events.at',
      'monitor_events.environment_id',
      'monitor_environments.name as environment',
      'monitor_environments.failures_in_row',
      'monitor_environments.incident_day',
      'monitor_environments.incident_count',
      'monitors.guid',
      'monitors.slug',
      'monitors.name',
      'monitors.config',
      'monitors.organization_id',
      'monitors.project_id',
      'monitors.owner_user_id',
      'monitors.owner_team_id',
      'monitor_runs.status',
      'monitor_runs.started_at',
      'monitor_runs.ended_at',
      'monitor_runs.duration_ms',
      'monitor_runs.due_at',
      'monitor_runs.is_late',
      'monitor_runs.exit_code',
      'monitor_runs.release',
      'monitor_runs.trace_id',
      'monitor_logs.bytes',
    ])
    .where('monitor_events.id', 'in', ids)
    .orderBy('monitor_events.id')

type Row = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number]

const read = (row: Row): WaitingEvent => {
  const { bytes, guid } = row
  return {
    id: row.id,
    environmentId: row.environment_id,
    kind: row.kind === 'failed' ? 'failed' : 'recovered',
    at: row.at,
    monitor: {
      organizationId: row.organization_id,
      projectId: row.project_id,
      guid,
      slug: row.slug,
      name: row.name,
      environment: row.environment,
      config: configOf(row.config),
      failuresInRow: row.failures_in_row,
      note: INCIDENTS.note({ day: row.incident_day, count: row.incident_count }, row.at),
      ownerUserId: row.owner_user_id,
      ownerTeamId: row.owner_team_id,
    },
    run: {
      eventId: eventIdOf(row.id, guid),
      at: row.at,
      status: row.status,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      durationMs: row.duration_ms,
      dueAt: row.due_at,
      isLate: row.is_late === 1,
      exitCode: row.exit_code,
      release: row.release,
      traceId: row.trace_id,
      log: bytes === null ? '' : lastLines(zstdDecompressSync(bytes).toString()),
    },
  }
}

const LINES = 5
const LINE_CHARACTERS = 300

/** The end says why it failed. */
const lastLines = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .slice(-LINES)
    .map((line) => line.slice(0, LINE_CHARACTERS).toWellFormed())
    .join('\n')
