import type { ClickHouseClient } from '@clickhouse/client'
import { DAY_MS } from '../../lib/durations.ts'
import { rowsOf, unlessTooLarge, type Period } from '../../search/index.ts'
import { NOTHING } from '../counts.ts'
import { LIMITS } from '../limits.ts'
import { countsOf, countsSql, SETTINGS, type CountedRow } from '../telemetry/count-sessions.ts'
import { MERGED_SESSIONS, scopeParams } from '../telemetry/merged-sessions.ts'
import type { Share } from './adoption.ts'
import type { EnvironmentShare, ReleaseHealth } from './health.ts'

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

export const IN_ENVIRONMENTS = '(empty({environments:Array(String)}) OR s.environment IN {environments:Array(String)})'

/** How they ended: of each release, and in which projects it had any. */
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

/** Where a release ran on days that are over, and whether it was in use there: on one of them it had its part of all sessions. */
const RAN = `SELECT project, environment, release, max(environment != '' AND own * ${LIMITS.ADOPTED_PARTS} >= whole) AS wasInUse FROM (
    SELECT s.project_id AS project, s.environment AS environment, s.release AS release, toStartOfDay(s.at, 'UTC') AS day,
      sum(s.total) AS own, sum(sum(s.total)) OVER (PARTITION BY s.project_id, s.environment, toStartOfDay(s.at, 'UTC')) AS whole
    FROM ${MERGED_SESSIONS} AS s
    WHERE ${IN_ENVIRONMENTS}
    GROUP BY s.project_id, s.environment, s.release, toStartOfDay(s.at, 'UTC')
  )
  WHERE release IN {versions:Array(String)}
  GROUP BY project, environment, release ORDER BY wasInUse DESC, release, environment LIMIT ${LIMITS.SESSION_GROUPS} SETTINGS ${SETTINGS}`

type RanRow = Readonly<Record<'environment' | 'release', string>> & Readonly<Record<'project' | 'wasInUse', number>>

/** Whole days of a time: of a part of one, a single session may be all. */
const wholeDays = ({ from, to }: Period): Period => ({
  from: Math.ceil(from / DAY_MS) * DAY_MS,
  to: Math.floor(to / DAY_MS) * DAY_MS,
})

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

/** What of its projects a release is today. */
export interface Shares {
  readonly day: Share
  readonly environments: readonly EnvironmentShare[]
  /** There is a project of which it is a share. */
  readonly isKnown: boolean
}

const keyOf = ({ environment, inAll, project }: Pick<ShareRow, 'environment' | 'inAll' | 'project'>): string =>
  `${project}:${inAll}:${environment}`

interface Today {
  readonly rows: readonly ShareRow[]
  readonly ran: readonly RanRow[]
}

/**
 * A release is a share of the projects in which it runs, or ran in the days before: the same for whoever asks.
 *
 * @param otherwise those of which it is one where it ran in none
 */
const sharesOf = ({ ran, rows }: Today, version: string, otherwise: readonly number[]): Shares => {
  const wholes = new Map(rows.filter(({ isWhole }) => isWhole === 1).map((row) => [keyOf(row), row]))
  const own = rows.filter(({ isWhole, release }) => isWhole === 0 && release === version)
  const shareOf = (row: ShareRow): Share => {
    const whole = wholes.get(keyOf(row))
    return {
      sessions: row.sessions,
      users: row.users,
      ofSessions: whole?.sessions ?? row.sessions,
      ofUsers: whole?.users ?? row.users,
    }
  }
  const byProject = new Map(own.filter(({ inAll }) => inAll === 1).map((row) => [row.project, shareOf(row)]))
  const withoutAny = (project: number): Share => {
    const whole = wholes.get(keyOf({ project, inAll: 1, environment: '' }))
    return { ...NOWHERE, ofSessions: whole?.sessions ?? 0, ofUsers: whole?.users ?? 0 }
  }
  const ranIn = ran.filter(({ release }) => release === version)
  const running = new Set([...ranIn.map(({ project }) => project), ...byProject.keys()])
  const ids = running.size === 0 ? otherwise : [...running]
  const all = ids.map((id) => byProject.get(id) ?? withoutAny(id))
  const usedIn = ranIn.filter(({ wasInUse }) => wasInUse === 1)
  const isAt =
    ({ environment, project }: Pick<ShareRow, 'environment' | 'project'>) =>
    (other: Pick<ShareRow, 'environment' | 'project'>): boolean =>
      other.environment === environment && other.project === project
  const places = own.filter(({ environment, inAll }) => inAll === 0 && environment !== '')
  const left = usedIn
    .filter((place) => !places.some(isAt(place)))
    .map(({ environment, project }): ShareRow => ({
      project,
      environment,
      release: version,
      inAll: 0,
      isWhole: 0,
      sessions: 0,
      users: 0,
    }))
  return {
    day: together(all),
    environments: [...places, ...left].slice(0, LIMITS.SESSION_ENVIRONMENTS).map((row) => ({
      projectId: row.project,
      environment: row.environment,
      wasAdopted: usedIn.some(isAt(row)),
      ...shareOf(row),
    })),
    isKnown: all.length > 0,
  }
}

export type HealthCounter = ReturnType<typeof createHealthCounter>

export const createHealthCounter = (client: Pick<ClickHouseClient, 'query'>) => {
  const query = rowsOf(client)
  const rowsIn = <Row>(sql: string, asked: Omit<AskedHealth, 'day' | 'period'>, period: Period) => {
    const { environments, versions } = asked
    return unlessTooLarge(query<Row>(sql, { ...scopeParams({ ...asked, period }), versions, environments }), period)
  }

  const today = async (asked: Omit<AskedHealth, 'period'>): Promise<Today> => {
    const { to } = asked.day
    const [rows, ran] = await Promise.all([
      rowsIn<ShareRow>(SHARES, asked, asked.day),
      rowsIn<RanRow>(RAN, asked, wholeDays({ from: to - LIMITS.ADOPTION_DAYS * DAY_MS, to })),
    ])
    return { rows, ran }
  }

  return {
    /** How much of its projects a release is in the last day, and where it was in use in the days before. */
    shares: async (asked: Omit<AskedHealth, 'period' | 'versions'>, version: string): Promise<Shares> =>
      sharesOf(await today({ ...asked, versions: [version] }), version, asked.projectIds),

    /** Of releases that had sessions in the time that is asked for or in the days before; of others nothing is known. */
    health: async (asked: AskedHealth): Promise<readonly ReleaseHealth[]> => {
      if (asked.versions.length === 0 || asked.projectIds.length === 0) return []
      const [ends, shares] = await Promise.all([rowsIn<EndRow>(ENDS, asked, asked.period), today(asked)])
      const counted = Map.groupBy(ends, ({ release }) => release)
      return [...new Set(asked.versions)].flatMap((version) => {
        const rows = counted.get(version) ?? []
        const whole = rows.find(({ isWhole }) => isWhole === 1)
        const hadSessions = rows.flatMap(({ isWhole, project }) => (isWhole === 0 ? [project] : []))
        const { day, environments, isKnown } = sharesOf(shares, version, hadSessions)
        return isKnown ? [{ version, counts: whole === undefined ? NOTHING : countsOf(whole), day, environments }] : []
      })
    },
  }
}
