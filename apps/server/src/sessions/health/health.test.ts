import { getReleaseHealth, listReleaseHealth, type ReleaseHealth } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RECEIVED_AT } from '../../event/normalise/digest-item.fixture.ts'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../../storage/conformance/engines.ts'
import { sessionStore, type SessionStore } from '../session-store.fixture.ts'
import { isAdopted, stageOf } from './adoption.ts'
import { createCourseCounter } from './count-course.ts'
import { createHealthCounter } from './count-health.ts'
import { createHealthRoutes } from './health.routes.ts'

describe('adoption', () => {
  it('L102: less than a tenth of an environment is low, a tenth is adopted, and what was and is not any more is replaced', () => {
    expect(stageOf({ sessions: 99, ofSessions: 1000 }, false)).toBe('low')
    expect(stageOf({ sessions: 100, ofSessions: 1000 }, false)).toBe('adopted')
    expect(stageOf({ sessions: 100, ofSessions: 1000 }, true)).toBe('adopted')
    expect(stageOf({ sessions: 99, ofSessions: 1000 }, true)).toBe('replaced')
    expect(stageOf({ sessions: 0, ofSessions: 0 }, true)).toBe('replaced')
    expect(isAdopted({ sessions: 0, ofSessions: 0 })).toBe(false)
  })
})

