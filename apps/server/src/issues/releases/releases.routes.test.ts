import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp } from '../../http/test/app.ts'
import type { TestApp } from '../../http/test/app.ts'
import { LIMITS } from '../limits.ts'

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
