import type { ClickHouseClient } from '@clickhouse/client'
import { REPLAY_CLICKS_TOLD } from '@firsthand/contract'
import { readReplayEvents, type ReplayEventRecord } from '../issues/index.ts'
import { hexOfUuid, rowsOf, type Period, type RowFilter, type RowQuery } from '../search/index.ts'
import { uuid } from '../storage/telemetry/tab-separated.ts'
import { FACTS, factSql } from './facts.ts'
import { LIMITS } from './limits.ts'
import {
  anyOf,
  columnsIn,
  FINISHED,
  namesReported,
  STARTED,
  TYPE,
  VALUES,
  type ReplaySortField,
} from './list/columns.ts'
import type { ReplayFilter } from './list/replay-search.ts'
import { clickKinds, reportedAs } from './replay-rules.ts'
import type { JoinedVisitor } from './journeys/joined-visitor.ts'
import type { Visitor } from './journeys/visitor.ts'
import { namedSql, userSql } from './journeys/visitor-sql.ts'
import type {
  ClickRecord,
  MarkRecord,
  ReplayRecord,
  ReplayReference,
  ReplayScope,
  SegmentRecord,
  ShownText,
} from './replay.ts'

/** What telemetry knows about replays. Every question names the organisation and projects that the caller may see. */

/** Which replays a list is of. */
export interface ReplayChoice {
  readonly environments: readonly string[]
  readonly period: Period
  readonly sort: ReplaySort
  readonly filter: ReplayFilter
}

export interface ReplaySort {
  readonly field: ReplaySortField
  readonly descending: boolean
}

export type ReplayView = ReturnType<typeof createReplayView>

const OWN = 'organization_id = {organization:UInt32} AND project_id IN {projects:Array(UInt64)}'

const millis = (column: string): string => `toUnixTimestamp64Milli(${column})`

const namedVersion = (name: string): string =>
  `map('name', ${anyOf(`${name}_name`)}, 'version', ${anyOf(`${name}_version`)}) AS ${name}`

/** Lists of all segments behind each other, in their order. */
const joined = (column: string): string =>
  `arrayFlatten(arrayMap(one -> one.3, arraySort(groupArray((segment_id, timestamp, ${column})))))`

const hexOfEach = (sql: string): string => `arrayMap(one -> ${hexOfUuid('one')}, ${sql})`

/** Takes each row once: what was sent twice has the same id, and is there twice until the database merges it. */
const ONCE = 'LIMIT 1 BY project_id, replay_id, id'

const FINAL = 'SETTINGS do_not_merge_across_partitions_select_final = 1, use_skip_indexes_if_final = 1'

const keyOf = ({ projectId, replayId }: ReplayReference): string => `${projectId}:${replayId}`

export const createReplayView = ({ client }: { readonly client: ClickHouseClient }) => {
  const query = rowsOf(client)
  return {
    ...createLists(query),
    ...createTexts(query),
    ...createParts(query),

    /** What was reported and names one of these replays, at the times of these. */
    events: (
      { organizationId, projectIds }: ReplayScope,
      replays: readonly Pick<ReplayRecord, 'finishedAt' | 'replayId' | 'startedAt'>[],
    ): Promise<readonly ReplayEventRecord[]> =>
      readReplayEvents(client, {
        organizationId,
        projectIds,
        replayIds: replays.map(({ replayId }) => replayId),
        from: Math.min(...replays.map(({ startedAt }) => startedAt)) - LIMITS.REPLAY_CLOCK_JUMP_MS,
        to: Math.max(...replays.map(({ finishedAt }) => finishedAt)) + LIMITS.REPLAY_CLOCK_JUMP_MS,
        limit: LIMITS.REPLAY_EVENTS,
      }),
  }
}

const own = ({ organizationId, projectIds }: ReplayScope) => ({ organization: organizationId, projects: projectIds })

/** Errors and messages that name a replay. */
const REPORTED = `LEFT JOIN (
  SELECT project_id, toUUIDOrZero(events.replay_id) AS replay_id,
    groupUniqArrayIf(event_id, ${reportedAs.sql('level', 'error')}) AS errors,
    groupUniqArrayIf(event_id, ${reportedAs.sql('level', 'warning')}) AS warnings,
    groupUniqArrayIf(event_id, ${reportedAs.sql('level', 'info')}) AS infos
  FROM events WHERE ${OWN} AND events.replay_id != ''
    AND timestamp >= fromUnixTimestamp64Milli({around:Int64}) AND timestamp < fromUnixTimestamp64Milli({beyond:Int64})
  GROUP BY project_id, replay_id
) AS reported ON reported.project_id = replays.project_id AND reported.replay_id = replays.replay_id`

