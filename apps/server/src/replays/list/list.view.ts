import { hexOfUuid, type Period, type RowQuery } from '../../search/index.ts'
import { uuid } from '../../storage/telemetry/tab-separated.ts'
import type { Records } from '../records.view.ts'
import { keyOfReplay, type ReplayRecord, type ReplayReference, type ReplayScope, type ShownText } from '../replay.ts'
import { reportedAs } from '../replay-rules.ts'
import { AROUND, around, FINAL, millis, OWN, own } from '../telemetry/sql.ts'
import { columnsIn, namesReported, VALUES, type ReplaySortField } from './columns.ts'
import type { ReplayFilter } from './replay-search.ts'

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

/** Errors and messages that name a replay. */
const REPORTED = `LEFT JOIN (
  SELECT project_id, toUUIDOrZero(events.replay_id) AS replay_id,
    groupUniqArrayIf(event_id, ${reportedAs.sql('level', 'error')}) AS errors,
    groupUniqArrayIf(event_id, ${reportedAs.sql('level', 'warning')}) AS warnings,
    groupUniqArrayIf(event_id, ${reportedAs.sql('level', 'info')}) AS infos
  FROM events WHERE ${OWN} AND events.replay_id != ''
    AND ${AROUND}
  GROUP BY project_id, replay_id
) AS reported ON reported.project_id = replays.project_id AND reported.replay_id = replays.replay_id`

/** Replays of a scope around a period, with the columns that a statement names. */
const summedUp = (named: string, more: readonly string[]): string =>
  `SELECT project_id, replay_id, ${columnsIn(named, more)} FROM replay_segments FINAL
  WHERE ${OWN} AND ${AROUND}
  GROUP BY project_id, replay_id`

/** Those of the period and the environments. */
const AMONG = `replays.started < {to:Int64} AND replays.finished >= {from:Int64}
  AND (empty({environments:Array(String)}) OR hasAny(replays.all_environment, {environments:Array(String)}))`

const listStatement = ({ filter, sort }: Pick<ReplayChoice, 'filter' | 'sort'>): string => {
  const direction = sort.descending ? 'DESC' : 'ASC'
  const condition = `${AMONG} AND (${filter.sql})`
  const order = `${VALUES[sort.field]} ${direction}, replays.started DESC, replays.replay_id, replays.project_id`
  const named = `${condition} ${order}`
  return `SELECT replays.project_id AS projectId, ${hexOfUuid('replays.replay_id')} AS replayId
    FROM (${summedUp(named, filter.columns)}) AS replays ${namesReported(named) ? REPORTED : ''}
    WHERE ${condition} ORDER BY ${order} LIMIT {limit:UInt32} OFFSET {offset:UInt32} ${FINAL}`
}

/** Replays of a period that a search finds, and what their lists say of texts that stood on pages. */
export const createLists = (query: RowQuery, records: Records) => ({
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
    const byKey = new Map(known.map((record) => [keyOfReplay(record), record]))
    return found.flatMap((one) => byKey.get(keyOfReplay(one)) ?? [])
  },

  /** How many a list would have, were it whole. */
  count: async (
    scope: ReplayScope,
    { environments, filter, period }: Pick<ReplayChoice, 'environments' | 'filter' | 'period'>,
  ): Promise<number> => {
    const condition = `${AMONG} AND (${filter.sql})`
    const [row] = await query<{ replays: number }>(
      `SELECT count() AS replays
      FROM (${summedUp(condition, filter.columns)}) AS replays ${namesReported(condition) ? REPORTED : ''}
      WHERE ${condition} ${FINAL}`,
      { ...own(scope), ...filter.params, ...around(period), environments },
    )
    return row?.replays ?? 0
  },

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
        argMin(if(written = '', replay_texts.text, written), (timestamp, id)) AS words
      FROM replay_texts
      WHERE ${OWN} AND replay_id IN {ids:Array(UUID)} AND (${filter.shown})
        AND ${AROUND}
      GROUP BY project_id, replay_id`,
      { ...own(scope), ...filter.params, ...around(period), ids: records.map(({ replayId }) => uuid(replayId)) },
    )
    const byKey = new Map(rows.map((row) => [keyOfReplay(row), row]))
    return (replay) => byKey.get(keyOfReplay(replay)) ?? null
  },
})
