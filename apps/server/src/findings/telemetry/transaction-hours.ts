import type { ClickHouseClient } from '@clickhouse/client'
import { RowNumbers, rowsOf, weightOfShare } from '../../search/index.ts'
import type { Sender } from '../left-out.ts'
import { LIMITS } from '../limits.ts'
import { HOUR_MS, hoursLookedAt, type TransactionHour } from '../slowdown.ts'

/** One transaction of a project, and its hours. */
export interface TransactionHours {
  readonly transaction: string
  readonly op: string
  readonly hours: readonly TransactionHour[]
}

export interface TransactionHoursReader {
  /**
   * The transactions that were seen most in the last whole hour, and of each the hours of which there are as many samples
   * as asked for.
   *
   * @param until the end of the last whole hour
   */
  load(project: Sender, until: number, samples: number): Promise<readonly TransactionHours[]>
}

interface Row extends TransactionHour {
  readonly transaction: string
  readonly op: string
}

/** By the formula of a transaction's page, which a finding leads to. */
const P95 = new RowNumbers(weightOfShare('segments.sample_rate')).percentile(0.95, 'segments.duration / 1000')

const at = (name: string): string => `fromUnixTimestamp64Milli({${name}:Int64})`

/**
 * What comes before all else names columns of the sorting key alone, so that what was sent twice is still counted once, and
 * no more is merged for that than these transactions.
 */
export const createTransactionHours = ({
  client,
}: {
  readonly client: Pick<ClickHouseClient, 'query'>
}): TransactionHoursReader => {
  const ask = rowsOf(client)
  return {
    load: async ({ organizationId, projectId }, until, samples) => {
      const { from, weekAgo } = hoursLookedAt(until)
      const rows = await ask<Row>(
        `SELECT transaction, op, toUnixTimestamp(toStartOfHour(timestamp)) * 1000 AS hour, count() AS samples, ${P95} AS p95
        FROM segments FINAL
        PREWHERE project_id = {project:UInt64}
          AND (timestamp >= ${at('from')} AND timestamp < ${at('until')}
            OR timestamp >= ${at('weekAgoFrom')} AND timestamp < ${at('weekAgoUntil')})
          AND transaction IN (
            SELECT transaction FROM segments
            WHERE project_id = {project:UInt64} AND organization_id = {organization:UInt32}
              AND timestamp >= ${at('lastHour')} AND timestamp < ${at('until')} AND transaction != ''
            GROUP BY transaction
            HAVING count() >= {samples:UInt32}
            ORDER BY count() DESC, transaction
            LIMIT ${LIMITS.SLOWDOWN_TRANSACTIONS}
          )
        WHERE organization_id = {organization:UInt32}
        GROUP BY transaction, op, hour
        HAVING samples >= {samples:UInt32}
        SETTINGS do_not_merge_across_partitions_select_final = 1, max_execution_time = ${LIMITS.SLOWDOWN_READ_SECONDS}`,
        {
          organization: organizationId,
          project: projectId,
          from,
          until,
          lastHour: until - HOUR_MS,
          weekAgoFrom: weekAgo.from,
          weekAgoUntil: weekAgo.until,
          samples,
        },
      )
      return [...Map.groupBy(rows, ({ op, transaction }) => `${op}\n${transaction}`).values()].flatMap((hours) => {
        const [first] = hours
        return first === undefined ? [] : [{ transaction: first.transaction, op: first.op, hours }]
      })
    },
  }
}
