import type { Logger } from '../lib/logger.ts'
import type { Ledger } from '../storage/index.ts'
import type { RowWriter } from '../storage/telemetry/row-writer.ts'
import { LIMITS } from './limits.ts'
import { encodeResult, RESULTS } from './telemetry/result-rows.ts'

/**
 * Writes how runs ended into telemetry, where alerts count it. The ledger notes each result in the transaction that decides
 * it, and forgets it when telemetry has it: whoever is interrupted writes it again, as the same row.
 */
export const createResultWriter = ({
  ledger,
  logger,
  mostWaiting = LIMITS.MONITOR_RESULTS_WAITING,
  writer,
}: {
  readonly ledger: Ledger
  readonly logger: Pick<Logger, 'error'>
  readonly mostWaiting?: number
  readonly writer: Pick<RowWriter, 'insertRows'>
}): (() => Promise<void>) => {
  const next = () =>
    ledger.db
      .selectFrom('monitor_results')
      .innerJoin('monitor_environments', 'monitor_environments.id', 'monitor_results.environment_id')
      .innerJoin('monitors', 'monitors.id', 'monitor_environments.monitor_id')
      .select([
        'monitor_results.id',
        'monitor_results.status',
        'monitor_results.decided_at as decidedAt',
        'monitor_results.is_late',
        'monitor_results.duration_ms as durationMs',
        'monitor_results.release',
        'monitor_environments.organization_id as organizationId',
        'monitor_environments.project_id as projectId',
        'monitor_environments.name as environment',
        'monitors.slug',
      ])
      .orderBy('monitor_results.id')
      .limit(LIMITS.MONITOR_RESULTS_PER_STEP)
      .execute()

  const write = async (rows: Awaited<ReturnType<typeof next>>): Promise<void> => {
    const [first, last] = [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0]
    const encoded = rows.map((row) => encodeResult({ ...row, isLate: row.is_late === 1 }))
    // What is added between them later has another number of rows.
    await writer.insertRows(RESULTS, encoded, { token: `results:${first}:${last}:${rows.length}`, again: false })
    const ids = rows.map(({ id }) => id)
    await ledger.db.deleteFrom('monitor_results').where('id', 'in', ids).execute()
  }

  /** A telemetry that is away for long does not fill the ledger: of so many as nobody could write in time, the oldest go. */
  const forgetBeyond = async (): Promise<void> => {
    const newest = await ledger.db
      .selectFrom('monitor_results')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const { numDeletedRows } = await ledger.db
      .deleteFrom('monitor_results')
      .where('id', '<=', (newest?.id ?? 0) - mostWaiting)
      .executeTakeFirst()
    if (numDeletedRows === 0n) return
    logger.error(
      'how runs of monitors ended waited for telemetry in too large a number: the oldest are counted by no alert',
      {
        results: Number(numDeletedRows),
      },
    )
  }

  return async () => {
    for (;;) {
      const rows = await next()
      if (rows.length === 0) return
      try {
        await write(rows)
      } catch (error) {
        await forgetBeyond()
        throw error
      }
      if (rows.length < LIMITS.MONITOR_RESULTS_PER_STEP) return
    }
  }
}
