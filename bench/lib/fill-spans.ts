import { createFindings } from '../../apps/server/src/lib/findings.ts'
import { systemClock } from '../../apps/server/src/lib/clock.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { openTelemetry } from '../../apps/server/test/stores/open.ts'

const MERGE_WAIT_MS = 300_000
const DAYS = 14
/** A copy is made in so many statements, each for the hours after the one before. */
const STEPS = 4
const DAY_SECONDS = 86_400

interface Step {
  readonly copy: number
  readonly step: number
  /** Its place among all, from 0 to 1: the first has the oldest spans. */
  readonly place: number
  /** How long the spans of one step are spread over. */
  readonly seconds: number
}

/** What differs from the row that is copied, the same for all rows of a trace. What is copied came within a day; copies are older. */
const differences = (table: string, { copy, place, seconds }: Step): readonly string[] => {
  const another = (id: string): string => `if(${table}.${id} = 0, 0, sipHash64(${table}.${id}, ${copy})) AS ${id}`
  const age = Math.floor(DAY_SECONDS + (1 - place) * (DAYS - 1) * DAY_SECONDS)
  const earlier = `toIntervalSecond(${age} - sipHash64(${table}.trace_id, ${copy}) % ${Math.ceil(seconds)})`
  return [
    `reinterpretAsUUID(sipHash128(${table}.trace_id, ${copy})) AS trace_id`,
    another('span_id'),
    ...(table === 'spans' ? [another('parent_span_id'), another('segment_id')] : []),
    `${table}.timestamp - ${earlier} AS timestamp`,
    `concat('id:', toString(sipHash64(${table}.user, ${table}.trace_id, ${copy}) % 20000)) AS user`,
  ]
}

/**
 * Copies the spans of the last day until there are so many, spread over two weeks, with ids, times and users of
 * their own: by HTTP it would take many times as long, and that is measured elsewhere.
 *
 * @param dataDir of a server that has stopped
 * @param stored spans that are there
 */
export const fillSpans = async (
  { dataDir, stored, wanted }: { readonly dataDir: string; readonly stored: number; readonly wanted: number },
  onProgress: (stored: number) => void,
): Promise<void> => {
  const logger = createLogger('warn', (line) => process.stderr.write(line), systemClock.now)
  const telemetry = await openTelemetry({ dataDir }, { logger, findings: createFindings({ now: systemClock.now }) })
  const { client } = telemetry
  const copyRows = (table: string, at: Step): Promise<unknown> =>
    client.command({
      query: `INSERT INTO ${table}
        SELECT * REPLACE (${differences(table, at).join(', ')}) FROM ${table}
        WHERE ${table}.timestamp > now() - INTERVAL 1 DAY AND sipHash64(${table}.trace_id) % ${STEPS} = ${at.step}`,
      clickhouse_settings: {
        max_execution_time: 50,
        max_threads: 1,
        min_insert_block_size_rows: '50000',
        min_insert_block_size_bytes: '50000000',
        insert_deduplicate: 0,
      },
    })
  try {
    const copies = Math.ceil(wanted / stored) - 1
    const seconds = ((DAYS - 1) * DAY_SECONDS) / (copies * STEPS)
    for (let copy = 0; copy < copies; copy += 1) {
      for (let step = 0; step < STEPS; step += 1) {
        const at = { copy, step, place: (copy * STEPS + step) / (copies * STEPS), seconds }
        await copyRows('spans', at)
        await copyRows('segments', at)
      }
      onProgress((copy + 2) * stored)
    }
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
