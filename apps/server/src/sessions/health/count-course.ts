import type { ClickHouseClient } from '@clickhouse/client'
import { rowsOf, unlessTooLarge, type Buckets } from '../../search/index.ts'
import { NOTHING, type Counts } from '../counts.ts'
import { countsOf, countsSql, SETTINGS, type CountedRow } from '../telemetry/count-sessions.ts'
import { IN_ENVIRONMENTS } from './count-health.ts'
import { MERGED_SESSIONS, OWN, scopeParams, type SessionScope } from '../telemetry/merged-sessions.ts'

interface CourseScope extends SessionScope {
  /** None for all. */
  readonly environments: readonly string[]
}

/** How sessions of a release ended: all of a time, and step by step. */
export interface Course {
  readonly counts: Counts
  /** Sessions of a step, and how many of them crashed. */
  readonly steps: readonly (readonly [total: number, crashed: number])[]
}

const OF_TIME = `${OWN} AND s.started >= fromUnixTimestamp64Milli({from:Int64})
  AND s.started < fromUnixTimestamp64Milli({to:Int64}) AND ${IN_ENVIRONMENTS} AND s.release IN {versions:Array(String)}`

const FIRST = `SELECT release, min(began) AS since FROM (
    SELECT toString(s.release) AS release, toUnixTimestamp64Milli(min(s.started)) AS began
    FROM session_updates AS s WHERE ${OF_TIME} GROUP BY s.release
    UNION ALL
    SELECT toString(s.release) AS release, toUnixTimestamp64Milli(min(s.started)) AS began
    FROM session_counts AS s WHERE ${OF_TIME} GROUP BY s.release
  ) GROUP BY release SETTINGS ${SETTINGS}`

const STEP = 'intDiv(toUnixTimestamp64Milli(s.at) - {start:Int64}, {interval:Int64})'

const COURSE = `SELECT ${STEP} AS step, grouping(step) AS isWhole, ${countsSql(true)}
  FROM ${MERGED_SESSIONS} AS s WHERE s.release = {version:String} AND ${IN_ENVIRONMENTS}
  GROUP BY GROUPING SETS ((step), ()) SETTINGS ${SETTINGS}`

const ADOPTION = `SELECT ${STEP} AS step, sumIf(s.total, s.release = {version:String}) AS own,
    sumIf(s.total, s.release = {before:String}) AS before, sum(s.total) AS total
  FROM ${MERGED_SESSIONS} AS s WHERE ${IN_ENVIRONMENTS} GROUP BY step SETTINGS ${SETTINGS}`

type CourseRow = CountedRow & { readonly step: number; readonly isWhole: number }
type AdoptionRow = Readonly<Record<'step' | 'own' | 'before' | 'total', number>>

const stepsOf = ({ interval, start }: Buckets) => ({ start: start * 1000, interval: interval * 1000 })

export type CourseCounter = ReturnType<typeof createCourseCounter>

export const createCourseCounter = (client: Pick<ClickHouseClient, 'query'>) => {
  const query = rowsOf(client)
  const rowsIn = <Row>(sql: string, scope: CourseScope, more: Readonly<Record<string, unknown>>) =>
    unlessTooLarge(query<Row>(sql, { ...scopeParams(scope), environments: scope.environments, ...more }), scope.period)

  return {
    /** When the first session of each release began, in a time; of those that had one. */
    firstSessions: async (scope: CourseScope, versions: readonly string[]): Promise<ReadonlyMap<string, number>> => {
      const rows = await rowsIn<{ release: string; since: number }>(FIRST, scope, { versions })
      return new Map(rows.map(({ release, since }) => [release, since]))
    },

    course: async (scope: CourseScope, version: string, buckets: Buckets): Promise<Course> => {
      const rows = await rowsIn<CourseRow>(COURSE, scope, { version, ...stepsOf(buckets) })
      const whole = rows.find(({ isWhole }) => isWhole === 1)
      const steps = new Map(rows.filter(({ isWhole }) => isWhole === 0).map((row) => [row.step, row]))
      return {
        counts: whole === undefined ? NOTHING : countsOf(whole),
        steps: Array.from({ length: buckets.count }, (_, step) => [
          steps.get(step)?.total ?? 0,
          steps.get(step)?.crashed ?? 0,
        ]),
      }
    },

    /** Step by step: sessions of a release, of another one (`''` for none), and of all. */
    adoption: async (
      scope: CourseScope,
      versions: { readonly version: string; readonly before: string },
      buckets: Buckets,
    ): Promise<readonly (readonly [own: number, before: number, total: number])[]> => {
      const rows = await rowsIn<AdoptionRow>(ADOPTION, scope, { ...versions, ...stepsOf(buckets) })
      const steps = new Map(rows.map((row) => [row.step, row]))
      return Array.from({ length: buckets.count }, (_, step) => {
        const row = steps.get(step)
        return [row?.own ?? 0, row?.before ?? 0, row?.total ?? 0]
      })
    },
  }
}
