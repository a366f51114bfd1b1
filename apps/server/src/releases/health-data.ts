import type { StatsPeriodName } from '@firsthand/contract'
import type { Ask } from '../lib/questions.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/durations.ts'
import { RELEASE_HEALTH, type AskedReleaseHealth, type ProjectHealth } from './health-question.ts'
import type { Release } from './release.ts'

/** The health that programs ask for beside releases, in the shapes of Sentry's API. */

export interface HealthQuery {
  readonly health?: boolean | undefined
  readonly adoptionStages?: boolean | undefined
  readonly summaryStatsPeriod?: StatsPeriodName | undefined
  readonly healthStatsPeriod?: StatsPeriodName | undefined
  readonly healthStat?: 'sessions' | 'users' | undefined
  readonly environment?: readonly string[] | undefined
}

const PERIOD_MS: Readonly<Record<StatsPeriodName, number>> = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '1d': DAY_MS,
  '48h': 2 * DAY_MS,
  '2d': 2 * DAY_MS,
  '7d': 7 * DAY_MS,
  '14d': 14 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
}

const stepOf = (period: StatsPeriodName): number => {
  if (period === '1h') return MINUTE_MS
  return PERIOD_MS[period] <= 2 * DAY_MS ? HOUR_MS : DAY_MS
}

const STAGES = { low: 'low_adoption', adopted: 'adopted', replaced: 'replaced' } as const

type Stage = (typeof STAGES)[keyof typeof STAGES]

export interface HealthOf {
  readonly isAsked: boolean
  readonly hasStages: boolean
  /** What is said of a release in one of its projects. */
  readonly of: (version: string, projectId: number) => { data: ReturnType<typeof dataJson>; stage: Stage | null } | null
}

const NOTHING: HealthOf = { of: () => null, isAsked: false, hasStages: false }

export const healthOf = async (
  ask: Ask,
  asked: Pick<AskedReleaseHealth, 'organizationId' | 'now'>,
  releases: readonly Release[],
  query: HealthQuery,
): Promise<HealthOf> => {
  const { adoptionStages: withStages = false, health: isAsked = false } = query
  if (releases.length === 0 || (!isAsked && !withStages)) return NOTHING
  const { now } = asked
  const { healthStat = 'sessions', healthStatsPeriod = '24h', summaryStatsPeriod = '14d' } = query
  const step = stepOf(healthStatsPeriod)
  // Steps end with the one that is going on.
  const to = Math.ceil(now / step) * step
  const series = { from: to - PERIOD_MS[healthStatsPeriod], to, interval: step / 1000 }
  const rows = await ask(RELEASE_HEALTH, {
    ...asked,
    projectIds: [...new Set(releases.flatMap(({ projects }) => projects.map(({ id }) => id)))],
    environments: (query.environment ?? []).filter((name) => name !== ''),
    versions: releases.map(({ version }) => version),
    summary: { from: now - PERIOD_MS[summaryStatsPeriod], to: now },
    series,
    withStages,
  })
  const known = new Map(rows.map((row) => [`${row.projectId} ${row.version}`, row]))
  return {
    isAsked,
    hasStages: withStages,
    of: (version, projectId) => {
      const row = known.get(`${projectId} ${version}`) ?? null
      const stats = Array.from({ length: (series.to - series.from) / step }, (_, place): [number, number] => [
        (series.from + place * step) / 1000,
        row?.steps[place]?.[healthStat] ?? 0,
      ])
      const stage = row === null || row.stage === null ? null : STAGES[row.stage]
      return { data: dataJson(row, { [healthStatsPeriod]: stats }), stage }
    },
  }
}

const percent = (share: number | null): number | null => (share === null ? null : share * 100)

const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : (part / whole) * 100)

const dataJson = (row: ProjectHealth | null, stats: Readonly<Record<string, [number, number][]>>) => ({
  hasHealthData: row !== null,
  // Seconds, where all else here counts.
  durationP50: row?.duration ? row.duration.p50 / 1000 : null,
  durationP90: row?.duration ? row.duration.p90 / 1000 : null,
  crashFreeUsers: percent(row?.crashFree.users ?? null),
  crashFreeSessions: percent(row?.crashFree.sessions ?? null),
  totalUsers: row?.total.users ?? null,
  totalUsers24h: row?.lastDay.users ?? null,
  totalProjectUsers24h: row?.projectLastDay.users ?? null,
  totalSessions: row?.total.sessions ?? null,
  totalSessions24h: row?.lastDay.sessions ?? null,
  totalProjectSessions24h: row?.projectLastDay.sessions ?? null,
  adoption: row === null ? null : shareOf(row.lastDay.users, row.projectLastDay.users),
  sessionsAdoption: row === null ? null : shareOf(row.lastDay.sessions, row.projectLastDay.sessions),
  sessionsCrashed: row?.crashed ?? 0,
  sessionsErrored: row?.errored ?? 0,
  stats,
})
