import { API_PREFIX, ENDPOINTS, paramNames } from '@firsthand/contract'
import type { Endpoint } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROLE_SCOPES } from '../accounts/index.ts'
import type { Scope } from '../accounts/index.ts'
import { createTestApp, PASSWORD } from './test/app.ts'
import type { TestApp, Visitor } from './test/app.ts'

const pathOf = (endpoint: Endpoint, org: string): string =>
  endpoint.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => (name === 'org' ? org : '999999'))

const guarded = Object.entries(ENDPOINTS).filter(([, endpoint]) => endpoint.scope !== 'public')
const scoped = guarded.filter(([, endpoint]) => endpoint.scope !== 'signed-in')
const isWrite = ({ method }: Endpoint): boolean => method !== 'GET'

/** What a refusal is about: a stub's 200, or anything that the handler itself said, means that the door let it through. */
const refusedFor = (status: number, detail: unknown, scope: string): boolean =>
  status === 403 && typeof detail === 'string' && detail.includes(`"${scope}"`)

const BY_BUILDS = [
  'assembleBundle',
  'assembleDebugFiles',
  'assembleReleaseFiles',
  'createCodeMappings',
  'createDeploy',
  'createProjectRelease',
  'createRelease',
  'getPreviousRelease',
  'getProjectRelease',
  'getRelease',
  'getUploadOptions',
  'listDeploys',
  'listProjectReleaseCommits',
  'listProjectReleaseFiles',
  'listProjectReleases',
  'listReleaseCommits',
  'listReleaseFiles',
  'listReleases',
  'listRepositories',
  'updateProjectRelease',
  'updateRelease',
  'uploadChunks',
  'uploadDebugFiles',
  'uploadProjectReleaseFile',
  'uploadReleaseFile',
]

