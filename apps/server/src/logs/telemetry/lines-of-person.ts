import type { ClickHouseClient } from '@clickhouse/client'
import {
  hexOfNumber,
  hexOfUuidOrNone,
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

/** A log line that was written for one person. */
export interface LineOfPerson {
  readonly projectId: number
  readonly id: string
  readonly at: number
  readonly level: string
  /** Its beginning. */
  readonly body: string
  /** '' for none. */
  readonly traceId: string
}

const OWN = `${inPersonsTime('logs.timestamp')} AND ${isPerson('logs.user')}`

export const createLinesOfPerson = (client: ClickHouseClient) => {
  const query = rowsOf(client)
  return {
    list: ({ limit, seconds, ...asked }: PersonPage, characters: number): Promise<readonly LineOfPerson[]> =>
      query(
        `SELECT project_id AS projectId, ${hexOfNumber('id')} AS id, toUnixTimestamp64Milli(logs.timestamp) AS at,
          level, leftUTF8(logs.body, {characters:UInt32}) AS body, ${hexOfUuidOrNone('trace_id')} AS traceId
        FROM logs WHERE ${OWN}
        ORDER BY logs.timestamp DESC, logs.nanos DESC, logs.sequence DESC, logs.id
        LIMIT 1 BY project_id, timestamp, nanos, sequence, id LIMIT {limit:UInt32}
        SETTINGS max_execution_time = ${seconds}`,
        { ...personParams(asked), limit, characters },
      ),
    count: async (asked: AskedPerson, seconds: number): Promise<PersonCount> => {
      const [row] = await query<PersonCount>(
        `SELECT ${personCountSql('logs.timestamp')} FROM logs WHERE ${OWN} SETTINGS max_execution_time = ${seconds}`,
        personParams(asked),
      )
      return row ?? NOT_SEEN
    },
  }
}
