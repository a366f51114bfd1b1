import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../lib/durations.ts'
import { answering, createQuestions } from '../lib/questions.ts'
import { healthOf } from './health-data.ts'
import { RELEASE_HEALTH, type AskedReleaseHealth, type ProjectHealth } from './health-question.ts'
import type { Release } from './release.ts'

const NOW = Date.parse('2026-11-28T09:20:00Z')

const release = {
  version: 'web@2',
  projects: [{ id: 7, slug: 'web', name: 'Web', platform: '', newIssues: 0 }],
} as unknown as Release

const row: ProjectHealth = {
  version: 'web@2',
  projectId: 7,
  total: { sessions: 40, users: 3 },
  crashFree: { sessions: 0.975, users: null },
  crashed: 1,
  errored: 2,
  duration: { p50: 4000, p90: 9500 },
  lastDay: { sessions: 30, users: 2 },
  projectLastDay: { sessions: 120, users: 0 },
  steps: [{ sessions: 5, users: 1 }],
  stage: 'low',
}

describe('the health of releases, as Sentry’s programs read it', () => {
  const asking = (rows: readonly ProjectHealth[]) => {
    const questions = createQuestions()
    const asked: AskedReleaseHealth[] = []
    questions.learn([
      answering(RELEASE_HEALTH, (subject) => {
        asked.push(subject)
        return Promise.resolve(rows)
      }),
    ])
    const of = (query: Parameters<typeof healthOf>[3]) =>
      healthOf(questions.ask, { organizationId: 1, now: NOW }, [release], query)
    return { asked, of }
  }

  it('has shares in percent, durations in seconds, and one number for each step of the period', async () => {
    const { asked, of } = asking([row])
    const { data, stage } =
      (await of({ health: true, adoptionStages: true, summaryStatsPeriod: '7d' })).of('web@2', 7) ?? {}
    expect(stage).toBe('low_adoption')
    expect(data).toMatchObject({
      hasHealthData: true,
      durationP50: 4,
      durationP90: 9.5,
      crashFreeUsers: null,
      crashFreeSessions: 97.5,
      totalUsers: 3,
      totalUsers24h: 2,
      totalProjectUsers24h: 0,
      totalSessions: 40,
      totalSessions24h: 30,
      totalProjectSessions24h: 120,
      adoption: null,
      sessionsAdoption: 25,
      sessionsCrashed: 1,
      sessionsErrored: 2,
    })
    const steps = data?.stats['24h'] ?? []
    expect([steps.length, steps[0], steps[1]?.[1]]).toEqual([24, [Date.parse('2026-11-27T10:00:00Z') / 1000, 5], 0])
    expect(asked).toMatchObject([
      { projectIds: [7], versions: ['web@2'], summary: { from: NOW - 7 * DAY_MS, to: NOW }, withStages: true },
    ])
    const ofUsers = await of({ health: true, healthStatsPeriod: '14d', healthStat: 'users' })
    expect(ofUsers.of('web@2', 7)?.data.stats['14d']).toHaveLength(14)
    expect(ofUsers.of('web@2', 7)?.data.stats['14d']?.[0]?.[1]).toBe(1)
  })

  it('says of a release without sessions that there is nothing, and asks nothing where nobody wants it', async () => {
    const { asked, of } = asking([])
    expect((await of({ health: true })).of('web@2', 7)?.data).toMatchObject({
      hasHealthData: false,
      totalSessions: null,
      crashFreeSessions: null,
      sessionsAdoption: null,
      sessionsCrashed: 0,
    })
    expect((await of({ summaryStatsPeriod: '7d' })).isAsked).toBe(false)
    expect(asked).toHaveLength(1)
  })
})
