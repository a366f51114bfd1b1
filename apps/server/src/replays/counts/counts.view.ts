import type { ClickHouseClient } from '@clickhouse/client'
import { hexOfUuid, rowsOf, type Period, type RowFilter } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import type { KeptElement } from '../mark.ts'
import { clickKinds } from '../replay-rules.ts'
import type { ReplayScope } from '../replay.ts'
import { AROUND, around, OWN, own } from '../telemetry/sql.ts'

/** Sums over many replays. Every question names the organisation and projects that the caller may see. */

export interface SelectorRecord extends KeptElement {
  readonly projectId: number
  /** What stood on it; '' where that was not always the same. */
  readonly words: string
  readonly deadClicks: number
  readonly rageClicks: number
}

export interface SelectorSort {
  readonly column: 'deadClicks' | 'rageClicks'
  readonly descending: boolean
}

export interface SelectorChoice {
  readonly environments: readonly string[]
  readonly period: Period
  readonly sort: SelectorSort
  /** Over `deadClicks` and `rageClicks`. */
  readonly filter: RowFilter
}

/** By what replays are counted: an issue or a transaction that names them. */
export type CountedBy = 'issue_id' | 'transaction'

interface Named {
  readonly by: CountedBy
  readonly values: readonly string[]
  readonly period: Period
  /** Of what names them. */
  readonly environments: readonly string[]
  /** Spans have no issue. */
  readonly table: 'events' | 'spans'
}

export type ReplayCounts = ReturnType<typeof createReplayCounts>

const IN_PERIOD =
  'timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp < fromUnixTimestamp64Milli({to:Int64})'

const TYPES: Readonly<Record<CountedBy, string>> = { issue_id: 'Array(UInt64)', transaction: 'Array(String)' }

/** Some replays of a page mask its words, and others do not: the masked ones say nothing against a name. */
const READABLE = `NOT match(text, '^[*•[:space:]]*$')`

const ALL_ENVIRONMENTS = 'empty({environments:Array(String)})'

/** Clicks in replays that were in one of the environments. */
const IN_ENVIRONMENTS = `(${ALL_ENVIRONMENTS} OR (project_id, replay_id) IN (
  SELECT project_id, replay_id FROM replay_segments
  WHERE ${OWN} AND ${AROUND} AND environment IN {environments:Array(String)}))`

export const createReplayCounts = ({ client }: { readonly client: ClickHouseClient }) => {
  const query = rowsOf(client)
  return {
    /** Elements that were clicked in vain; one more than `limit` when there are more. */
    selectors: (
      scope: ReplayScope,
      { environments, filter, period, sort }: SelectorChoice,
      { limit, offset }: { readonly limit: number; readonly offset: number },
    ): Promise<readonly SelectorRecord[]> =>
      query<SelectorRecord>(
        `SELECT * FROM (
          SELECT project_id AS projectId, tag, element_id AS id, classes, role, alt, testid, aria_label AS ariaLabel, title,
            component, if(uniqExactIf(text, ${READABLE}) = 1, anyIf(text, ${READABLE}), '') AS words, count() AS deadClicks, countIf(kind IN ${clickKinds('rage')}) AS rageClicks
          FROM replay_marks FINAL
          WHERE ${OWN} AND ${IN_PERIOD} AND kind IN ${clickKinds('dead')} AND ${IN_ENVIRONMENTS}
          GROUP BY projectId, tag, id, classes, role, alt, testid, ariaLabel, title, component
        )
        WHERE ${filter.sql}
        ORDER BY ${sort.column} ${sort.descending ? 'DESC' : 'ASC'}, projectId, tag, id, classes, role, alt, testid, ariaLabel,
          title, component
        LIMIT {limit:UInt32} OFFSET {offset:UInt32} SETTINGS do_not_merge_across_partitions_select_final = 1`,
        {
          ...own(scope),
          ...filter.params,
          environments,
          ...around(period),
          limit: limit + 1,
          offset,
        },
      ),

    /** Which of these came around a period. */
    existing: async (scope: ReplayScope, replayIds: readonly string[], period: Period): Promise<readonly string[]> => {
      const rows = await query<{ replayId: string }>(
        `SELECT DISTINCT ${hexOfUuid('replay_id')} AS replayId FROM replay_segments
        WHERE ${OWN} AND ${AROUND} AND replay_id IN (SELECT toUUIDOrZero(arrayJoin({ids:Array(String)})))`,
        { ...own(scope), ...around(period), ids: replayIds },
      )
      return rows.map(({ replayId }) => replayId)
    },

    /** Replays that came around a period, by what was reported in them meanwhile. */
    named: (
      scope: ReplayScope,
      { by, values, environments, period, table }: Named,
    ): Promise<readonly { readonly key: string; readonly replayIds: readonly string[] }[]> =>
      query(
        `SELECT toString(${by}) AS key, groupUniqArray(${LIMITS.REPLAYS_NAMED})(replay_id) AS replayIds FROM ${table}
        WHERE ${OWN} AND ${IN_PERIOD} AND ${by} IN {values:${TYPES[by]}} AND ${table}.replay_id != ''
          AND (${ALL_ENVIRONMENTS} OR environment IN {environments:Array(String)})
          AND toUUIDOrZero(${table}.replay_id) IN (SELECT replay_id FROM replay_segments WHERE ${OWN} AND ${AROUND})
        GROUP BY key`,
        {
          ...own(scope),
          ...around(period),
          environments,
          values: by === 'issue_id' ? values.map(Number) : values,
        },
      ),
  }
}
