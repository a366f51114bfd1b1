import { createFindings } from '../../apps/server/src/lib/findings.ts'
import { systemClock } from '../../apps/server/src/lib/clock.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { openTelemetry } from '../../apps/server/test/stores/open.ts'

/** Rows are copied in the engine: by HTTP it would take many times as long, and that is measured elsewhere. */

const MERGE_WAIT_MS = 300_000
export const DAYS = 14
export const DAY_SECONDS = 86_400

/** @param query an INSERT whose rows fit into a statement's time */
export type Copy = (query: string) => Promise<unknown>

/**
 * Opens the telemetry of a server that has stopped, for statements that copy rows, and closes it once its parts are merged.
 */
export const withCopies = async (dataDir: string, work: (copy: Copy) => Promise<void>): Promise<void> => {
  const logger = createLogger('warn', (line) => process.stderr.write(line), systemClock.now)
  const telemetry = await openTelemetry({ dataDir }, { logger, findings: createFindings({ now: systemClock.now }) })
  const { client } = telemetry
  try {
    await work((query) =>
      client.command({
        query,
        clickhouse_settings: {
          max_execution_time: 50,
          max_threads: 1,
          min_insert_block_size_rows: '50000',
          min_insert_block_size_bytes: '50000000',
          insert_deduplicate: 0,
        },
      }),
    )
    const deadline = Date.now() + MERGE_WAIT_MS
    for (;;) {
      const result = await client.query({ query: 'SELECT count() AS n FROM system.merges', format: 'JSONEachRow' })
      const [row] = await result.json<{ n: number }>()
      if (row?.n === 0 || Date.now() > deadline) break
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  } finally {
    await telemetry.close()
  }
}
