import type { ClickHouseClient } from '@clickhouse/client'
import { rowsOf, unlessTooLarge, type Buckets, type RowFilter } from '../../search/index.ts'
import type { Counts } from '../counts.ts'
import { LIMITS } from '../limits.ts'
import { MERGED_SESSIONS, scopeParams, type SessionScope } from './merged-sessions.ts'

/** By what sessions are counted apart. */
export const GROUP_KEYS = ['project', 'release', 'environment'] as const
export type GroupKey = (typeof GROUP_KEYS)[number]

const GROUP_SQL: Readonly<Record<GroupKey, string>> = {
  project: 'toString(s.project_id)',
  release: 's.release',
  environment: 's.environment',
}

export interface CountedSessions extends SessionScope {
  /** None for all. */
  readonly environments: readonly string[]
  /** Over `s.project_id`, `s.release` and `s.environment`. */
  readonly filter: RowFilter
  readonly groupBy: readonly GroupKey[]
  readonly withDurations: boolean
}

export interface SessionGroup {
  /** Tells it from the others of the same question. */
  readonly id: string
  readonly by: Readonly<Partial<Record<GroupKey, string>>>
  readonly counts: Counts
}

export interface SessionStep {
  readonly id: string
  readonly step: number
  readonly counts: Counts
}

type CountRow = CountedRow & { readonly keys: readonly string[]; readonly id: string }

/** What `countsSql` selects. */
export type CountedRow = Omit<Counts, 'durations'> & { readonly durations: readonly number[] }

const users = (condition: string): string => `uniqExactIf(s.user, s.user != 0 AND ${condition})`

const DURATIONS = `if(countIf(s.duration >= 0) = 0, [], arrayConcat([avgIf(s.duration, s.duration >= 0)],
  quantilesTDigestIf(0.5, 0.75, 0.9, 0.95, 0.99)(s.duration, s.duration >= 0), [max(s.duration)]))`

/** Of rows of `MERGED_SESSIONS AS s`. */
export const countsSql = (withDurations: boolean): string => `sum(s.total) AS total, sum(s.errored) AS errored,
  sum(s.unhandled) AS unhandled, sum(s.abnormal) AS abnormal, sum(s.crashed) AS crashed,
  ${users('1')} AS users,
  ${users('s.errored + s.unhandled + s.abnormal + s.crashed > 0')} AS usersUnhealthy,
  ${users('s.unhandled > 0')} AS usersUnhandled, ${users('s.abnormal > 0')} AS usersAbnormal,
  ${users('s.crashed > 0')} AS usersCrashed, ${users('s.foreground_anr > 0')} AS usersForegroundAnr,
  ${users('s.anr > 0')} AS usersAnr, ${withDurations ? DURATIONS : '[]'} AS durations`

export const SETTINGS = `max_execution_time = ${LIMITS.SESSION_QUERY_SECONDS}`

/** Without what a row has besides. */
export const countsOf = (row: CountedRow): Counts => ({
  total: row.total,
  errored: row.errored,
  unhandled: row.unhandled,
  abnormal: row.abnormal,
  crashed: row.crashed,
  users: row.users,
  usersUnhealthy: row.usersUnhealthy,
  usersUnhandled: row.usersUnhandled,
  usersAbnormal: row.usersAbnormal,
  usersCrashed: row.usersCrashed,
  usersForegroundAnr: row.usersForegroundAnr,
  usersAnr: row.usersAnr,
  durations: row.durations.length === 0 ? null : row.durations,
})

export type SessionCounter = ReturnType<typeof createSessionCounter>

export const createSessionCounter = (client: Pick<ClickHouseClient, 'query'>) => {
  const query = rowsOf(client)

  const partsOf = (asked: CountedSessions) => {
    const keys = asked.groupBy.map((key) => GROUP_SQL[key]).join(', ')
    const narrowed = asked.environments.length === 0 ? '' : ' AND s.environment IN {environments:Array(String)}'
    return {
      id: `toString(sipHash64([${keys === '' ? "''" : keys}]))`,
      keys: keys === '' ? '[]::Array(String)' : `[${keys}]`,
      from: `${MERGED_SESSIONS} AS s WHERE (${asked.filter.sql})${narrowed}`,
      params: { ...scopeParams(asked), ...asked.filter.params, environments: asked.environments },
    }
  }

  return {
    /** The largest first. Without `groupBy` one group, even of nothing. */
    groups: async (asked: CountedSessions): Promise<readonly SessionGroup[]> => {
      const { from, id, keys, params } = partsOf(asked)
      const rows = await unlessTooLarge(
        query<CountRow>(
          `SELECT ${keys} AS keys, ${id} AS id, ${countsSql(asked.withDurations)} FROM ${from}
          GROUP BY keys, id ORDER BY total DESC, keys LIMIT ${LIMITS.SESSION_GROUPS} SETTINGS ${SETTINGS}`,
          params,
        ),
        asked.period,
      )
      return rows.map((row) => ({
        id: row.id,
        by: Object.fromEntries(asked.groupBy.map((key, place) => [key, row.keys[place] ?? ''])),
        counts: countsOf(row),
      }))
    },

    /** Of these groups; steps in which nothing was are missing. */
    steps: async (
      asked: CountedSessions,
      buckets: Buckets,
      groups: readonly string[],
    ): Promise<readonly SessionStep[]> => {
      const { from, id, params } = partsOf(asked)
      const rows = await unlessTooLarge(
        query<CountRow & { readonly step: number }>(
          `SELECT ${id} AS id, intDiv(toUnixTimestamp64Milli(s.at) - {start:Int64}, {interval:Int64}) AS step,
            ${countsSql(asked.withDurations)}
          FROM ${from} AND has({groups:Array(String)}, ${id}) GROUP BY id, step SETTINGS ${SETTINGS}`,
          { ...params, start: buckets.start * 1000, interval: buckets.interval * 1000, groups },
        ),
        asked.period,
      )
      return rows.map(({ step, ...row }) => ({ id: row.id, step, counts: countsOf(row) }))
    },
  }
}
