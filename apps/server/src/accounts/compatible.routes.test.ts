import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp } from '../http/test/app.ts'
import type { TestApp } from '../http/test/app.ts'

let test: TestApp

beforeEach(async () => {
  test = await createTestApp({ options: { checkAnswers: true } })
})

afterEach(() => test.close())

describe('addresses of Sentry’s API', () => {
  it('say who calls: people by session or by a token of theirs', async () => {
    const owner = await test.owner()
    for (const path of ['/auth/', '/users/me/']) {
      expect((await owner.call('GET', path)).body).toMatchObject({ email: 'owner@acme.example', options: {} })
      const answers = await test.visitor().call('GET', path, undefined, { authorization: `Bearer ${owner.token}` })
      expect([path, answers.status]).toEqual([path, 200])
      expect(answers.body).toMatchObject({ email: 'owner@acme.example' })
      expect((await test.visitor().call('GET', path)).status).toBe(401)
    }
  })

  it('list the projects of everybody’s own organisations, with the organisation, page by page', async () => {
    const acme = await test.owner()
    const rival = await test.owner('rival')
    await acme.call('POST', '/organizations/acme/projects/', { name: 'Shop' })
    const first = await acme.call('GET', '/projects/?per_page=1')
    expect(first.body).toMatchObject([{ organization: { slug: 'acme' } }])
    expect(first.headers.get('link')).toContain('rel="next"; results="true"; cursor="0:1:0"')
    const second = await acme.call('GET', '/projects/?per_page=1&cursor=0:1:0')
    expect(second.headers.get('link')).toContain('rel="next"; results="false"')
    const slugs = [first, second].flatMap(({ body }) => body as unknown as { slug: string }[]).map(({ slug }) => slug)
    expect(slugs.toSorted()).toEqual(['shop', 'web'])
    const token = { authorization: `Bearer ${rival.token}` }
    const own = await test.visitor().call('GET', '/projects/', undefined, token)
    expect(own.body).toMatchObject([{ slug: 'web', organization: { slug: 'rival' } }])
    expect(own.body).toHaveLength(1)
    expect((await test.visitor().call('GET', '/projects/')).status).toBe(401)
  })

  it('show a team’s projects, and a project’s teams and their members', async () => {
    const owner = await test.owner()
    await test.owner('rival')
    await owner.call('POST', '/organizations/acme/teams/', { slug: 'core' })
    await owner.call('POST', '/organizations/acme/projects/', { name: 'Shop', team: 'core' })
    expect((await owner.call('GET', '/teams/acme/core/projects/')).body).toMatchObject([{ slug: 'shop' }])
    expect((await owner.call('GET', '/teams/acme/none/projects/')).status).toBe(404)
    expect((await owner.call('GET', '/projects/acme/shop/teams/')).body).toMatchObject([{ slug: 'core' }])
    expect((await owner.call('GET', '/projects/acme/web/teams/')).body).toEqual([])
    expect((await owner.call('GET', '/projects/acme/shop/members/')).body).toEqual([])
    const me = (await owner.call('GET', '/organizations/acme/members/me/')).body as unknown as { id: string }
    expect(me).toMatchObject({ email: 'owner@acme.example', role: 'owner' })
    expect((await owner.call('GET', `/organizations/acme/members/${me.id}/`)).body).toEqual(me)
    expect((await owner.call('GET', '/organizations/acme/members/999/')).status).toBe(404)
    expect((await owner.call('GET', '/organizations/acme/members/x/')).status).toBe(404)
    await owner.call('POST', `/organizations/acme/members/${me.id}/teams/core/`)
    expect((await owner.call('GET', '/projects/acme/shop/members/')).body).toMatchObject([{ id: me.id }])
    expect((await owner.call('GET', '/projects/rival/web/members/')).status).toBe(404)
    expect((await owner.call('DELETE', '/organizations/acme/members/me/teams/core/')).status).toBe(200)
    expect((await owner.call('GET', '/projects/acme/shop/members/')).body).toEqual([])
    expect((await owner.call('POST', '/organizations/acme/members/me/teams/core/')).status).toBe(201)
    expect((await owner.call('GET', '/projects/acme/shop/members/')).body).toMatchObject([{ id: me.id }])
  })

  it('give people the role and the teams that Sentry’s names ask for', async () => {
    const owner = await test.owner()
    await owner.call('POST', '/organizations/acme/teams/', { slug: 'core' })
    const invited = await owner.call('POST', '/organizations/acme/members/', {
      email: 'bob@acme.example',
      orgRole: 'manager',
      teamRoles: [{ teamSlug: 'core', role: 'contributor' }],
    })
    expect(invited.body).toMatchObject({ role: 'admin', orgRole: 'admin', teams: ['core'] })
    const path = `/organizations/acme/members/${(invited.body as unknown as { id: string }).id}/`
    expect((await owner.call('PUT', path, { orgRole: 'viewer' })).body).toMatchObject({ role: 'viewer' })
    expect((await owner.call('PUT', path, { role: 'member' })).body).toMatchObject({ role: 'member' })
    expect((await owner.call('PUT', path, {})).status).toBe(400)
    expect((await owner.call('PUT', path, { orgRole: 'billing' })).status).toBe(400)
    const plain = await owner.call('POST', '/organizations/acme/members/', { email: 'eve@acme.example' })
    expect(plain.body).toMatchObject({ role: 'member', teams: [] })
  })
})
