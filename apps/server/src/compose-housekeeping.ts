import type { Served } from './capability.ts'
import type { ServerBase, ServerStores } from './compose-base.ts'
import { startJobs } from './jobs.ts'
import { LIMITS as INGEST_LIMITS } from './ingest/limits.ts'
import { LIMITS as STORAGE_LIMITS } from './storage/limits.ts'
import { createClockGuard, createRetention } from './storage/index.ts'

export interface Housekeeping {
  /** Ends what is under way. */
  stop(): Promise<void>
}

/** What is done now and then, and once after the start. */
export const startHousekeeping = (
  { capabilities, clock, findings, logger }: ServerBase,
  served: readonly Served[],
  { ledger, telemetry, blobs }: ServerStores,
  saveQuotas: () => Promise<unknown>,
): Housekeeping => {
  const retention = createRetention({
    ledger,
    client: telemetry.client,
    blobs,
    tables: capabilities.flatMap(({ agingTables = [] }) => agingTables),
    parts: served.flatMap(({ retention: part }) => (part === undefined ? [] : [part])),
    clock,
    logger,
  })
  const clockGuard = createClockGuard({ ledger, clock })
  findings.watch(clockGuard.current)
  /** Nothing grows old by a clock that nobody believes. */
  const byTheClock = (run: () => Promise<unknown>) => async (): Promise<unknown> =>
    (await clockGuard.doubt()) === null ? run() : null
  const jobs = startJobs(
    [
      { name: 'retention', everyMs: STORAGE_LIMITS.RETENTION_INTERVAL_MS, run: byTheClock(() => retention.run()) },
      { name: 'deletions', everyMs: STORAGE_LIMITS.HOUSEKEEPING_INTERVAL_MS, run: byTheClock(() => retention.purge()) },
      {
        name: 'damaged telemetry',
        everyMs: STORAGE_LIMITS.TELEMETRY_CHECK_INTERVAL_MS,
        run: () => telemetry.checkParts(),
      },
      { name: 'quotas', everyMs: INGEST_LIMITS.QUOTAS_SAVE_MS, run: saveQuotas },
      ...served.flatMap(({ jobs: own = [] }) =>
        own.map((job) => (job.byTheClock === true ? { ...job, run: byTheClock(job.run) } : job)),
      ),
    ],
    { logger, firstMs: STORAGE_LIMITS.HOUSEKEEPING_INTERVAL_MS },
  )
  const ending = new AbortController()
  const { signal } = ending
  const examined = served.map(async ({ examine }) => {
    try {
      await examine?.(signal)
    } catch (error) {
      if (!signal.aborted) logger.warn('what is stored could not be examined', { error: String(error) })
    }
  })
  return {
    stop: async () => {
      ending.abort()
      for (const { end } of served) end?.()
      await Promise.all([jobs.stop(), retention.close(), ...examined])
    },
  }
}
