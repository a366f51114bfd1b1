import { sql } from 'kysely'
import type { Ledger } from '../../storage/index.ts'

/** One part of a time line. */
export interface TimelinePart {
  readonly environmentId: number
  readonly part: number
  readonly status: string
  readonly isLate: boolean
  readonly runs: number
  readonly longest: number | null
}

/** Runs by part of a time, and by how they ended. */
export const readTimeline = async (
  { db }: Ledger,
  environmentIds: readonly number[],
  { from, partMs, until }: { readonly from: number; readonly until: number; readonly partMs: number },
): Promise<readonly TimelinePart[]> => {
  const part = sql<number>`(started_at - ${sql.lit(from)}) / ${sql.lit(partMs)}`
  const rows = await db
    .selectFrom('monitor_runs')
    .select([
      'environment_id',
      'status',
      'is_late',
      part.as('part'),
      (eb) => eb.fn.countAll<number>().as('runs'),
      (eb) => eb.fn.max('duration_ms').as('longest'),
    ])
    .where('environment_id', 'in', [...environmentIds, 0])
    .where('started_at', '>=', from)
    .where('started_at', '<', until)
    .groupBy(['environment_id', 'status', 'is_late', part])
    .execute()
  return rows.map((row) => ({
    environmentId: row.environment_id,
    part: row.part,
    status: row.status,
    isLate: row.is_late === 1,
    runs: row.runs,
    longest: row.longest,
  }))
}
