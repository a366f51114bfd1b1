import type { ClickHouseClient } from '@clickhouse/client'
import {
  hexOfUuid,
  inPersonsTime,
  NOT_SEEN,
  personCountSql,
  personParams,
  rowsOf,
  type AskedPerson,
  type PersonCount,
  type PersonPage,
} from '../../search/index.ts'
import { newestFirst } from '../newest-release.ts'

/** What one person ran into. */
export interface ErrorOfPerson {
  readonly projectId: number
  readonly eventId: string
  readonly storedIssueId: number
  readonly at: number
  readonly title: string
  readonly level: string
  readonly release: string
  readonly transaction: string
  /** 32 hex characters, or ''. */
  readonly traceId: string
  readonly replayId: string
}

export interface SumOfErrors extends PersonCount {
  readonly keys: readonly string[]
  readonly emails: readonly string[]
  readonly names: readonly string[]
  readonly projectIds: readonly number[]
  /** By what is used: `browser` → values. */
  readonly uses: Readonly<Record<string, readonly string[]>>
}

/** Either index finds the few blocks that have the person. */
const OWN = `${inPersonsTime('events.timestamp')} AND events.type != 'generic'
    AND (events.user_key IN {keys:Array(String)} OR lowerUTF8(events.user_email) IN {emails:Array(String)})`

/** Releases of one person of which the newest are shown. */
const RELEASES_COMPARED = 200

const newestOf = (releases: readonly string[] = [], most: number): readonly string[] =>
  newestFirst(releases).slice(0, most)

const USED = ['browser', 'os', 'device', 'release'] as const

export const createErrorsOfPerson = (client: ClickHouseClient) => {
  const query = rowsOf(client)
  const within = (seconds: number): string =>
    `SETTINGS max_execution_time = ${seconds}, use_skip_indexes_for_disjunctions = 1`
  return {
    list: ({ limit, seconds, ...asked }: PersonPage): Promise<readonly ErrorOfPerson[]> =>
      query(
        `SELECT project_id AS projectId, ${hexOfUuid('event_id')} AS eventId, issue_id AS storedIssueId,
          toUnixTimestamp64Milli(events.timestamp) AS at, title, level, release, transaction,
          trace_id AS traceId, replay_id AS replayId
        FROM events WHERE ${OWN}
        ORDER BY events.timestamp DESC, events.event_id LIMIT {limit:UInt32} ${within(seconds)}`,
        { ...personParams(asked), limit },
      ),

    sum: async (asked: AskedPerson, { names, values, seconds }: SumBounds): Promise<SumOfErrors> => {
      const used = USED.map(
        (key) =>
          `'${key}', groupUniqArrayIf(${key === 'release' ? RELEASES_COMPARED : values})(events.tags['${key}'], events.tags['${key}'] != '')`,
      )
      const [row] = await query<SumOfErrors>(
        `SELECT ${personCountSql('events.timestamp')},
          groupUniqArrayIf(${names})(events.user_key, events.user_key != '') AS keys,
          groupUniqArrayIf(${names})(lowerUTF8(events.user_email), events.user_email != '') AS emails,
          groupUniqArrayIf(${names})(events.user_username, events.user_username != '') AS names,
          groupUniqArray(project_id) AS projectIds, map(${used.join(', ')}) AS uses
        FROM events WHERE ${OWN} ${within(seconds)}`,
        personParams(asked),
      )
      if (row !== undefined) return { ...row, uses: { ...row.uses, release: newestOf(row.uses['release'], values) } }
      return { ...NOT_SEEN, keys: [], emails: [], names: [], projectIds: [], uses: {} }
    },

    byIssue: (
      asked: AskedPerson,
      { issues, seconds }: { readonly issues: number; readonly seconds: number },
    ): Promise<readonly { readonly storedIssueId: number; readonly count: number }[]> =>
      query(
        `SELECT issue_id AS storedIssueId, count() AS count FROM events WHERE ${OWN}
        GROUP BY issue_id ORDER BY count DESC, issue_id DESC LIMIT {issues:UInt32} ${within(seconds)}`,
        { ...personParams(asked), issues },
      ),

    byDay: (
      asked: AskedPerson,
      seconds: number,
    ): Promise<readonly { readonly day: number; readonly count: number }[]> =>
      query(
        `SELECT toInt64(toUnixTimestamp(toStartOfDay(events.timestamp, 'UTC'))) AS day, count() AS count
        FROM events WHERE ${OWN} GROUP BY day ORDER BY day ${within(seconds)}`,
        personParams(asked),
      ),

    /** Ids of whoever is called by one of these names: `username:ada` is somebody of whom nothing better is known. */
    calledBy: async (
      asked: AskedPerson,
      { names, most, seconds }: { readonly names: readonly string[]; readonly most: number; readonly seconds: number },
    ): Promise<readonly string[]> => {
      const [row] = await query<{ keys: readonly string[] }>(
        `SELECT groupUniqArray(${most})(events.user_key) AS keys FROM events
        WHERE ${inPersonsTime('events.timestamp')} AND user_username IN {names:Array(String)}
          AND user_key != '' ${within(seconds)}`,
        { ...personParams(asked), names },
      )
      return row?.keys ?? []
    },

    /** Whoever has the text in their id, name or address; those seen last. */
    find: (asked: {
      readonly organizationId: number
      readonly projectIds: readonly number[]
      readonly text: string
      readonly from: number
      readonly limit: number
      readonly seconds: number
    }): Promise<
      readonly { readonly user: string; readonly name: string; readonly email: string; readonly lastAt: number }[]
    > =>
      query(
        `SELECT user_key AS user, argMax(user_username, timestamp) AS name, argMax(user_email, timestamp) AS email,
          toUnixTimestamp64Milli(max(timestamp)) AS lastAt
        FROM events
        WHERE organization_id = {organization:UInt32} AND project_id IN {projects:Array(UInt64)}
          AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND user_key != '' AND NOT startsWith(user_key, 'ip:')
          AND (positionCaseInsensitiveUTF8(user_key, {text:String}) > 0
            OR positionCaseInsensitiveUTF8(user_email, {text:String}) > 0
            OR positionCaseInsensitiveUTF8(user_username, {text:String}) > 0)
        GROUP BY user_key ORDER BY lastAt DESC, user_key LIMIT {limit:UInt32}
        SETTINGS max_execution_time = ${asked.seconds}`,
        {
          organization: asked.organizationId,
          projects: asked.projectIds,
          text: asked.text,
          from: asked.from,
          limit: asked.limit,
        },
      ),
  }
}

interface SumBounds {
  /** Names, and values of each thing that is used. */
  readonly names: number
  readonly values: number
  readonly seconds: number
}
