import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { livingProjects } from '../accounts/index.ts'
import { createIssueApp, NOW, sampleEvent } from '../issues/test/issue-app.ts'
import { LEDGER_ENGINES } from '../storage/conformance/engines.ts'
import { createDeploys } from './ledger/deploys.ts'
import { changeRelease, nameRelease } from './ledger/writing.ts'
import { createMarkRoutes } from './marks.routes.ts'

/** Both engines start here, on machines that may be busy. */
const ENGINES_START_MS = 240_000
const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe.each(LEDGER_ENGINES)('marks of releases, with a ledger on $name', (engine) => {
  let app: Awaited<ReturnType<typeof createIssueApp>>

  beforeEach(async () => {
    app = await createIssueApp(engine, {
      moreRoutes: ({ clock, ledger }) => createMarkRoutes({ clock, ledger, projects: livingProjects(ledger) }),
    })
  }, ENGINES_START_MS)
  afterEach(() => app.close())

  it('L87: stand at the minute of a deploy, else of the release, else of its first event, of the projects and environments that are asked for', async () => {
    const acme = await app.organization('acme')
    const rival = await app.organization('rival')
    const { organizationId, projectId } = acme
    const name = (version: string, at: number, projects = [projectId], organization = organizationId) =>
      app.ledger.transaction((transaction) =>
        nameRelease(transaction, { organizationId: organization, version, projectIds: projects, now: at }),
      )
    await app.store(acme, [sampleEvent({ kind: 'cart', ago: 5 * HOUR, event: { release: 'shop@1.0.0' } })])
    const named = await name('shop@1.1.0', NOW - 9 * HOUR)
    await app.ledger.transaction((transaction) =>
      changeRelease(transaction, named.id, { dateReleased: NOW - 4 * HOUR - MINUTE }, NOW),
    )
    const deployed = await name('shop@1.2.0', NOW - 8 * HOUR)
    const deploys = createDeploys({ ledger: app.ledger })
    for (const [environment, at] of [
      ['staging', NOW - 3 * HOUR],
      ['production', NOW - 2 * HOUR - 7 * MINUTE],
    ] as const) {
      await deploys.add(deployed.id, { environment, finishedAt: at, name: null, url: null, startedAt: null })
    }
    const release = (id: number, dateReleased: number) =>
      app.ledger.transaction((transaction) => changeRelease(transaction, id, { dateReleased }, NOW))
    await release((await name('old@0.1.0', NOW)).id, NOW - 30 * 24 * HOUR)
    // A build has named it, and it runs nowhere yet.
    await name('shop@1.3.0', NOW - HOUR)
    const archived = await name('shop@0.9.0', NOW - HOUR)
    await app.ledger.transaction((transaction) => changeRelease(transaction, archived.id, { status: 'archived' }, NOW))
    await release((await name('theirs@1.0.0', NOW, [rival.projectId], rival.organizationId)).id, NOW - HOUR)

    const marks = async (query: string, place = acme, slug = 'acme') => {
      const { body, status } = await place.call('GET', `/organizations/${slug}/release-marks/?${query}`)
      expect(status).toBe(200)
      return (body as unknown as { shortVersion: string; environment: string | null; date: string }[]).map(
        ({ date, environment, shortVersion }) => [shortVersion, environment, (Date.parse(date) - NOW) / MINUTE],
      )
    }
    const others = [
      ['1.0.0', null, -300],
      ['1.1.0', null, -241],
    ]
    expect(await marks('statsPeriod=24h')).toEqual([
      ...others,
      ['1.2.0', 'staging', -180],
      ['1.2.0', 'production', -127],
    ])
    expect(await marks('statsPeriod=24h&environment=production')).toEqual([...others, ['1.2.0', 'production', -127]])
    expect(await marks('statsPeriod=3h')).toEqual([
      ['1.2.0', 'staging', -180],
      ['1.2.0', 'production', -127],
    ])
    expect((await marks('')).map(([version]) => version)).toContain('0.1.0')
    expect(await marks('statsPeriod=24h', rival, 'rival')).toEqual([['1.0.0', null, -60]])
    expect((await acme.call('GET', '/organizations/acme/release-marks/?project=none')).status).toBe(400)
  })
})
