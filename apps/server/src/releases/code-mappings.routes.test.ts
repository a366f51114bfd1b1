import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, type Visitor } from '../http/test/app.ts'
import { LIMITS } from './limits.ts'

let test: TestApp
let owner: Visitor

beforeEach(async () => {
  test = await createTestApp({ options: { checkAnswers: true } })
  owner = await test.owner()
})

afterEach(() => test.close())

const REPOS = '/organizations/acme/repos/'
const MAPPINGS = '/organizations/acme/code-mappings/'

const idOf = async (name: string, more: object = {}): Promise<string> => {
  const { body, status } = await owner.call('POST', REPOS, { name, url: `https://github.com/${name}`, ...more })
  expect(status).toBe(201)
  return String(body['id'])
}

describe('repositories', () => {
  it('are changed by what is named, and keep a name of their own', async () => {
    const shop = await idOf('acme/shop')
    await idOf('acme/api')
    const own = { host: 'other', lineUrl: 'https://code.acme.test/{path}?at={commit}#{line}' }
    expect((await owner.call('PUT', `${REPOS}${shop}/`, own)).body).toMatchObject({
      name: 'acme/shop',
      url: 'https://github.com/acme/shop',
      ...own,
      commitUrl: null,
      hasLinks: true,
    })
    expect((await owner.call('PUT', `${REPOS}${shop}/`, { lineUrl: null })).body).toMatchObject({ hasLinks: false })
    expect((await owner.call('PUT', `${REPOS}${shop}/`, { name: 'acme/api' })).status).toBe(409)
    for (const wrong of [
      { lineUrl: 'https://code.acme.test/{commit}' },
      { commitUrl: 'https://code.acme.test/' },
      { lineUrl: 'javascript:alert(1)//{path}' },
      { host: 'svn' },
    ]) {
      expect((await owner.call('PUT', `${REPOS}${shop}/`, wrong)).status, JSON.stringify(wrong)).toBe(400)
    }
  })
})

