import type { Clock } from '../lib/clock.ts'
import type { Ledger } from '../storage/index.ts'
import type { RowWriter } from '../storage/telemetry/row-writer.ts'
import { LIMITS } from './limits.ts'
import { encodeResult, RESULTS } from './telemetry/result-rows.ts'

/**
 * Writes how runs ended into telemetry, where alerts count it. The ledger notes each result in the transaction that decides
 * it, and forgets it when telemetry has it: whoever is interrupted writes it again, as the same row.
 */
export const createResultWriter = ({
  clock,
  ledger,
  writer,
}: {
  readonly clock: Clock
  readonly ledger: Ledger
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

  return async () => {
    for (;;) {
      const rows = await next()
      if (rows.length === 0) return
      try {
        await write(rows)
      } catch (error) {
        // A telemetry that is away for long does not fill the ledger.
        const before = clock.now() - LIMITS.MONITOR_RESULTS_WAIT_MS
        await ledger.db.deleteFrom('monitor_results').where('decided_at', '<', before).execute()
        throw error
      }
      if (rows.length < LIMITS.MONITOR_RESULTS_PER_STEP) return
    }
  }
}
