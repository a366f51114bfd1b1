import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RECEIVED_AT } from '../../event/normalise/digest-item.fixture.ts'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { createQuestions } from '../../lib/questions.ts'
import { RELEASE_HEALTH } from '../../releases/index.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../../storage/conformance/engines.ts'
import { sessionStore, type SessionStore } from '../session-store.fixture.ts'
import { createSessionCounter } from '../telemetry/count-sessions.ts'
import { createHealthCounter } from './count-health.ts'
import { healthOfReleases } from './health-of-releases.ts'

describe.each(TELEMETRY_ENGINES)('what sessions say of releases that are listed, on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let sessions: SessionStore
  const questions = createQuestions()

  beforeAll(async () => {
    opened = await open()
    sessions = sessionStore(opened.telemetry.client)
    const { client } = opened.telemetry
    questions.learn([healthOfReleases({ sessions: createSessionCounter(client), health: createHealthCounter(client) })])
  })
  afterAll(() => opened.close())

  const [web, api] = [970, 971]
  const run = (projectId: number, release: string, more: Readonly<Record<string, unknown>> = {}) =>
    sessions.run(projectId, { release, environment: 'production', ...more })
  const to = Math.ceil(RECEIVED_AT / HOUR_MS) * HOUR_MS
  const asked = {
    organizationId: 1,
    projectIds: [web, api],
    environments: [],
    versions: ['web@2', 'nobody@1'],
    summary: { from: RECEIVED_AT - 14 * DAY_MS, to: RECEIVED_AT },
    series: { from: to - DAY_MS, to, interval: HOUR_MS / 1000 },
    now: RECEIVED_AT,
    withStages: true,
  }

  it('is told of each of their projects: ends in one time, parts of the last day, steps of another, and the stage', async () => {
    await sessions.store([
      ...Array.from({ length: 8 }, () => run(web, 'web@1', { did: 'ann' })),
      run(web, 'web@2', { did: 'bob', status: 'crashed', errors: 1 }),
      run(web, 'web@2', { did: 'cat', duration: 4 }),
      run(web, 'web@2', { did: 'cat', errors: 1, environment: 'staging' }),
      run(web, 'web@2', { at: -3 * DAY_MS, did: 'dan' }),
      run(api, 'web@2', { environment: '' }),
      run(api, 'api@1', { did: 'eve' }),
    ])
    const found = (await questions.ask(RELEASE_HEALTH, asked)).toSorted((one, other) => one.projectId - other.projectId)
    expect(found).toHaveLength(2)
    expect(found[0]).toMatchObject({
      version: 'web@2',
      projectId: web,
      total: { sessions: 4, users: 3 },
      crashFree: { sessions: 0.75, users: 1 - 1 / 3 },
      crashed: 1,
      errored: 1,
      duration: { p50: 4000, p90: 4000 },
      lastDay: { sessions: 3, users: 2 },
      projectLastDay: { sessions: 11, users: 3 },
      stage: 'adopted',
    })
    expect(found[0]?.steps).toHaveLength(24)
    expect(found[0]?.steps.reduce((sum, step) => sum + step.sessions, 0)).toBe(3)
    const short = await questions.ask(RELEASE_HEALTH, {
      ...asked,
      summary: { from: RECEIVED_AT - 2 * DAY_MS, to: RECEIVED_AT },
    })
    expect(short.find(({ projectId }) => projectId === web)?.total).toEqual({ sessions: 3, users: 2 })
    expect(found[1]).toMatchObject({
      projectId: api,
      total: { sessions: 1, users: 0 },
      crashFree: { sessions: 1, users: null },
      duration: null,
      projectLastDay: { sessions: 2, users: 1 },
      // It runs where no environment has a name.
      stage: null,
    })
  })

  it('is that of some environments, of no other organisation, and without a stage that nobody asks for', async () => {
    const staging = await questions.ask(RELEASE_HEALTH, { ...asked, environments: ['staging'], withStages: false })
    expect(staging).toMatchObject([
      {
        projectId: web,
        total: { sessions: 1 },
        lastDay: { sessions: 1 },
        projectLastDay: { sessions: 1 },
        stage: null,
      },
    ])
    expect(await questions.ask(RELEASE_HEALTH, { ...asked, organizationId: 2 })).toEqual([])
  })
})