/** Replays of a scope around a period, with the columns that a statement names. */
const summedUp = (named: string, more: readonly string[]): string =>
  `SELECT project_id, replay_id, ${columnsIn(named, more)} FROM replay_segments FINAL
  WHERE ${OWN} AND timestamp >= fromUnixTimestamp64Milli({around:Int64}) AND timestamp < fromUnixTimestamp64Milli({beyond:Int64})
  GROUP BY project_id, replay_id`

/** Those of the period and the environments. */
const AMONG = `replays.started < {to:Int64} AND replays.finished >= {from:Int64}
  AND (empty({environments:Array(String)}) OR hasAny(replays.all_environment, {environments:Array(String)}))`

const around = ({ from, to }: Period) => ({
  from,
  to,
  around: Math.max(0, from - LIMITS.REPLAY_AROUND_MS),
  beyond: to + LIMITS.REPLAY_AROUND_MS,
})

const listStatement = ({ filter, sort }: Pick<ReplayChoice, 'filter' | 'sort'>): string => {
  const direction = sort.descending ? 'DESC' : 'ASC'
  const condition = `${AMONG} AND (${filter.sql})`
  const order = `${VALUES[sort.field]} ${direction}, replays.started DESC, replays.replay_id, replays.project_id`
  const named = `${condition} ${order}`
  return `SELECT replays.project_id AS projectId, ${hexOfUuid('replays.replay_id')} AS replayId
    FROM (${summedUp(named, filter.columns)}) AS replays ${namesReported(named) ? REPORTED : ''}
    WHERE ${condition} ORDER BY ${order} LIMIT {limit:UInt32} OFFSET {offset:UInt32} ${FINAL}`
}

/** Segments of a visitor. */
const conditionOf = (visitor: Visitor): string =>
  visitor.by === 'user'
    ? userSql(visitor)
    : `user_ip = {ip:String} AND browser_name = {browser:String} AND browser_version = {version:String}
      AND os_name = {os:String} AND user_id = '' AND user_email = '' AND user_name = ''`

const createLists = (query: RowQuery) => {
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

    /** One more than `limit` when there are more. */
    list: async (
      scope: ReplayScope,
      choice: ReplayChoice,
      { limit, offset }: { readonly limit: number; readonly offset: number },
    ): Promise<readonly ReplayRecord[]> => {
      const { environments, filter, period } = choice
      const found = await query<ReplayReference>(listStatement(choice), {
        ...own(scope),
        ...filter.params,
        environments,
        ...around(period),
        limit: limit + 1,
        offset,
      })
      const known = await records(
        scope,
        found.map(({ replayId }) => replayId),
      )
      const byKey = new Map(known.map((record) => [keyOf(record), record]))
      return found.flatMap((one) => byKey.get(keyOf(one)) ?? [])
    },

    /** When one began; null if nothing of it came. */
    startOf: async (scope: ReplayScope, replayId: string): Promise<number | null> => {
      const [row] = await query<{ at: number }>(
        `SELECT ${STARTED} AS at FROM replay_segments WHERE ${OWN} AND replay_id = {id:UUID} HAVING count() > 0`,
        { ...own(scope), id: uuid(replayId) },
      )
      return row?.at ?? null
    },

    /** Replays of a visitor within a day of a moment, as far as they are nearest to it. */
    ofVisitor: async (scope: ReplayScope, visitor: Visitor, at: number): Promise<readonly ReplayRecord[]> => {
      const found = await query<ReplayReference>(
        `SELECT project_id AS projectId, ${hexOfUuid('replay_id')} AS replayId FROM replay_segments
        WHERE ${OWN} AND timestamp >= fromUnixTimestamp64Milli({around:Int64})
          AND timestamp < fromUnixTimestamp64Milli({beyond:Int64}) AND (${conditionOf(visitor)})
        GROUP BY project_id, replay_id
        ORDER BY abs(min(${millis('timestamp')}) - {at:Int64}), replay_id LIMIT ${LIMITS.REPLAY_JOURNEY_REPLAYS}`,
        { ...own(scope), ...visitor, at, ...around({ from: at, to: at }) },
      )
      return records(
        scope,
        found.map(({ replayId }) => replayId),
      )
    },

    /** Ids and e-mail addresses that stand beside any of these in a time. */
    namesOf: async (scope: ReplayScope, { emails, ids }: JoinedVisitor, period: Period): Promise<JoinedVisitor> => {
      const most = LIMITS.REPLAY_VISITOR_NAMES
      const [row] = await query<JoinedVisitor>(
        `SELECT groupUniqArrayIf(${most})(user_id, user_id != '') AS ids,
          groupUniqArrayIf(${most})(lowerUTF8(user_email), user_email != '') AS emails
        FROM replay_segments
        WHERE ${OWN} AND timestamp >= fromUnixTimestamp64Milli({around:Int64})
          AND timestamp < fromUnixTimestamp64Milli({beyond:Int64})
          AND ${namedSql('{ids:Array(String)}', '{emails:Array(String)}')}`,
        { ...own(scope), ...around(period), ids, emails },
      )
      return row ?? { ids: [], emails: [] }
    },

    /** In the first project that has it. */
    find: async (scope: ReplayScope, replayId: string): Promise<ReplayRecord | null> => {
      const found = await records(scope, [replayId])
      return found.toSorted((one, other) => one.projectId - other.projectId)[0] ?? null
    },
  }
}

