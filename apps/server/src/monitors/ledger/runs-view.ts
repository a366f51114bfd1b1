import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Ledger } from '../../storage/index.ts'
import type { MomentPage } from '../../lib/moment-page.ts'
import { LIMITS } from '../limits.ts'
import type { EnvironmentRow } from './records.ts'
import type { RunRow } from './runs.ts'

/** A run with where it ran. */
export type ShownRun = RunRow & { readonly environment: string; readonly has_log: number }

export type RunsView = ReturnType<typeof createRunsView>

/** Good runs that say how long one takes. */
const TYPICAL_RUNS = 11

/** None of those that are not late. Of each an index leads to the first. */
const lateSince = async (
  db: Ledger['db'],
  environments: readonly EnvironmentRow[],
): Promise<ReadonlyMap<number, number>> => {
  const ids = environments.flatMap(({ id, missed_due_at: missed }) => (missed === null ? [] : [id]))
  const rows = await db
    .selectFrom('monitor_environments')
    .select('id')
    .select((eb) =>
      eb
        .selectFrom('monitor_runs')
        .select('started_at')
        .whereRef('environment_id', '=', 'monitor_environments.id')
        .where('status', '=', 'missed')
        .where('started_at', '>', sql<number>`COALESCE(monitor_environments.last_run_at, 0)`)
        .orderBy('started_at')
        .limit(1)
        .as('since'),
    )
    .where('id', 'in', [...ids, 0])
    .execute()
  return new Map(rows.flatMap(({ id, since }) => (since === null ? [] : [[id, since] as const])))
}

/** Environments and runs of monitors, as screens show them. Whoever asks found the monitors in the organisation before. */
export const createRunsView = ({ ledger: { db } }: { readonly ledger: Ledger }) => ({
  environments: (monitorIds: readonly number[]): Promise<EnvironmentRow[]> =>
    db
      .selectFrom('monitor_environments')
      .selectAll()
      .where('monitor_id', 'in', [...monitorIds, 0])
      .orderBy('monitor_id')
      .orderBy('name')
      .execute(),

  /** Those of the projects whose monitors have as many environments as they may. */
  fullProjects: async (projectIds: readonly number[]): Promise<ReadonlySet<number>> => {
    const rows = await db
      .selectFrom('monitors')
      .innerJoin('monitor_environments', 'monitor_environments.monitor_id', 'monitors.id')
      .select('monitors.project_id')
      .where('monitors.project_id', 'in', [...new Set(projectIds), 0])
      .groupBy('monitors.project_id')
      .having((eb) => eb(eb.fn.countAll(), '>=', LIMITS.MONITOR_ENVIRONMENTS_PER_PROJECT))
      .execute()
    return new Set(rows.map((row) => row.project_id))
  },

  /** When the run began that is under way, by environment. */
  running: async (environmentIds: readonly number[]): Promise<ReadonlyMap<number, number>> => {
    const rows = await db
      .selectFrom('monitor_runs')
      .select(['environment_id', (eb) => eb.fn.max('started_at').as('since')])
      .where('environment_id', 'in', [...environmentIds, 0])
      .where('timeout_at', 'is not', null)
      .groupBy('environment_id')
      .execute()
    return new Map(rows.map(({ environment_id, since }) => [environment_id, since]))
  },

  /** When the first run was due that was missed since the last one that came, by environment. */
  lateSince: (environments: readonly EnvironmentRow[]) => lateSince(db, environments),

  /** Milliseconds that the run in the middle of the last good ones took; null where none says it. */
  typicalDuration: async (environmentId: number): Promise<number | null> => {
    const rows = await db
      .selectFrom('monitor_runs')
      .select('duration_ms')
      .where('environment_id', '=', environmentId)
      .where('status', '=', 'ok')
      .orderBy('started_at', 'desc')
      .limit(TYPICAL_RUNS)
      .execute()
    const durations = rows.flatMap(({ duration_ms }) => (duration_ms === null ? [] : [duration_ms]))
    return durations.toSorted((left, right) => left - right)[Math.floor(durations.length / 2)] ?? null
  },

  /** Newest first; one more than the page holds when there are more. */
  runs: (
    environmentIds: readonly number[],
    { behind, limit, status }: MomentPage & { readonly status: string | null },
  ): Promise<ShownRun[]> => {
    let query = db
      .selectFrom('monitor_runs')
      .innerJoin('monitor_environments', 'monitor_environments.id', 'monitor_runs.environment_id')
      .leftJoin('monitor_logs', 'monitor_logs.run_id', 'monitor_runs.id')
      .selectAll('monitor_runs')
      .select([
        'monitor_environments.name as environment',
        sql<number>`CASE WHEN monitor_logs.run_id IS NULL THEN 0 ELSE 1 END`.as('has_log'),
      ])
      .where('monitor_runs.environment_id', 'in', [...environmentIds, 0])
    if (status !== null) query = query.where('monitor_runs.status', '=', status)
    if (behind !== null) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('monitor_runs.started_at', 'monitor_runs.id'), '<', tuple(behind.at, behind.id)),
      )
    }
    return query
      .orderBy('monitor_runs.started_at', 'desc')
      .orderBy('monitor_runs.id', 'desc')
      .limit(limit + 1)
      .execute()
  },

  /** Null when it wrote nothing, or that is not kept any more. */
  log: async (monitorId: number, checkInId: string): Promise<string | null> => {
    const row = await db
      .selectFrom('monitor_logs')
      .innerJoin('monitor_runs', 'monitor_runs.id', 'monitor_logs.run_id')
      .innerJoin('monitor_environments', 'monitor_environments.id', 'monitor_runs.environment_id')
      .select('monitor_logs.bytes')
      .where('monitor_environments.monitor_id', '=', monitorId)
      .where('monitor_runs.check_in_id', '=', checkInId)
      .executeTakeFirst()
    return row === undefined ? null : zstdDecompressSync(row.bytes).toString()
  },
})