describe('access', () => {
  let test: TestApp
  let owner: Visitor
  let viewer: Visitor
  let foreigner: Visitor

  beforeAll(async () => {
    test = await createTestApp()
    owner = await test.owner('acme')
    foreigner = await test.owner('globex')
    viewer = await test.join(owner, 'acme', 'viewer')
  })

  afterAll(() => test.close())

  it.each(guarded)('%s answers 401 without credentials', async (_, endpoint) => {
    const reply = await test
      .visitor()
      .call(endpoint.method, pathOf(endpoint, 'acme'), isWrite(endpoint) ? {} : undefined)
    expect(reply.status).toBe(401)
    expect(reply.body.detail).toMatch(/credentials/)
  })

  it.each(guarded)('%s answers 401 to a token that nobody has', async (_, endpoint) => {
    const headers = { authorization: 'Bearer sntrys_nobody_has' }
    const reply = await test.visitor().call(endpoint.method, pathOf(endpoint, 'acme'), undefined, headers)
    expect(reply.status).toBe(401)
  })

  it.each(scoped)('%s answers 404 to a member of another organisation, by slug and by id', async (_, endpoint) => {
    for (const org of ['acme', '1', 'there-is-none']) {
      const reply = await foreigner.call(endpoint.method, pathOf(endpoint, org), isWrite(endpoint) ? {} : undefined)
      expect(reply.status).toBe(404)
      expect(reply.body.detail).toBe('The requested resource does not exist')
    }
  })

  it.each(scoped.filter(([, endpoint]) => !ROLE_SCOPES.viewer.includes(endpoint.scope as Scope)))(
    '%s answers 403 to a viewer',
    async (_, endpoint) => {
      const reply = await viewer.call(endpoint.method, pathOf(endpoint, 'acme'), isWrite(endpoint) ? {} : undefined)
      expect(reply.status).toBe(403)
      expect(refusedFor(reply.status, reply.body.detail, endpoint.scope)).toBe(true)
    },
  )

  /** What changes nothing but what the organisation knows of themselves: that they leave, and what they looked at; and what is asked by POST. */
  const OF_THEMSELVES = new Set([
    'leaveOrganization',
    'noteReplayViewed',
    // Their own inbox.
    'updateInbox',
    'restoreInbox',
    // Questions whose answer is all that comes of them.
    'dryRunAlert',
    'testOwnership',
  ])

  const NOT_FOR_VIEWERS = new Set([
    // What went to others and what they answered, word for word: for those who set up where it goes.
    'listDeliveries',
    'getDelivery',
    // How files are to be sent: for those who send them, whose tokens may be good for nothing else.
    'getUploadOptions',
  ])

  it('a viewer can read and ask, and cannot write anything, but of themselves', () => {
    for (const [name, endpoint] of scoped) {
      const allowed = ROLE_SCOPES.viewer.includes(endpoint.scope as Scope)
      expect(allowed, name).toBe(isWrite(endpoint) ? OF_THEMSELVES.has(name) : !NOT_FOR_VIEWERS.has(name))
    }
  })

  it.each(guarded.filter(([, endpoint]) => isWrite(endpoint)))(
    '%s answers 403 without the CSRF token',
    async (_, endpoint) => {
      for (const token of ['', 'x', `${owner.csrf.slice(0, -1)}_`, foreigner.csrf]) {
        const reply = await owner.call(endpoint.method, pathOf(endpoint, 'acme'), {}, { 'x-csrf-token': token })
        expect(reply.status).toBe(403)
        expect(reply.body.detail).toContain('CSRF')
      }
    },
  )

  it('every write from another origin is refused, public ones too; the own origin is let in', async () => {
    for (const [, endpoint] of Object.entries(ENDPOINTS).filter(([, endpoint]) => isWrite(endpoint))) {
      for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example']) {
        const reply = await owner.call(endpoint.method, pathOf(endpoint, 'acme'), {}, { origin })
        expect(reply.status).toBe(403)
        expect(reply.body.detail).toContain('another site')
      }
    }
    const reply = await owner.call('PUT', '/organizations/acme/', { name: 'Acme' }, { origin: 'http://localhost' })
    expect(reply.status).toBe(200)
  })

  it('a token of a build uploads and makes releases, deletes none of them and sees nothing else', async () => {
    const made = await owner.call('POST', '/organizations/acme/api-tokens/', { name: 'build', scopes: ['org:ci'] })
    const headers = { authorization: `Bearer ${(made.body as unknown as { token: string }).token}` }
    const build = test.visitor()
    const called: string[] = []
    for (const [name, endpoint] of scoped) {
      const body = isWrite(endpoint) ? {} : undefined
      const reply = await build.call(endpoint.method, pathOf(endpoint, 'acme'), body, headers)
      if (!refusedFor(reply.status, reply.body?.detail, endpoint.scope)) called.push(name)
    }
    expect(called.toSorted()).toEqual([...BY_BUILDS].toSorted())
    expect((await build.call('GET', '/', undefined, headers)).body).toMatchObject({
      auth: { scopes: ['org:ci'] },
      user: { email: 'owner@acme.example' },
    })
  })

  it('a token does what its scopes say, in its own organisation, without CSRF', async () => {
    const made = await owner.call('POST', '/organizations/acme/api-tokens/', {
      name: 'ci',
      scopes: ['org:read', 'event:read'],
    })
    expect(made.status).toBe(201)
    const token = (made.body as unknown as { token: string }).token
    expect(token.split('_')).toHaveLength(3)
    const payload = JSON.parse(Buffer.from(token.split('_')[1] ?? '', 'base64').toString()) as unknown
    expect(payload).toMatchObject({ org: 'acme', url: 'http://localhost', region_url: 'http://localhost' })

    const headers = { authorization: `Bearer ${token}` }
    const program = test.visitor()
    for (const [, endpoint] of scoped) {
      const reply = await program.call(
        endpoint.method,
        pathOf(endpoint, 'acme'),
        isWrite(endpoint) ? {} : undefined,
        headers,
      )
      const allowed = endpoint.scope === 'org:read' || endpoint.scope === 'event:read'
      expect(refusedFor(reply.status, reply.body?.detail, endpoint.scope)).toBe(!allowed)
    }
    expect((await program.call('GET', '/organizations/globex/', undefined, headers)).status).toBe(404)
    expect((await program.call('PUT', '/users/me/', { name: 'x' }, headers)).status).toBe(403)
    const info = await program.call('GET', '/', undefined, headers)
    expect(info.body).toMatchObject({
      auth: { scopes: ['org:read', 'event:read'] },
      user: { email: 'owner@acme.example' },
    })
    const organizations = await program.call('GET', '/organizations/', undefined, headers)
    expect((organizations.body as unknown as { slug: string }[]).map(({ slug }) => slug)).toEqual(['acme'])

    const id = (made.body as unknown as { id: string }).id
    const list = await owner.call('GET', '/organizations/acme/api-tokens/')
    expect(JSON.stringify(list.body)).not.toContain(token)
    expect((await foreigner.call('DELETE', `/organizations/globex/api-tokens/${id}/`)).status).toBe(404)
    expect((await owner.call('DELETE', `/organizations/acme/api-tokens/${id}/`)).status).toBe(204)
    expect((await program.call('GET', '/organizations/acme/', undefined, headers)).status).toBe(401)
  })

  it('a token cannot be given more than its maker may do, and ends when it expires', async () => {
    const admin = await test.join(owner, 'acme', 'admin')
    const refused = await admin.call('POST', '/organizations/acme/api-tokens/', { name: 'x', scopes: ['org:admin'] })
    expect(refused.status).toBe(403)
    expect(refused.body.fields['scopes']).toContain('org:admin')

    const made = await owner.call('POST', '/organizations/acme/api-tokens/', {
      name: 'x',
      scopes: ['org:read'],
      expiresInDays: 1,
    })
    const headers = { authorization: `Bearer ${(made.body as unknown as { token: string }).token}` }
    expect((await test.visitor().call('GET', '/organizations/acme/', undefined, headers)).status).toBe(200)
    test.clock.advance(86_400_000)
    expect((await test.visitor().call('GET', '/organizations/acme/', undefined, headers)).status).toBe(401)
  })

  it('what is in a path stays inside its organisation: another one’s team, member, project and key are not found', async () => {
    await foreigner.call('POST', '/organizations/globex/teams/', { name: 'Spies' })
    const theirs = await test.accounts.store.organizationBySlug('globex')
    const team = await test.accounts.store.team(theirs?.id ?? 0, 'spies')
    const [member] = await test.accounts.store.members(theirs?.id ?? 0, '', { offset: 0, limit: 1 })
    const project = await test.accounts.store.project(theirs?.id ?? 0, 'web')
    const [key] = await test.accounts.store.keys(project?.id ?? 0, { offset: 0, limit: 1 })
    const attempts: [string, string, unknown?][] = [
      ['GET', `/teams/acme/${team?.id}/`],
      ['PUT', `/teams/acme/${team?.id}/`, { name: 'mine' }],
      ['DELETE', `/teams/acme/${team?.id}/`],
      ['PUT', `/organizations/acme/members/${member?.id}/`, { role: 'viewer' }],
      ['DELETE', `/organizations/acme/members/${member?.id}/`],
      ['GET', `/projects/acme/${project?.id}/`],
      ['PUT', `/projects/acme/${project?.id}/`, { name: 'mine' }],
      ['DELETE', `/projects/acme/${project?.id}/`],
      ['GET', `/projects/acme/web/keys/${key?.publicKey}/`],
      ['DELETE', `/projects/acme/web/keys/${key?.publicKey}/`],
      ['GET', `/organizations/acme/environments/?project=${project?.id}`],
    ]
    for (const [method, path, body] of attempts) {
      expect((await owner.call(method, path, body)).status, `${method} ${path}`).toBe(404)
    }
    expect((await foreigner.call('GET', '/projects/globex/web/')).status).toBe(200)
    expect(PASSWORD).not.toBe('')
  })

  it('every parameter of every endpoint is bounded', async () => {
    for (const [, endpoint] of scoped.filter(
      ([, endpoint]) => !isWrite(endpoint) && paramNames(endpoint.path).length > 1,
    )) {
      const path = endpoint.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
        name === 'org' ? 'acme' : 'x'.repeat(400),
      )
      expect((await owner.call('GET', path)).status, `${API_PREFIX}${endpoint.path}`).toBe(400)
    }
  })
})