/** What lists say of texts that stood on pages. */
const createTexts = (query: RowQuery) => ({
  /** Of all replays that a list could have without its search: how many there are, and how many have text to be read. */
  readable: async (
    scope: ReplayScope,
    { environments, period }: Pick<ReplayChoice, 'environments' | 'period'>,
  ): Promise<{ readonly replays: number; readonly readable: number }> => {
    const [row] = await query<{ replays: number; readable: number }>(
      `SELECT count() AS replays, countIf(replays.has_text) AS readable
      FROM (${summedUp('replays.started replays.finished replays.all_environment replays.has_text', [])}) AS replays
      WHERE ${AMONG} ${FINAL}`,
      { ...own(scope), ...around(period), environments },
    )
    return row ?? { replays: 0, readable: 0 }
  },

  /** When what a search asks for first stood on a page, and the text that it stood in, by replay. */
  shown: async (
    scope: ReplayScope,
    records: readonly ReplayRecord[],
    { filter, period }: Pick<ReplayChoice, 'filter' | 'period'>,
  ): Promise<(replay: ReplayReference) => ShownText | null> => {
    if (filter.shown === null || records.length === 0) return () => null
    const rows = await query<ReplayReference & ShownText>(
      `SELECT project_id AS projectId, ${hexOfUuid('replay_id')} AS replayId, min(${millis('timestamp')}) AS at,
        argMin(replay_texts.text, (timestamp, id)) AS words
      FROM replay_texts
      WHERE ${OWN} AND replay_id IN {ids:Array(UUID)} AND (${filter.shown})
        AND timestamp >= fromUnixTimestamp64Milli({around:Int64}) AND timestamp < fromUnixTimestamp64Milli({beyond:Int64})
      GROUP BY project_id, replay_id`,
      { ...own(scope), ...filter.params, ...around(period), ids: records.map(({ replayId }) => uuid(replayId)) },
    )
    const byKey = new Map(rows.map((row) => [keyOf(row), row]))
    return (replay) => byKey.get(keyOf(replay)) ?? null
  },
})

const referenceParams = (organizationId: number, { projectId, replayId }: ReplayReference) => ({
  organization: organizationId,
  projects: [projectId],
  id: uuid(replayId),
})

const ELEMENT = `CAST(tuple(tag, element_id, classes, role, alt, testid, aria_label, title, component),
  'Tuple(tag String, id String, classes Array(String), role String, alt String, testid String, ariaLabel String, title String,
    component String)') AS element`

