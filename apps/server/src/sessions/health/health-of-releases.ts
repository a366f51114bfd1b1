import { DAY_MS } from '../../lib/durations.ts'
import { answering, type KnownAnswer } from '../../lib/questions.ts'
import { RELEASE_HEALTH, type AskedReleaseHealth, type Both, type ProjectHealth } from '../../releases/index.ts'
import { crashFree, NOTHING, type Counts } from '../counts.ts'
import type { SessionCounter, SessionGroup } from '../telemetry/count-sessions.ts'
import { stageOf, type Stage } from './adoption.ts'
import type { HealthCounter } from './count-health.ts'

interface Counters {
  readonly sessions: SessionCounter
  readonly health: HealthCounter
}

const keyOf = ({ by }: SessionGroup): string => `${by.project ?? ''} ${by.release ?? ''}`

const bothOf = ({ total, users }: Counts): Both => ({ sessions: total, users })

/** Of several environments the one in which it is in use says most. */
const ORDER: readonly Stage[] = ['adopted', 'replaced', 'low']

const stagesOf = async (health: HealthCounter, asked: AskedReleaseHealth): Promise<ReadonlyMap<string, Stage>> => {
  const { environments, now, organizationId, projectIds, versions } = asked
  const day = { from: now - DAY_MS, to: now }
  const found = await health.health({ organizationId, projectIds, environments, versions, period: day, day })
  const stages = new Map<string, Stage>()
  for (const { environments: places, version } of found) {
    for (const { projectId, wasAdopted, ...share } of places) {
      const key = `${projectId} ${version}`
      const stage = stageOf(share, wasAdopted)
      const before = stages.get(key)
      if (before === undefined || ORDER.indexOf(stage) < ORDER.indexOf(before)) stages.set(key, stage)
    }
  }
  return stages
}

/** Releases are shown with what their sessions say, where somebody asks for it. */
export const healthOfReleases = ({ health, sessions }: Counters): KnownAnswer =>
  answering(RELEASE_HEALTH, async (asked): Promise<readonly ProjectHealth[]> => {
    const { environments, now, organizationId, projectIds, series, summary, versions, withStages } = asked
    if (projectIds.length === 0 || versions.length === 0) return []
    const scope = { organizationId, projectIds, environments }
    const ofThem = {
      ...scope,
      filter: { sql: 's.release IN {versions:Array(String)}', params: { versions } },
      groupBy: ['project', 'release'] as const,
    }
    const day = { from: now - DAY_MS, to: now }
    const [totals, lastDay, projects, inSeries, stages] = await Promise.all([
      sessions.groups({ ...ofThem, period: summary, withDurations: true }),
      sessions.groups({ ...ofThem, period: day, withDurations: false }),
      sessions.groups({
        ...scope,
        filter: { sql: '1', params: {} },
        groupBy: ['project'],
        period: day,
        withDurations: false,
      }),
      sessions.groups({ ...ofThem, period: series, withDurations: false }),
      withStages ? stagesOf(health, asked) : new Map<string, Stage>(),
    ])
    const count = (series.to - series.from) / 1000 / series.interval
    const buckets = { start: series.from / 1000, interval: series.interval, count }
    const steps = Map.groupBy(
      inSeries.length === 0
        ? []
        : await sessions.steps(
            { ...ofThem, period: series, withDurations: false },
            buckets,
            inSeries.map(({ id }) => id),
          ),
      ({ id }) => id,
    )
    const byKey = (groups: readonly SessionGroup[]) => new Map(groups.map((group) => [keyOf(group), group]))
    const [total, today, whole, seen] = [totals, lastDay, projects, inSeries].map(byKey)
    const keys = new Map([...totals, ...lastDay, ...inSeries].map((group) => [keyOf(group), group.by]))
    return [...keys].map(([key, { project = '', release = '' }]) => {
      const counts = total?.get(key)?.counts ?? NOTHING
      const [p50, p90] = [counts.durations?.[1], counts.durations?.[3]]
      const own = new Map((steps.get(seen?.get(key)?.id ?? '') ?? []).map((step) => [step.step, step.counts]))
      return {
        version: release,
        projectId: Number(project),
        total: bothOf(counts),
        crashFree: {
          users: crashFree(counts.usersCrashed, counts.users),
          sessions: crashFree(counts.crashed, counts.total),
        },
        crashed: counts.crashed,
        errored: counts.errored,
        duration: p50 === undefined || p90 === undefined ? null : { p50, p90 },
        lastDay: bothOf(today?.get(key)?.counts ?? NOTHING),
        projectLastDay: bothOf(whole?.get(`${project} `)?.counts ?? NOTHING),
        steps: Array.from({ length: count }, (_, place) => bothOf(own.get(place) ?? NOTHING)),
        stage: stages.get(key) ?? null,
      }
    })
  })
