import type { ClickHouseClient } from '@clickhouse/client'
import {
  hexOfUuid,
  inPersonsTime,
  namesOfKind,
  NOT_SEEN,
  personParams,
  rowsOf,
  type AskedPerson,
  type PersonCount,
  type PersonPage,
} from '../../search/index.ts'
import { readReplayEvents } from '../../issues/index.ts'
import { LIMITS } from '../limits.ts'
import { anyOf, FINISHED, STARTED } from '../list/columns.ts'
import { reportedIn } from '../replay-rules.ts'
import { ONCE } from './sql.ts'

/** A replay of one person, summed up over those of its segments that are theirs. */
export interface ReplayOfPerson {
  readonly projectId: number
  readonly replayId: string
  readonly at: number
  readonly until: number
  readonly urls: readonly string[]
  readonly clicks: number
  readonly deadClicks: number
  readonly rageClicks: number
  /** As they are counted of replays anywhere: see `replay-rules.ts`. */
  readonly errors: number
  readonly browser: string
  readonly os: string
  readonly release: string
}

/** Who names themselves is found by it; an address alone only where nobody is named. */
export const OF_PERSON = `(user_id != '' AND user_id IN {ids:Array(String)}
    OR user_email != '' AND lowerUTF8(user_email) IN {emails:Array(String)}
    OR user_name != '' AND user_name IN {names:Array(String)} AND user_id = ''
    OR user_ip != '' AND user_ip IN {ips:Array(String)} AND user_id = '' AND user_name = '' AND user_email = '')`

const OWN = `${inPersonsTime('timestamp')} AND ${OF_PERSON}`

const bound = (asked: AskedPerson) => ({
  ...personParams(asked),
  ids: namesOfKind(asked.keys, 'id'),
  names: namesOfKind(asked.keys, 'username'),
  ips: namesOfKind(asked.keys, 'ip'),
})

export const createReplaysOfPerson = (client: ClickHouseClient) => {
  const query = rowsOf(client)
  return {
    /** By when they began. */
    list: async ({ limit, seconds, ...asked }: PersonPage, urls: number): Promise<readonly ReplayOfPerson[]> => {
      const rows = await query<Omit<ReplayOfPerson, 'errors'> & { readonly noted: readonly string[] }>(
        `SELECT project_id AS projectId, ${hexOfUuid('replay_id')} AS replayId, ${STARTED} AS at, ${FINISHED} AS until,
          arraySlice(arrayDistinct(arrayFlatten(arrayMap(one -> one.2, arraySort(groupArray((segment_id, replay_segments.urls)))))), 1, {urls:UInt32}) AS urls,
          sum(clicks) AS clicks, sum(dead_clicks) AS deadClicks, sum(rage_clicks) AS rageClicks,
          arrayMap(one -> ${hexOfUuid('one')}, groupUniqArrayArray(error_ids)) AS noted, ${anyOf('browser_name')} AS browser, ${anyOf('os_name')} AS os,
          ${anyOf('release')} AS release
        FROM (SELECT * FROM replay_segments WHERE ${OWN} ORDER BY timestamp ${ONCE}) AS replay_segments
        GROUP BY project_id, replay_id HAVING at <= {before:Int64}
        ORDER BY at DESC, replayId LIMIT {limit:UInt32} SETTINGS max_execution_time = ${seconds}`,
        // One that began in time goes on beyond it.
        {
          ...bound({ ...asked, period: { from: asked.period.from, to: asked.period.to + LIMITS.REPLAY_AROUND_MS } }),
          before: Math.ceil(asked.period.to),
          limit,
          urls,
        },
      )
      const reported = await readReplayEvents(client, {
        organizationId: asked.organizationId,
        projectIds: asked.projectIds,
        replayIds: rows.map(({ replayId }) => replayId),
        from: Math.min(...rows.map(({ at }) => at)) - LIMITS.REPLAY_CLOCK_JUMP_MS,
        to: Math.max(...rows.map(({ until }) => until)) + LIMITS.REPLAY_CLOCK_JUMP_MS,
        limit: LIMITS.REPLAY_EVENTS,
      })
      return rows.map(({ noted, ...row }) => {
        const own = reported.filter((one) => one.replayId === row.replayId && one.projectId === row.projectId)
        return { ...row, errors: reportedIn(noted, own).errors.length }
      })
    },
    count: async (asked: AskedPerson, seconds: number): Promise<PersonCount> => {
      const [row] = await query<PersonCount>(
        `SELECT uniqExact(project_id, replay_id) AS count, if(count = 0, NULL, ${STARTED}) AS firstAt,
          if(count = 0, NULL, ${FINISHED}) AS lastAt
        FROM replay_segments WHERE ${OWN} SETTINGS max_execution_time = ${seconds}`,
        bound(asked),
      )
      return row ?? NOT_SEEN
    },
    /** Ids and addresses that stand beside the person's. */
    namesOf: async (asked: AskedPerson, { names, seconds }: { readonly names: number; readonly seconds: number }) => {
      const [row] = await query<{ ids: readonly string[]; emails: readonly string[] }>(
        `SELECT groupUniqArrayIf(${names})(user_id, user_id != '') AS ids,
          groupUniqArrayIf(${names})(lowerUTF8(user_email), user_email != '') AS emails
        FROM replay_segments WHERE ${OWN} SETTINGS max_execution_time = ${seconds}`,
        bound(asked),
      )
      return row ?? { ids: [], emails: [] }
    },
  }
}