const createParts = (query: RowQuery) => ({
  /**
   * Large ones of all organisations of which something came last in this time, by that time; a page of them. Only those of
   * which something came in it are summed up: it is asked every minute.
   */
  quiet: ({ after, until }: { readonly after: number; readonly until: number }) =>
    query<ReplayReference & { readonly organizationId: number; readonly lastAt: number }>(
      `SELECT organization_id AS organizationId, project_id AS projectId, ${hexOfUuid('replay_id')} AS replayId,
        max(${millis('received')}) AS lastAt
      FROM replay_segments
      WHERE timestamp > fromUnixTimestamp64Milli({around:Int64}) AND (project_id, replay_id) IN (
        SELECT project_id, replay_id FROM replay_segments
        WHERE timestamp > fromUnixTimestamp64Milli({around:Int64})
          AND received > fromUnixTimestamp64Milli({after:Int64}) AND received <= fromUnixTimestamp64Milli({until:Int64})
      )
      GROUP BY organization_id, project_id, replay_id
      HAVING lastAt > {after:Int64} AND lastAt <= {until:Int64} AND sum(raw_bytes) >= ${LIMITS.REPLAY_CUT_AHEAD_BYTES}
        AND max(has_snapshot)
      ORDER BY lastAt LIMIT ${LIMITS.REPLAY_QUIET_AT_ONCE}`,
      { around: Math.max(0, after - LIMITS.REPLAY_LATE_MS), after, until },
    ),

  /** Of one replay, in the order in which they are played. */
  segments: ({ organizationId }: ReplayScope, replay: ReplayReference): Promise<SegmentRecord[]> =>
    query<SegmentRecord>(
      `SELECT segment_id AS segmentId, ${hexOfUuid('id')} AS id, ${millis('timestamp')} AS from, ${millis('ended')} AS to,
        ${millis('replay_start')} AS replayStart, shift_ms AS shift, active, has_snapshot AS hasSnapshot, bytes,
        raw_bytes AS rawBytes, marks_left_out AS marksLeftOut, texts_left_out AS textsLeftOut, blob_key AS blobKey, video_key AS videoKey,
        video_bytes AS videoBytes, broken,
        ${millis('received')} AS receivedAt
      FROM replay_segments WHERE ${OWN} AND replay_id = {id:UUID}
      ORDER BY timestamp, segment_id, id ${ONCE} LIMIT ${LIMITS.REPLAY_SEGMENTS}`,
      referenceParams(organizationId, replay),
    ),

  /** Of one replay, by time; one more than are shown. */
  marks: ({ organizationId }: ReplayScope, replay: ReplayReference): Promise<MarkRecord[]> =>
    query<MarkRecord>(
      `SELECT ${millis('timestamp')} AS at, kind, text, url, node_id AS nodeId, selector, value, duration, status, detail,
        ${ELEMENT}
      FROM replay_marks WHERE ${OWN} AND replay_id = {id:UUID}
      ORDER BY timestamp, id LIMIT 1 BY project_id, replay_id, id LIMIT ${LIMITS.REPLAY_MARKS + 1}`,
      referenceParams(organizationId, replay),
    ),

  /** Marks of requests that began in a millisecond, in the order of `marks`. */
  requestsAt: async (
    { organizationId }: ReplayScope,
    replay: ReplayReference,
    at: number,
  ): Promise<readonly { readonly id: string; readonly text: string }[]> =>
    query<{ id: string; text: string }>(
      `SELECT DISTINCT toString(id) AS id, text FROM replay_marks
      WHERE ${OWN} AND replay_id = {id:UUID} AND kind = 'request' AND timestamp = fromUnixTimestamp64Milli({at:Int64})
      ORDER BY replay_marks.id LIMIT ${LIMITS.REPLAY_REQUESTS_AT_ONCE}`,
      { ...referenceParams(organizationId, replay), at },
    ),

  /** Clicks on elements, by time, so many of each replay. */
  clickedElements: (scope: ReplayScope, replays: readonly ReplayReference[]): Promise<readonly ClickRecord[]> =>
    replays.length === 0
      ? Promise.resolve([])
      : query<ClickRecord>(
          `SELECT project_id AS projectId, ${hexOfUuid('replay_id')} AS replayId, text, ${ELEMENT}
          FROM replay_marks FINAL
          WHERE ${OWN} AND replay_id IN {ids:Array(UUID)} AND kind IN ${clickKinds('any')} AND tag != ''
          ORDER BY timestamp, id LIMIT ${REPLAY_CLICKS_TOLD} BY project_id, replay_id ${FINAL}`,
          { ...own(scope), ids: replays.map(({ replayId }) => uuid(replayId)) },
        ),

  /** Clicks on elements, by time; one more than `limit` when there are more. */
  clicks: (
    { organizationId }: ReplayScope,
    replay: ReplayReference,
    { limit, offset }: { readonly limit: number; readonly offset: number },
    filter: RowFilter | null = null,
  ): Promise<{ readonly at: number; readonly nodeId: number }[]> =>
    query<{ at: number; nodeId: number }>(
      `SELECT ${millis('timestamp')} AS at, node_id AS nodeId FROM replay_marks
      WHERE ${OWN} AND replay_id = {id:UUID} AND kind IN ${clickKinds('any')} AND node_id >= 0
        AND (${filter?.sql ?? '1'})
      ORDER BY timestamp, id LIMIT 1 BY project_id, replay_id, id LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
      { ...referenceParams(organizationId, replay), ...filter?.params, limit: limit + 1, offset },
    ),
})