describe.each(TELEMETRY_ENGINES)('health of releases on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let sessions: SessionStore

  beforeAll(async () => {
    opened = await open()
    sessions = sessionStore(opened.telemetry.client)
  })
  afterAll(() => opened.close())

  /** Releases of these projects, the newest last. */
  const routesOf = (projectIds: readonly number[], versions: readonly string[] = []) => {
    const all = versions.map((version, place) => ({ version, firstSeenAt: place, releasedAt: null }))
    return createHealthRoutes({
      health: createHealthCounter(opened.telemetry.client),
      courses: createCourseCounter(opened.telemetry.client),
      neighbours: {
        release: (_organizationId, version) => {
          const place = versions.indexOf(version)
          return Promise.resolve(
            place === -1 ? null : { id: place, version, firstSeenAt: place, releasedAt: null, projectIds },
          )
        },
        neighbours: (_organizationId, release) =>
          Promise.resolve(all.filter(({ version }) => version !== release.version)),
      },
      projects: () =>
        Promise.resolve(projectIds.map((id) => ({ id, slug: `p${id}`, name: 'Web', platform: '', settings: '' }))),
      clock: { now: () => RECEIVED_AT },
    })
  }

  const answer = async (
    projectIds: readonly number[],
    query: Readonly<Record<string, unknown>>,
    organizationId = 1,
  ): Promise<readonly ReleaseHealth[]> => {
    const [route] = routesOf(projectIds)
    const request = { organization: { id: organizationId } } as never
    const reply = await route?.handle({ params: {}, query: listReleaseHealth.query.parse(query), body: null, request })
    if (reply === undefined || !('body' in reply)) throw new Error('There is no answer.')
    return listReleaseHealth.ok.parse(reply.body)
  }

  it('counts how sessions of each release ended, and how much of its projects and environments it is today', async () => {
    const [web, api] = [900, 901]
    const run = (projectId: number, release: string, more: Readonly<Record<string, unknown>> = {}) =>
      sessions.run(projectId, { release, environment: 'production', ...more })
    await sessions.store([
      ...Array.from({ length: 8 }, () => run(web, 'web@1', { did: 'ann' })),
      run(web, 'web@2', { did: 'bob', status: 'crashed', errors: 1 }),
      run(web, 'web@2', { did: 'cat', duration: 4 }),
      run(web, 'web@2', { environment: 'staging', errors: 1, did: 'cat' }),
      // The day before: how it ended counts, who runs it now does not.
      run(web, 'web@2', { at: -3 * DAY_MS, did: 'dan', status: 'abnormal' }),
      run(api, 'web@2', { environment: '' }),
      run(api, 'api@1', { did: 'eve' }),
    ])
    const asked = { release: ['web@2', 'web@1', 'nobody@1', 'web@2'] }
    const found = await answer([web, api], asked)
    expect(found.map(({ version }) => version)).toEqual(['web@2', 'web@1'])
    expect(found[0]).toEqual({
      version: 'web@2',
      sessions: { total: 5, healthy: 2, errored: 1, crashed: 1, abnormal: 1, unhandled: 0 },
      users: { total: 3, healthy: 0, errored: 1, crashed: 1, abnormal: 1, unhandled: 0 },
      crashFreeSessions: 0.8,
      crashFreeUsers: 1 - 1 / 3,
      duration: { p50: 4000, p90: 4000 },
      lastDay: {
        sessions: 4,
        users: 2,
        ofSessions: 13,
        ofUsers: 4,
        environments: [
          {
            projectId: '900',
            environment: 'production',
            sessions: 2,
            users: 2,
            ofSessions: 10,
            ofUsers: 3,
            stage: 'adopted',
          },
          {
            projectId: '900',
            environment: 'staging',
            sessions: 1,
            users: 1,
            ofSessions: 1,
            ofUsers: 1,
            stage: 'adopted',
          },
        ],
      },
    })
    const staging = await answer([web, api], { ...asked, environment: ['staging'] })
    expect(staging).toMatchObject([
      { version: 'web@2', sessions: { total: 1 }, lastDay: { sessions: 1, ofSessions: 1 } },
    ])
    const short = await answer([web], { ...asked, statsPeriod: '2h' })
    expect(short[0]).toMatchObject({ sessions: { total: 3, abnormal: 0 }, lastDay: { sessions: 3, ofSessions: 11 } })
    expect(await answer([web, api], asked, 2)).toEqual([])
  })

  it('L102: a release that was in use on a day before and is not any more is replaced, also where nobody runs it', async () => {
    const web = 940
    const run = (release: string, at = 0) => sessions.run(web, { release, at, environment: 'production' })
    await sessions.store([
      ...Array.from({ length: 4 }, () => run('web@0', -3 * DAY_MS)),
      ...Array.from({ length: 4 }, () => run('web@1', -3 * DAY_MS)),
      run('web@1'),
      ...Array.from({ length: 10 }, () => run('web@2')),
      run('web@3'),
    ])
    const found = await answer([web], { release: ['web@0', 'web@1', 'web@2', 'web@3'] })
    expect(
      found.map(({ lastDay, version }) => [
        version,
        lastDay.environments.map(({ ofSessions, sessions: own, stage }) => [own, ofSessions, stage]),
      ]),
    ).toEqual([
      ['web@0', [[0, 12, 'replaced']]],
      ['web@1', [[1, 12, 'replaced']]],
      ['web@2', [[10, 12, 'adopted']]],
      ['web@3', [[1, 12, 'low']]],
    ])
  })

  it('L97: of a release without sessions in the time, nothing is known: no rate is a good one', async () => {
    const web = 910
    await sessions.store([sessions.run(web, { release: 'web@1', at: -3 * HOUR_MS })])
    expect(await answer([web], { release: ['web@2'] })).toEqual([])
    const [quiet] = await answer([web], { release: ['web@1'], statsPeriod: '1h' })
    expect(quiet).toMatchObject({
      sessions: { total: 0, healthy: 0 },
      crashFreeSessions: null,
      crashFreeUsers: null,
      duration: null,
      lastDay: { sessions: 1, ofSessions: 1 },
    })
  })

  const compared = async (
    projectIds: readonly number[],
    version: string,
    versions: readonly string[],
    environment: string[] = [],
  ) => {
    const [, route] = routesOf(projectIds, versions)
    const request = { organization: { id: 1 } } as never
    const query = getReleaseHealth.query.parse({ environment })
    const reply = await route?.handle({ params: { version }, query, body: null, request })
    if (reply === undefined || !('body' in reply)) throw new Error('There is no answer.')
    return getReleaseHealth.ok.parse(reply.body)
  }

  it('sets a release beside the one before it that had sessions, as that was at the same age', async () => {
    const web = 920
    const run = (release: string, hoursAgo: number, status = 'exited', environment = 'production') =>
      sessions.run(web, { release, at: HOUR_MS - hoursAgo * HOUR_MS, status, environment })
    await sessions.store([
      run('web@1', 40, 'crashed'),
      run('web@1', 39),
      // As old as the next one is not yet.
      run('web@1', 20, 'crashed'),
      run('web@1', 3),
      run('web@3', 10),
      run('web@3', 9.5, 'crashed'),
      run('web@3', 2, 'exited', 'staging'),
      run('web@4', 1, 'crashed'),
    ])
    const versions = ['web@1', 'web@2', 'web@3', 'web@4']
    const found = await compared([web], 'web@3', versions)
    expect(found.release).toMatchObject({ version: 'web@3', sessions: { total: 3, crashed: 1 } })
    expect(found.release?.since).toBe(new Date(RECEIVED_AT - 10 * HOUR_MS).toISOString())
    expect(found.interval).toBe(900)
    expect(found.release?.steps).toHaveLength(40)
    expect(
      found.release?.steps.flatMap(([total, crashed], step) => (total > 0 ? [[step, total, crashed]] : [])),
    ).toEqual([
      [0, 1, 0],
      [2, 1, 1],
      [32, 1, 0],
    ])
    expect(found.before).toMatchObject({ version: 'web@1', sessions: { total: 2, crashed: 1 }, crashFreeSessions: 0.5 })
    expect(found.before?.steps).toHaveLength(40)
    expect(found.lastDay).toMatchObject({ sessions: 3, ofSessions: 6 })
    expect(found.adoption.interval).toBe(3600)
    expect(found.adoption.steps).toHaveLength(40)
    const sums = found.adoption.steps.reduce(
      ([own, before, total], step) => [own + step[0], before + step[1], total + step[2]],
      [0, 0, 0],
    )
    expect(sums).toEqual([3, 4, 8])
    expect(await compared([web], 'web@3', versions, ['staging'])).toMatchObject({
      release: { sessions: { total: 1 } },
      before: null,
      lastDay: { sessions: 1, ofSessions: 1 },
    })
    expect(await compared([web], 'web@1', versions)).toMatchObject({ before: null })
  })

  it('L102: says the same of how far a release is in use in a list of any time as on its page', async () => {
    const [web, busy] = [950, 951]
    const run = (projectId: number, release: string, at = 0) =>
      sessions.run(projectId, { release, at, environment: 'production' })
    await sessions.store([
      // In use four days ago: replaced, also in a list of two days or of an hour.
      run(web, 'web@1', -4 * DAY_MS),
      run(web, 'web@2'),
      run(web, 'web@3'),
      // In a second project it was named, and never ran.
      ...Array.from({ length: 8 }, () => run(busy, 'other@1')),
    ])
    const versions = ['web@1', 'web@2', 'web@3']
    for (const version of versions) {
      const page = (await compared([web, busy], version, versions)).lastDay
      for (const statsPeriod of ['1h', '2d', '90d']) {
        const [row] = await answer([web, busy], { release: [version], statsPeriod })
        expect(row?.lastDay, `${version} in ${statsPeriod}`).toEqual(page)
      }
      expect(page).toMatchObject({
        ofSessions: 2,
        environments: [{ projectId: '950', stage: version === 'web@1' ? 'replaced' : 'adopted' }],
      })
    }
  })

  it('says of a release without sessions that there are none, and of one that is not there that it is not', async () => {
    const web = 930
    await sessions.store([sessions.run(web, { release: 'web@1' })])
    expect(await compared([web], 'web@2', ['web@1', 'web@2'])).toMatchObject({
      release: null,
      before: null,
      lastDay: { sessions: 0, ofSessions: 1 },
      adoption: { steps: [] },
    })
    await expect(compared([web], 'web@9', ['web@1'])).rejects.toMatchObject({ status: 404 })
  })
})
