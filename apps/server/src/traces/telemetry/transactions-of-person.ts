import type { ClickHouseClient } from '@clickhouse/client'
import {
  hexOfNumber,
  hexOfUuid,
  inPersonsTime,
  isPerson,
  NOT_SEEN,
  personCountSql,
  personParams,
  rowsOf,
  type AskedPerson,
  type PersonCount,
  type PersonPage,
} from '../../search/index.ts'

/** A transaction that ran for one person. */
export interface TransactionOfPerson {
  readonly projectId: number
  readonly traceId: string
  readonly spanId: string
  readonly at: number
  readonly name: string
  readonly op: string
  readonly status: string
  /** Milliseconds. */
  readonly duration: number
  /** 0 for none. */
  readonly httpStatus: number
  readonly release: string
}

const OWN = `${inPersonsTime('segments.timestamp')} AND ${isPerson('segments.user')}`

export const createTransactionsOfPerson = (client: ClickHouseClient) => {
  const query = rowsOf(client)
  return {
    list: ({ limit, seconds, ...asked }: PersonPage): Promise<readonly TransactionOfPerson[]> =>
      query(
        `SELECT project_id AS projectId, ${hexOfUuid('trace_id')} AS traceId, ${hexOfNumber('span_id')} AS spanId,
          toUnixTimestamp64Milli(segments.timestamp) AS at, transaction AS name, op, status,
          segments.duration / 1000 AS duration, http_status AS httpStatus, release
        FROM segments WHERE ${OWN}
        ORDER BY segments.timestamp DESC, segments.span_id LIMIT 1 BY project_id, trace_id, span_id LIMIT {limit:UInt32}
        SETTINGS max_execution_time = ${seconds}`,
        { ...personParams(asked), limit },
      ),
    count: async (asked: AskedPerson, seconds: number): Promise<PersonCount> => {
      const [row] = await query<PersonCount>(
        `SELECT ${personCountSql('segments.timestamp', 'uniqExact(segments.span_id)')} FROM segments WHERE ${OWN}
        SETTINGS max_execution_time = ${seconds}`,
        personParams(asked),
      )
      return row ?? NOT_SEEN
    },
  }
}
