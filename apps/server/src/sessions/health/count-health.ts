import type { ClickHouseClient } from '@clickhouse/client'
import { rowsOf, unlessTooLarge, type Period } from '../../search/index.ts'
import { NOTHING } from '../counts.ts'
import { LIMITS } from '../limits.ts'
import { countsOf, countsSql, SETTINGS, type CountedRow } from '../telemetry/count-sessions.ts'
import { MERGED_SESSIONS, scopeParams } from '../telemetry/merged-sessions.ts'
import type { Share } from './adoption.ts'
import type { ReleaseHealth } from './health.ts'

export interface AskedHealth {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  /** None for all. */
  readonly environments: readonly string[]
  readonly versions: readonly string[]
  /** How long ends are counted. */
  readonly period: Period
  /** Of which it is said how many run it. */
  readonly day: Period
}

const IN_ENVIRONMENTS = '(empty({environments:Array(String)}) OR s.environment IN {environments:Array(String)})'

/** How they ended: for each release, and for each of its projects. */
const ENDS = `SELECT s.release AS release, s.project_id AS project, grouping(s.project_id) AS isWhole, ${countsSql(true)}
  FROM ${MERGED_SESSIONS} AS s
  WHERE s.release IN {versions:Array(String)} AND ${IN_ENVIRONMENTS}
  GROUP BY GROUPING SETS ((s.release), (s.release, s.project_id))
  ORDER BY isWhole DESC, total DESC LIMIT ${LIMITS.SESSION_GROUPS} SETTINGS ${SETTINGS}`

/** How many there are of each release and of all together, by project and by its environments: wholes before their parts. */
const SHARES = `SELECT s.project_id AS project, s.environment AS environment, s.release AS release,
    grouping(s.environment) AS inAll, grouping(s.release) AS isWhole, sum(s.total) AS sessions,
    uniqExactIf(s.user, s.user != 0) AS users
  FROM ${MERGED_SESSIONS} AS s
  WHERE ${IN_ENVIRONMENTS}
  GROUP BY GROUPING SETS ((s.project_id, s.environment, s.release), (s.project_id, s.environment),
    (s.project_id, s.release), (s.project_id))
  HAVING isWhole = 1 OR release IN {versions:Array(String)}
  ORDER BY isWhole DESC, inAll DESC, sessions DESC LIMIT ${LIMITS.SESSION_GROUPS} SETTINGS ${SETTINGS}`

type EndRow = CountedRow & { readonly release: string; readonly project: number; readonly isWhole: number }

interface ShareRow {
  readonly project: number
  readonly environment: string
  readonly release: string
  readonly inAll: number
  readonly isWhole: number
  readonly sessions: number
  readonly users: number
}

const NOWHERE: Share = { sessions: 0, users: 0, ofSessions: 0, ofUsers: 0 }

/** People of two projects are counted in each. */
const together = (shares: readonly Share[]): Share =>
  shares.reduce(
    (sum, one) => ({
      sessions: sum.sessions + one.sessions,
      users: sum.users + one.users,
      ofSessions: sum.ofSessions + one.ofSessions,
      ofUsers: sum.ofUsers + one.ofUsers,
    }),
    NOWHERE,
  )

export type HealthCounter = ReturnType<typeof createHealthCounter>

export const createHealthCounter = (client: Pick<ClickHouseClient, 'query'>) => {
  const query = rowsOf(client)

  return {
    /** Of releases that had sessions in the time that is asked for or in the last day; of others nothing is known. */
    health: async (asked: AskedHealth): Promise<readonly ReleaseHealth[]> => {
      if (asked.versions.length === 0 || asked.projectIds.length === 0) return []
      const { day, environments, period, versions } = asked
      const rowsIn = <Row>(sql: string, time: Period) =>
        unlessTooLarge(query<Row>(sql, { ...scopeParams({ ...asked, period: time }), versions, environments }), time)
      const [ends, shares] = await Promise.all([rowsIn<EndRow>(ENDS, period), rowsIn<ShareRow>(SHARES, day)])

      const keyOf = ({ environment, inAll, project }: ShareRow): string => `${project}:${inAll}:${environment}`
      const wholes = new Map(shares.filter(({ isWhole }) => isWhole === 1).map((row) => [keyOf(row), row]))
      const shareOf = (row: ShareRow): Share => {
        const whole = wholes.get(keyOf(row))
        return {
          sessions: row.sessions,
          users: row.users,
          ofSessions: whole?.sessions ?? row.sessions,
          ofUsers: whole?.users ?? row.users,
        }
      }
      const parts = Map.groupBy(
        shares.filter(({ isWhole }) => isWhole === 0),
        ({ release }) => release,
      )
      const counted = Map.groupBy(ends, ({ release }) => release)
      return [...new Set(versions)].flatMap((version) => {
        const own = parts.get(version) ?? []
        const rows = counted.get(version) ?? []
        const whole = rows.find(({ isWhole }) => isWhole === 1)
        if (own.length === 0 && whole === undefined) return []
        const days = new Map(own.filter(({ inAll }) => inAll === 1).map((row) => [row.project, shareOf(row)]))
        const byProject = new Map(rows.filter(({ isWhole }) => isWhole === 0).map((row) => [row.project, row]))
        // A project in which it ran before, and does not any more, is one of those of which it is a share.
        const projectIds = [...new Set([...byProject.keys(), ...days.keys()])]
        const dayOf = (projectId: number): Share => {
          const all = wholes.get(`${projectId}:1:`)
          return days.get(projectId) ?? { ...NOWHERE, ofSessions: all?.sessions ?? 0, ofUsers: all?.users ?? 0 }
        }
        return [
          {
            version,
            counts: whole === undefined ? NOTHING : countsOf(whole),
            day: together(projectIds.map(dayOf)),
            environments: own
              .filter(({ environment, inAll }) => inAll === 0 && environment !== '')
              .slice(0, LIMITS.SESSION_ENVIRONMENTS)
              .map((row) => ({ projectId: row.project, environment: row.environment, ...shareOf(row) })),
            projects: projectIds.map((projectId) => {
              const row = byProject.get(projectId)
              return { projectId, counts: row === undefined ? NOTHING : countsOf(row), day: dayOf(projectId) }
            }),
          },
        ]
      })
    },
  }
}
