import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp } from '../http/test/app.ts'
import type { TestApp } from '../http/test/app.ts'
import { LIMITS } from '../issues/limits.ts'

let test: TestApp

beforeEach(async () => {
  test = await createTestApp({ options: { checkAnswers: true } })
})

afterEach(() => test.close())

/** A release and an environment that were seen in a project, as the digest notes them. */
const noteRelease = async (project: string, version: string): Promise<void> => {
  const { db } = test.ledger
  const row = await db
    .selectFrom('projects')
    .select(['id', 'organization_id'])
    .where('slug', '=', project)
    .executeTakeFirstOrThrow()
  const release = await db
    .insertInto('releases')
    .values({ organization_id: row.organization_id, version, first_seen: 1000, last_seen: 2000, date_released: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('release_projects')
    .values({ release_id: release.id, project_id: row.id, first_seen: 1000, new_issues: 1 })
    .execute()
}

describe('releases and environments', () => {
  it('are listed per project', async () => {
    const owner = await test.owner()
    const { db } = test.ledger
    await owner.call('POST', '/organizations/acme/projects/', { name: 'Quiet' })
    await owner.call('POST', '/organizations/acme/projects/', { name: 'Busy' })
    const busy = (await owner.call('GET', '/projects/acme/busy/')).body as unknown as { id: string }
    const many = Array.from({ length: LIMITS.PROJECT_ENVIRONMENTS + 5 }, (_, index) => `env-${1000 + index}`)
    await db
      .insertInto('environments')
      .values([
        { project_id: 1, name: 'production', first_seen: 1 },
        ...many.map((name) => ({ project_id: Number(busy.id), name, first_seen: 1 })),
      ])
      .execute()
    expect((await owner.call('GET', '/organizations/acme/projects/')).body).toMatchObject([
      { slug: 'busy', environments: many.slice(0, LIMITS.PROJECT_ENVIRONMENTS) },
      { slug: 'quiet', environments: [] },
      { slug: 'web', environments: ['production'] },
    ])
    const release = { organization_id: 1, first_seen: 5, last_seen: 9, date_released: null }
    await db
      .insertInto('releases')
      .values([
        { ...release, version: 'shop@1.2.0+7' },
        { ...release, version: 'a/b' },
      ])
      .execute()
    await db
      .insertInto('release_projects')
      .values({ release_id: 1, project_id: 1, first_seen: 5, new_issues: 3 })
      .execute()
    expect((await owner.call('GET', '/organizations/acme/environments/?project=web')).body).toMatchObject([
      { name: 'production' },
    ])
    const releases = await owner.call('GET', '/organizations/acme/releases/?project=1')
    expect(releases.body).toMatchObject([{ version: 'shop@1.2.0+7', shortVersion: '1.2.0', newGroups: 3 }])
    expect((await owner.call('GET', `/organizations/acme/releases/${encodeURIComponent('a/b')}/`)).body).toMatchObject({
      version: 'a/b',
    })
  })

  it('of one project are shown in the shape that Sentry’s clients insist on', async () => {
    const owner = await test.owner()
    await owner.call('POST', '/organizations/acme/projects/', { name: 'Shop' })
    await noteRelease('shop', 'shop@1.2.3+7')
    await noteRelease('web', '2024')
    expect((await owner.call('GET', '/projects/acme/shop/releases/')).body).toMatchObject([
      {
        version: 'shop@1.2.3+7',
        shortVersion: '1.2.3',
        versionInfo: { package: 'shop', version: { raw: '1.2.3+7' }, description: '1.2.3' },
        lastDeploy: null,
        currentDeploys: [],
      },
    ])
    expect((await owner.call('GET', '/projects/acme/web/releases/2024/')).body).toMatchObject({
      versionInfo: { package: null, version: { raw: '2024' } },
    })
    expect((await owner.call('GET', '/projects/acme/shop/releases/2024/')).status).toBe(404)
    expect((await owner.call('GET', '/projects/acme/none/releases/')).status).toBe(404)
    expect((await owner.call('GET', '/projects/acme/shop/environments/')).body).toEqual([])
    expect((await owner.call('GET', '/projects/acme/none/environments/')).status).toBe(404)
  })
})

describe('what programs say of releases', () => {
  const releases = '/organizations/acme/releases/'
  const of = (version: string): string => `${releases}${encodeURIComponent(version)}/`

  it('L69: a release is made once, at either address, and nothing of it is wiped', async () => {
    const owner = await test.owner()
    const made = await owner.call('POST', releases, {
      version: 'shop@1.0',
      projects: ['web'],
      url: 'https://shop.example/1.0',
      dateStarted: '2026-11-20T10:00:00.123456789Z',
    })
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        version: 'shop@1.0',
        url: 'https://shop.example/1.0',
        dateStarted: '2026-11-20T10:00:00.123Z',
        firstEvent: null,
        lastEvent: null,
        projects: [{ slug: 'web', newGroups: 0 }],
      },
    ])
    const again = await owner.call('POST', '/projects/acme/web/releases/', { version: 'shop@1.0', projects: ['1'] })
    expect([again.status, again.body]).toMatchObject([
      208,
      { url: 'https://shop.example/1.0', projects: [{ slug: 'web' }] },
    ])
    expect((await owner.call('GET', releases)).body).toHaveLength(1)
    expect((await owner.call('PUT', of('none'), { ref: 'x' })).status).toBe(404)
  })

  it('L72: without projects only what is named changes', async () => {
    const owner = await test.owner()
    await owner.call('POST', '/organizations/acme/projects/', { name: 'Shop' })
    await owner.call('POST', releases, { version: '1', projects: ['web'], ref: 'main' })
    const archived = await owner.call('POST', releases, { version: '1', projects: [], status: 'archived' })
    expect([archived.status, archived.body]).toMatchObject([
      208,
      { status: 'archived', ref: 'main', projects: [{ slug: 'web' }] },
    ])
    expect((await owner.call('GET', `${releases}?status=open`)).body).toEqual([])
    expect((await owner.call('POST', releases, { version: '1', projects: [], status: 'open' })).body).toMatchObject({
      status: 'open',
    })
    // Nobody can guess of which of two projects a new one is.
    const unclear = await owner.call('POST', releases, { version: '2' })
    expect([unclear.status, unclear.body.detail]).toEqual([400, expect.stringContaining('has several')])
    expect((await owner.call('POST', releases, { version: '2', projects: ['web', 'none'] })).status).toBe(400)
    expect((await owner.call('GET', of('2'))).status).toBe(404)
  })

  it.each(['feature/x', 'a\\b', '.', '..', 'latest', 'LATEST', '', ' 1', 'x'.repeat(201), 'a\tb'])(
    'L75: %j is no name of a release, and the answer says why',
    async (version) => {
      const owner = await test.owner()
      const { status, body } = await owner.call('POST', releases, { version, projects: ['web'] })
      expect([status, body.detail.length > 20]).toEqual([400, true])
    },
  )

  it.each(['shop@1.0+7', 'a%20b', 'büro 7', 'shop@1.0-rc.1', '#1', 'x'.repeat(200)])(
    'L75: %j survives every address',
    async (version) => {
      const owner = await test.owner()
      await owner.call('POST', releases, { version, projects: ['web'] })
      for (const path of [of(version), `/projects/acme/web/releases/${encodeURIComponent(version)}/`]) {
        expect((await owner.call('GET', path)).body).toMatchObject({ version })
        expect((await owner.call('PUT', path, { ref: 'r' })).body).toMatchObject({ version, ref: 'r' })
        expect((await owner.call('GET', `${path}commits/`)).body).toEqual([])
      }
    },
  )

  it('L70: commits take the place of those before, and the release before is the one that has any', async () => {
    const owner = await test.owner()
    const commit = (id: string) => ({
      id,
      repository: 'origin',
      message: `Mend the tea\n`,
      author_name: 'Ada',
      author_email: 'ada@shop.example',
      timestamp: '2026-11-20T09:00:00+01:00',
      patch_set: [{ path: 'src/tea.ts', type: 'M' }],
    })
    for (const version of ['1', '2', '3']) {
      test.clock.advance(1000)
      await owner.call('POST', releases, { version, projects: ['web'] })
    }
    expect((await owner.call('GET', `${of('3')}previous-with-commits/`)).body).toEqual({})
    await owner.call('PUT', of('1'), { commits: [commit('a'), commit('b')] })
    const changed = await owner.call('PUT', of('1'), { commits: [commit('c')] })
    expect(changed.body).toMatchObject({
      commitCount: 1,
      lastCommit: { id: 'c', message: 'Mend the tea', dateCreated: '2026-11-20T08:00:00.000Z' },
      authors: [{ name: 'Ada', email: 'ada@shop.example' }],
    })
    // Another field leaves them, and so does a list of none.
    expect((await owner.call('PUT', of('1'), { commits: [] })).body).toMatchObject({ commitCount: 1 })
    expect((await owner.call('PUT', of('1'), { ref: 'c' })).body).toMatchObject({ commitCount: 1, ref: 'c' })
    expect((await owner.call('GET', `${of('1')}commits/`)).body).toMatchObject([
      { id: 'c', repository: { name: 'origin' }, author: { name: 'Ada' } },
    ])
    expect((await owner.call('GET', `${of('3')}previous-with-commits/`)).body).toMatchObject({ version: '1' })
    await owner.call('PUT', of('2'), { refs: [{ repository: 'acme/web', commit: 'd', previousCommit: 'c' }] })
    expect((await owner.call('GET', `${of('3')}previous-with-commits/`)).body).toMatchObject({
      version: '2',
      lastCommit: { id: 'd', repository: { name: 'acme/web' } },
    })
    expect((await owner.call('GET', `${of('1')}previous-with-commits/`)).body).toEqual({})
  })

  it('L73: of two deploys of one environment the newest is listed first and is the last one', async () => {
    const owner = await test.owner()
    await owner.call('POST', releases, { version: '1', projects: ['web'] })
    const first = await owner.call('POST', `${of('1')}deploys/`, { environment: 'production', name: 'first' })
    expect([first.status, first.body]).toMatchObject([201, { environment: 'production', name: 'first' }])
    test.clock.advance(60_000)
    await owner.call('POST', `${of('1')}deploys/`, { environment: 'production', url: 'https://shop.example/' })
    expect((await owner.call('GET', `${of('1')}deploys/`)).body).toMatchObject([
      { name: null, url: 'https://shop.example/' },
      { name: 'first', url: null },
    ])
    expect((await owner.call('GET', of('1'))).body).toMatchObject({
      deployCount: 2,
      lastDeploy: { environment: 'production', url: 'https://shop.example/' },
    })
    for (const body of [
      {},
      { environment: 'none' },
      { environment: 'a/b' },
      { environment: 'x', url: 'javascript:1' },
    ]) {
      expect((await owner.call('POST', `${of('1')}deploys/`, body)).status, JSON.stringify(body)).toBe(400)
    }
  })

  it('run in each environment until a newer one of the same project does', async () => {
    const owner = await test.owner()
    await owner.call('POST', '/organizations/acme/projects/', { name: 'Shop' })
    await owner.call('POST', releases, { version: '1', projects: ['web'] })
    await owner.call('POST', releases, { version: '2', projects: ['web'] })
    await owner.call('POST', releases, { version: 'other', projects: ['shop'] })
    const deploy = async (version: string, environment: string): Promise<void> => {
      test.clock.advance(60_000)
      expect((await owner.call('POST', `${of(version)}deploys/`, { environment })).status).toBe(201)
    }
    const runsIn = async (): Promise<Readonly<Record<string, readonly string[]>>> => {
      const listed = (await owner.call('GET', releases)).body as unknown as {
        version: string
        currentDeploys: { environment: string }[]
      }[]
      return Object.fromEntries(
        listed.map(({ currentDeploys, version }) => [version, currentDeploys.map(({ environment }) => environment)]),
      )
    }
    await deploy('1', 'production')
    await deploy('1', 'production')
    await deploy('1', 'staging')
    expect(await runsIn()).toEqual({ 1: ['staging', 'production'], 2: [], other: [] })
    await deploy('2', 'staging')
    await deploy('other', 'production')
    expect(await runsIn()).toEqual({ 1: ['production'], 2: ['staging'], other: ['production'] })
    await deploy('2', 'production')
    expect(await runsIn()).toEqual({ 1: [], 2: ['production', 'staging'], other: ['production'] })
    await deploy('1', 'production')
    expect(await runsIn()).toEqual({ 1: ['production'], 2: ['staging'], other: ['production'] })
  })

  it('L86: one that events have named is archived and not deleted', async () => {
    const owner = await test.owner()
    await noteRelease('web', 'seen')
    const refused = await owner.call('DELETE', of('seen'))
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('Archive it instead')])
    await owner.call('POST', releases, { version: 'unseen', projects: ['web'] })
    expect((await owner.call('DELETE', '/projects/acme/web/releases/unseen/')).status).toBe(204)
    expect((await owner.call('GET', of('unseen'))).status).toBe(404)
  })

  it('repositories are named, listed and taken off', async () => {
    const owner = await test.owner()
    expect((await owner.call('GET', '/organizations/acme/repos/?cursor=')).body).toEqual([])
    const added = await owner.call('POST', '/organizations/acme/repos/', { name: 'acme/web' })
    await owner.call('POST', '/organizations/acme/repos/', { name: 'acme/web', url: 'https://git.example/acme/web' })
    for (const url of [
      'https://ann:pw@git.example/acme/web',
      'https://token@git.example/acme/web',
      'http:///ann@git.example',
    ]) {
      const links = { url, lineUrl: `${url}/{path}`, commitUrl: `${url}/{commit}` }
      for (const [name, value] of Object.entries(links)) {
        const refused = await owner.call('POST', '/organizations/acme/repos/', { name: 'acme/web', [name]: value })
        expect([refused.status, JSON.stringify(refused.body)]).toEqual([
          400,
          expect.stringContaining('without a name or a password'),
        ])
      }
    }
    const listed = await owner.call('GET', '/organizations/acme/repos/?query=ACME%2Fweb')
    expect(listed.body).toMatchObject([
      { name: 'acme/web', url: 'https://git.example/acme/web', status: 'active', provider: { id: 'git' } },
    ])
    expect(
      (await owner.call('DELETE', `/organizations/acme/repos/${(added.body as { id?: string }).id}/`)).status,
    ).toBe(204)
    expect((await owner.call('GET', '/organizations/acme/repos/')).body).toEqual([])
  })
})
