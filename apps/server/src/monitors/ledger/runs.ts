import { constants, zstdCompressSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Insertable, Selectable } from 'kysely'
import { DAY_MS } from '../../lib/durations.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import type { RunResult } from '../environment-state.ts'
import { LIMITS } from '../limits.ts'
import type { MonitorRunTable } from './schema.ts'

/** Writing runs, their logs and their days. Each call is a few statements in the caller's transaction. */

export type RunRow = Selectable<MonitorRunTable>

export const RESULT_COLUMNS = {
  ok: 'ok',
  error: 'failed',
  missed: 'missed',
  timeout: 'timed_out',
  unknown: 'unknown',
} as const satisfies Record<RunResult, string>

export const insertRun = async (transaction: LedgerTransaction, run: Insertable<MonitorRunTable>): Promise<number> => {
  const { id } = await transaction.insertInto('monitor_runs').values(run).returning('id').executeTakeFirstOrThrow()
  // Now and then is enough, and costs each run nothing.
  if (id % 64 === 0) await forgetBeyondLimit(transaction, run.environment_id)
  return id
}

const forgetBeyondLimit = async (transaction: LedgerTransaction, environmentId: number): Promise<void> => {
  const beyond = await transaction
    .selectFrom('monitor_runs')
    .select('started_at')
    .where('environment_id', '=', environmentId)
    .orderBy('started_at', 'desc')
    .offset(LIMITS.MONITOR_RUNS_KEPT)
    .limit(1)
    .executeTakeFirst()
  if (beyond !== undefined) await forgetUntil(transaction, environmentId, beyond.started_at)
}

/** @returns how many are gone */
export const forgetUntil = async (
  db: Ledger['db'] | LedgerTransaction,
  environmentId: number,
  at: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('monitor_runs')
    .where('environment_id', '=', environmentId)
    .where('started_at', '<=', at)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Counts a result in the day in which its run began. */
export const countDay = async (
  transaction: LedgerTransaction,
  environmentId: number,
  result: RunResult,
  at: number,
): Promise<void> => {
  const column = RESULT_COLUMNS[result]
  await transaction
    .insertInto('monitor_days')
    .values({
      environment_id: environmentId,
      day: Math.floor(at / DAY_MS),
      ok: 0,
      failed: 0,
      missed: 0,
      timed_out: 0,
      unknown: 0,
      [column]: 1,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['environment_id', 'day'])
        .doUpdateSet({ [column]: sql`${sql.ref(`monitor_days.${column}`)} + 1` }),
    )
    .execute()
}

/** Keeps what a run wrote, in place of what it wrote before. */
export const keepLog = async (
  transaction: LedgerTransaction,
  run: { readonly id: number; readonly environmentId: number; readonly projectId: number; readonly at: number },
  text: string,
): Promise<void> => {
  const bytes = zstdCompressSync(Buffer.from(text), { params: { [constants.ZSTD_c_compressionLevel]: 3 } })
  const row = { bytes, size: bytes.byteLength, created_at: run.at }
  await transaction
    .insertInto('monitor_logs')
    .values({ ...row, run_id: run.id, environment_id: run.environmentId, project_id: run.projectId })
    .onConflict((conflict) => conflict.column('run_id').doUpdateSet(row))
    .execute()
  await forgetOldLogs(transaction, run)
}

const forgetOldLogs = async (
  transaction: LedgerTransaction,
  { environmentId, projectId }: { readonly environmentId: number; readonly projectId: number },
): Promise<void> => {
  const beyond = await transaction
    .selectFrom('monitor_logs')
    .select('created_at')
    .where('environment_id', '=', environmentId)
    .orderBy('created_at', 'desc')
    .offset(LIMITS.CHECK_IN_LOGS_KEPT)
    .limit(1)
    .executeTakeFirst()
  if (beyond !== undefined) {
    await transaction
      .deleteFrom('monitor_logs')
      .where('environment_id', '=', environmentId)
      .where('created_at', '<=', beyond.created_at)
      .execute()
  }
  for (;;) {
    const { bytes } = await transaction
      .selectFrom('monitor_logs')
      .select((eb) => eb.fn.sum<number | string | null>('size').as('bytes'))
      .where('project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    if (Number(bytes ?? 0) <= LIMITS.CHECK_IN_LOGS_PROJECT_BYTES) return
    const oldest = transaction
      .selectFrom('monitor_logs')
      .select('run_id')
      .where('project_id', '=', projectId)
      .orderBy('created_at')
      .limit(20)
    await transaction.deleteFrom('monitor_logs').where('run_id', 'in', oldest).execute()
  }
}
