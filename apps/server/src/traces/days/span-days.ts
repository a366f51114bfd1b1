import type { ClickHouseClient } from '@clickhouse/client'
import type { Clock } from '../../lib/clock.ts'
import type { Period } from '../../search/index.ts'
import { deleteRowsOfTable, type Ledger } from '../../storage/index.ts'
import {
  dueDays,
  forgetDay,
  markSummed,
  markUnsummed,
  noteFound,
  summedDays,
  trueDays,
  type SpanDay,
} from '../ledger/span-days.ts'
import { LIMITS } from '../limits.ts'
import { DURATION_BUCKET, SUMMED_COLUMNS, WEIGHT } from '../telemetry/summed-days.ts'
import { DAY_MS } from '../../lib/durations.ts'

/**
 * Sums of whole days of spans, for questions that ask for nothing else (`SummedDays`). They are made of the spans that are
 * stored once the day is over and left alone, each span once, and hold until another comes for that day: then the ledger
 * says that they are not true any more, and they are made anew. Who asks meanwhile reads the spans of the day.
 */
export interface SpanDays {
  /** Sums up what can be; comes again. */
  run(): Promise<void>
  /** Whole days of a period of which an organisation's sums are true. */
  whole(organizationId: number, period: Period): Promise<readonly Period[]>
  /** What a run that was under way has written of a project whose spans were removed meanwhile. */
  forgetProject(projectId: number, signal: AbortSignal): Promise<void>
}

const BY = SUMMED_COLUMNS.map((column) => `spans.${column}`).join(', ')

/** `{day}` and `{next}` are in milliseconds. */
const SUM_UP = `INSERT INTO span_days
    (${SUMMED_COLUMNS.join(', ')}, bucket, timestamp, duration, rows, weight, varied, of_spans)
  SELECT ${BY}, ${DURATION_BUCKET} AS bucket, fromUnixTimestamp64Milli({day:Int64}),
    sum(spans.duration * ${WEIGHT}) / sum(${WEIGHT}), count(), sum(${WEIGHT}), sum(${WEIGHT} * ${WEIGHT} - ${WEIGHT}),
    {spans:UInt64}
  FROM spans FINAL
  WHERE spans.timestamp >= fromUnixTimestamp64Milli({day:Int64}) AND spans.timestamp < fromUnixTimestamp64Milli({next:Int64})
  GROUP BY ${BY}, bucket`

/** Days that follow each other as one period. */
const periodsOf = (days: readonly number[]): readonly Period[] => {
  const periods: { from: number; to: number }[] = []
  for (const day of days) {
    const last = periods.at(-1)
    if (last?.to === day * DAY_MS) last.to += DAY_MS
    else periods.push({ from: day * DAY_MS, to: (day + 1) * DAY_MS })
  }
  return periods
}

export const createSpanDays = ({
  client,
  ledger,
  clock,
}: {
  readonly client: ClickHouseClient
  readonly ledger: Ledger
  readonly clock: Clock
}): SpanDays => {
  const rowsOf = async <Row>(query: string, query_params: Record<string, unknown> = {}): Promise<Row[]> => {
    const result = await client.query({ query, query_params, format: 'JSONEachRow' })
    return result.json<Row>()
  }

  /** Spans that no batch noted: from before batches did, or out of a backup. */
  const findDays = async (): Promise<void> => {
    const days = await rowsOf<SpanDay>(
      `SELECT intDiv(toUnixTimestamp(spans.timestamp), 86400) AS day, count() AS spans FROM spans
      GROUP BY day HAVING count() >= {least:UInt64}`,
      { least: LIMITS.SPAN_DAY_ROWS },
    )
    await noteFound(ledger, days)
  }

  /** Sums that the ledger knows and telemetry does not have: what was restored from a backup, or damaged and taken away. */
  const check = async (): Promise<void> => {
    const known = await summedDays(ledger)
    if (known.length === 0) return
    const stored = await rowsOf<SpanDay>(
      'SELECT intDiv(toUnixTimestamp(timestamp), 86400) AS day, any(of_spans) AS spans FROM span_days GROUP BY day',
    )
    const spansOf = new Map(stored.map(({ day, spans }) => [day, spans]))
    const lost = known.filter(({ day, spans }) => spansOf.get(day) !== spans)
    await markUnsummed(
      ledger,
      lost.map(({ day }) => day),
    )
  }

  const sumUp = async (due: SpanDay): Promise<void> => {
    const at = due.day * DAY_MS
    await client.command({
      query: 'ALTER TABLE span_days DROP PARTITION {date:String}',
      query_params: { date: new Date(at).toISOString().slice(0, 10) },
    })
    await client.command({
      query: SUM_UP,
      query_params: { day: at, next: at + DAY_MS, spans: due.spans },
      clickhouse_settings: {
        max_threads: 1,
        max_execution_time: LIMITS.SPAN_DAY_SECONDS,
        do_not_merge_across_partitions_select_final: 1,
        // What is written again may be what was there before.
        insert_deduplicate: 0,
      },
    })
    const [first] = await rowsOf(
      'SELECT 1 FROM span_days WHERE timestamp = fromUnixTimestamp64Milli({at:Int64}) LIMIT 1',
      {
        at,
      },
    )
    await (first === undefined ? forgetDay(ledger, due) : markSummed(ledger, due))
  }

  let isKnown = false
  const look = async (): Promise<void> => {
    if (!isKnown) await findDays()
    await check()
    isKnown = true
    const deadline = performance.now() + LIMITS.SPAN_DAYS_LOOK_MS
    for (const due of await dueDays(ledger, clock.now())) {
      if (performance.now() > deadline) return
      await sumUp(due)
    }
  }

  let running: Promise<void> = Promise.resolve()
  return {
    run: () => {
      running = look()
      return running
    },

    whole: async (organizationId, period) => (isKnown ? periodsOf(await trueDays(ledger, organizationId, period)) : []),

    forgetProject: async (projectId, signal) => {
      // Only its end is waited for: whoever ran it is told why it failed.
      await running.catch(() => undefined)
      const condition = { sql: 'project_id = {projectId:UInt64}', parameters: { projectId } }
      await deleteRowsOfTable(client, 'span_days', condition, signal)
    },
  }
}
