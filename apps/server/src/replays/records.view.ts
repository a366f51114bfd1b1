import { hexOfUuid, type RowQuery } from '../search/index.ts'
import { uuid } from '../storage/telemetry/tab-separated.ts'
import { FACTS, factSql } from './facts.ts'
import { LIMITS } from './limits.ts'
import { anyOf, FINISHED, STARTED, TYPE } from './list/columns.ts'
import type { ReplayRecord, ReplayScope } from './replay.ts'
import { ONCE, OWN, own } from './telemetry/sql.ts'

const namedVersion = (name: string): string =>
  `map('name', ${anyOf(`${name}_name`)}, 'version', ${anyOf(`${name}_version`)}) AS ${name}`

/** Lists of all segments behind each other, in their order. */
const joined = (column: string): string =>
  `arrayFlatten(arrayMap(one -> one.3, arraySort(groupArray((segment_id, timestamp, ${column})))))`

const hexOfEach = (sql: string): string => `arrayMap(one -> ${hexOfUuid('one')}, ${sql})`

/** Replays by their ids. */
export const createRecords = (query: RowQuery) => {
  const records = async (scope: ReplayScope, replayIds: readonly string[]): Promise<readonly ReplayRecord[]> => {
    if (replayIds.length === 0) return []
    return query<ReplayRecord>(
      `SELECT project_id AS projectId, ${hexOfUuid('replay_id')} AS replayId, ${STARTED} AS startedAt, ${FINISHED} AS finishedAt,
        ${TYPE} AS type, ${anyOf('environment')} AS environment,
        ${anyOf('platform')} AS platform, ${anyOf('dist')} AS dist,
        arrayDistinct(arrayFilter(one -> one != '', ${joined('[toString(release)]')})) AS releases, ${joined('urls')} AS urls,
        ${hexOfEach(`arrayDistinct(${joined('error_ids')})`)} AS errorIds,
        ${hexOfEach(`arrayDistinct(${joined('trace_ids')})`)} AS traceIds,
        count() AS segments, max(has_snapshot) AS hasPicture,
        if(max(video_key != ''), toInt64(minIf(segment_id, video_key != '')), -1) AS firstVideo, sum(dead_clicks) AS deadClicks, sum(rage_clicks) AS rageClicks,
        ${['sdk', 'os', 'browser'].map(namedVersion).join(', ')},
        map('name', ${anyOf('device_name')}, 'brand', ${anyOf('device_brand')}, 'model', ${anyOf('device_model')},
          'family', ${anyOf('device_family')}) AS device,
        map('id', ${anyOf('user_id')}, 'name', ${anyOf('user_name')}, 'email', ${anyOf('user_email')},
          'ip', ${anyOf('user_ip')}) AS user,
        map(${FACTS.map((name) => `'${name}', ${anyOf(factSql(name))}`).join(', ')}) AS facts,
        groupUniqArrayArray(${LIMITS.REPLAY_TAGS * 10})(arrayMap(name -> [toString(name), tags[name]], mapKeys(tags))) AS tags
      FROM (
        SELECT * FROM replay_segments WHERE ${OWN} AND replay_id IN {ids:Array(UUID)}
        ORDER BY timestamp ${ONCE}
      )
      GROUP BY project_id, replay_id`,
      { ...own(scope), ids: replayIds.map(uuid) },
    )
  }
  return {
    records,

    /** When one began; null if nothing of it came. */
    startOf: async (scope: ReplayScope, replayId: string): Promise<number | null> => {
      const [row] = await query<{ at: number }>(
        `SELECT ${STARTED} AS at FROM replay_segments WHERE ${OWN} AND replay_id = {id:UUID} HAVING count() > 0`,
        { ...own(scope), id: uuid(replayId) },
      )
      return row?.at ?? null
    },

    /** In the first project that has it. */
    find: async (scope: ReplayScope, replayId: string): Promise<ReplayRecord | null> => {
      const found = await records(scope, [replayId])
      return found.toSorted((one, other) => one.projectId - other.projectId)[0] ?? null
    },
  }
}

export type Records = ReturnType<typeof createRecords>['records']