describe('code mappings', () => {
  it('L85: say where a line of a stack is: as the release was built, else on the branch', async () => {
    const repositoryId = await idOf('acme/shop')
    const mapping = { projectId: 'web', repositoryId, stackRoot: 'src/', sourceRoot: 'apps/web/src/' }
    const made = await owner.call('POST', MAPPINGS, mapping)
    const base = 'https://github.com/acme/shop/blob'
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        projectSlug: 'web',
        repoId: repositoryId,
        repoName: 'acme/shop',
        stackRoot: 'src/',
        sourceRoot: 'apps/web/src/',
        defaultBranch: 'main',
        lineUrl: `${base}/main/{path}#L{line}`,
        commit: null,
      },
    ])
    // The same root again takes its place.
    const again = await owner.call('POST', MAPPINGS, { ...mapping, sourceRoot: 'web/', defaultBranch: 'trunk' })
    expect([again.status, again.body['id']]).toEqual([200, made.body['id']])

    await owner.call('POST', '/organizations/acme/releases/', { version: 'shop@1.0.0', projects: ['web'] })
    await owner.call('PUT', '/organizations/acme/releases/shop@1.0.0/', {
      commits: [
        { id: 'abc', repository: 'origin' },
        { id: 'def', repository: 'origin' },
      ],
    })
    const hash = 'a'.repeat(40)
    const urls = async (query: string) =>
      ((await owner.call('GET', `${MAPPINGS}?${query}`)).body as unknown as { lineUrl: string }[]).map(
        ({ lineUrl }) => lineUrl,
      )
    expect(await urls('project=web')).toEqual([`${base}/trunk/{path}#L{line}`])
    expect(await urls('release=shop@1.0.0')).toEqual([`${base}/abc/{path}#L{line}`])
    expect(await urls('release=shop@0.9.0')).toEqual([`${base}/trunk/{path}#L{line}`])
    expect(await urls(`release=${hash}`)).toEqual([`${base}/${hash}/{path}#L{line}`])
    expect(await urls(`release=shop@${hash}`)).toEqual([`${base}/${hash}/{path}#L{line}`])
    expect((await owner.call('GET', '/organizations/acme/releases/shop@1.0.0/commits/')).body).toMatchObject([
      { id: 'abc', link: 'https://github.com/acme/shop/commit/abc' },
      { id: 'def', link: 'https://github.com/acme/shop/commit/def' },
    ])

    expect((await owner.call('DELETE', `${MAPPINGS}${String(made.body['id'])}/`)).status).toBe(204)
    expect(await urls('')).toEqual([])
  })

  it('are of the repository that a project names, where commits say origin and there are several', async () => {
    const [shop] = [await idOf('acme/shop'), await idOf('acme/api')]
    await owner.call('POST', MAPPINGS, { projectId: 'web', repositoryId: shop, stackRoot: '', sourceRoot: '' })
    await owner.call('POST', '/organizations/acme/releases/', { version: '1', projects: ['web'] })
    await owner.call('PUT', '/organizations/acme/releases/1/', { commits: [{ id: 'abc', repository: 'origin' }] })
    expect((await owner.call('GET', `${MAPPINGS}?release=1`)).body).toMatchObject([{ commit: 'abc' }])
  })

  it('L85: are of the branch where a release is named by a commit and its project is of several repositories', async () => {
    const [shop, library] = [await idOf('acme/shop'), await idOf('acme/library')]
    const put = (repositoryId: string, stackRoot: string) =>
      owner.call('POST', MAPPINGS, { projectId: 'web', repositoryId, stackRoot, sourceRoot: '' })
    await put(shop, 'src/')
    await put(library, 'library/')
    const hash = 'a'.repeat(40)
    const commits = async () =>
      ((await owner.call('GET', `${MAPPINGS}?release=${hash}`)).body as unknown as { commit: string | null }[]).map(
        ({ commit }) => commit,
      )
    expect(await commits()).toEqual([null, null])
    // Also where the other one is on another page.
    const page = await owner.call('GET', `${MAPPINGS}?release=${hash}&per_page=1`)
    expect(page.body).toMatchObject([{ commit: null }])
    await owner.call('POST', '/organizations/acme/releases/', { version: hash, projects: ['web'] })
    await owner.call('PUT', `/organizations/acme/releases/${hash}/`, {
      commits: [{ id: hash, repository: 'acme/shop' }],
    })
    // In the order of their roots: library/, src/.
    expect(await commits()).toEqual([null, hash])
  })

  it('are sent by the hundred as sentry-cli does, with the repository, up to a limit', async () => {
    const bulk = (mappings: readonly object[], more: object = {}) =>
      owner.call('POST', `${MAPPINGS}bulk/`, { project: 'web', repository: 'acme/shop', mappings, ...more })
    const roots = Array.from({ length: LIMITS.CODE_MAPPINGS }, (_, place) => ({
      stackRoot: `com/acme/m${place}`,
      sourceRoot: `m${place}/src`,
    }))
    const first = await bulk(roots.slice(0, 2), { defaultBranch: 'trunk' })
    expect([first.status, first.body]).toEqual([
      200,
      {
        created: 2,
        updated: 0,
        errors: 0,
        mappings: roots.slice(0, 2).map((one) => ({ ...one, status: 'created' })),
      },
    ])
    expect((await bulk(roots)).body).toMatchObject({ created: roots.length - 2, updated: 2, errors: 0 })
    expect((await bulk([{ stackRoot: 'one/more', sourceRoot: '' }])).body).toMatchObject({
      created: 0,
      errors: 1,
      mappings: [{ status: 'error' }],
    })
    expect((await owner.call('GET', REPOS)).body).toMatchObject([{ name: 'acme/shop', url: null, hasLinks: false }])
    expect((await bulk(roots, { project: 'none' })).status).toBe(404)
    // As the program `sentry` writes it.
    const snake = await bulk([{ stack_root: 'com/acme/m0', source_root: 'java' }], { default_branch: 'next' })
    const updated = { stackRoot: 'com/acme/m0', sourceRoot: 'java', status: 'updated' }
    expect([snake.status, snake.body]).toEqual([200, { created: 0, updated: 1, errors: 0, mappings: [updated] }])
    const listed = (await owner.call('GET', `${MAPPINGS}?per_page=100`)).body as unknown as object[]
    expect(listed).toContainEqual(expect.objectContaining({ sourceRoot: 'java', defaultBranch: 'next' }))
    expect((await bulk([{ stack_root: 'com/acme' }])).status).toBe(400)
    // They go with their repository.
    const [{ id }] = (await owner.call('GET', REPOS)).body as unknown as [{ id: string }]
    await owner.call('DELETE', `${REPOS}${id}/`)
    expect((await owner.call('GET', MAPPINGS)).body).toEqual([])
  })

  it('are those of the organisation alone', async () => {
    const repositoryId = await idOf('acme/shop')
    const made = await owner.call('POST', MAPPINGS, { projectId: 'web', repositoryId, stackRoot: '', sourceRoot: '' })
    const rival = await test.owner('globex')
    expect((await rival.call('GET', '/organizations/globex/code-mappings/')).body).toEqual([])
    const theirs = `/organizations/globex/code-mappings/${String(made.body['id'])}/`
    expect((await rival.call('DELETE', theirs)).status).toBe(404)
    const stolen = { projectId: 'web', repositoryId, stackRoot: '', sourceRoot: '' }
    expect((await rival.call('POST', '/organizations/globex/code-mappings/', stolen)).status).toBe(400)
    expect((await owner.call('POST', MAPPINGS, { ...stolen, projectId: 'none' })).status).toBe(400)
  })
})
