import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, PASSWORD } from '../http/test/app.ts'
import type { Reply, TestApp, Visitor } from '../http/test/app.ts'
import { LIMITS } from './limits.ts'
import { createPasswords, PasswordsBusyError } from './passwords.ts'
import type { Passwords } from './passwords.ts'
import { effectiveScopes, missingFor, ROLES, SCOPES } from './roles.ts'
import type { Role, Scope } from './roles.ts'

/** Nobody takes over an account, an organisation or a role: tokens, invitations, e-mails, passwords and sessions. */

const MEMBERS = '/organizations/acme/members/'
const TOKENS = '/organizations/acme/api-tokens/'

/** Hashing is what an answer costs, so what is hashed is counted instead of timed. */
const counted = () => {
  const inner = createPasswords({ memoryKib: 64, passes: 1 })
  const work = { hashes: 0, isBusy: false }
  const passwords: Passwords = {
    hash: (password) => {
      work.hashes += 1
      return work.isBusy ? Promise.reject(new PasswordsBusyError('busy')) : inner.hash(password)
    },
    verify: (password, stored) => {
      work.hashes += 1
      return inner.verify(password, stored)
    },
  }
  return { passwords, work }
}

let test: TestApp
let work: { hashes: number; isBusy: boolean }
let owner: Awaited<ReturnType<TestApp['owner']>>

beforeEach(async () => {
  const counter = counted()
  work = counter.work
  test = await createTestApp({ options: { checkAnswers: true }, passwords: counter.passwords })
  owner = await test.owner()
})

afterEach(() => test.close())

const textOf = (reply: Reply, key: string): string => String((reply.body as Record<string, unknown>)[key])
const listOf = (reply: Reply) => reply.body as unknown as Record<string, unknown>[]
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

const makeToken = async (
  who: Pick<Visitor, 'call'>,
  scopes: readonly Scope[],
  more: { readonly expiresInDays?: number } = {},
): Promise<{ id: string; call: Visitor['call'] }> => {
  const made = await who.call('POST', TOKENS, { name: 'a program', scopes, ...more })
  expect(made.status).toBe(201)
  const secret = textOf(made, 'token')
  const program = test.visitor()
  return {
    id: textOf(made, 'id'),
    call: (method, path, body) => program.call(method, path, body, bearer(secret)),
  }
}

const logInFrom = (address: string, email: string, password: string): Promise<Response> =>
  test.send(
    '/api/0/auth/login/',
    {
      method: 'POST',
      body: JSON.stringify({ email, password }),
      headers: { 'content-type': 'application/json', host: 'localhost' },
    },
    address,
  )

describe('a personal token', () => {
  const OWN = '/users/me/api-tokens/'
  const makeOwn = async (who: Pick<Visitor, 'call'>, scopes: readonly Scope[], more: object = {}) => {
    const made = await who.call('POST', OWN, { name: 'assistant', scopes, ...more })
    expect(made.status).toBe(201)
    const secret = textOf(made, 'token')
    const program = test.visitor()
    return {
      id: textOf(made, 'id'),
      secret,
      call: (method: string, path: string, body?: unknown) => program.call(method, path, body, bearer(secret)),
    }
  }

  it('acts as its maker in all their organisations, as far as its scopes and their role in each go', async () => {
    const rival = await test.owner('rival')
    const setup = { password: PASSWORD, organizationSlug: 'rival', projectSlug: 'web', publicUrl: 'http://localhost' }
    const member = await test.join(owner, 'acme', 'admin', rival.email)
    await test.accounts.setup.ensure({ ...setup, email: rival.email })
    const token = await makeOwn(rival, ['org:read', 'org:admin', 'org:write', 'project:read', 'event:write'])
    expect(token.secret).toMatch(/^sntryu_[0-9a-f]{64}$/)
    for (const path of ['/auth/', '/users/me/']) {
      expect((await token.call('GET', path)).body).toMatchObject({ email: rival.email })
    }
    expect((await token.call('GET', '/')).body).toMatchObject({
      auth: { scopes: expect.arrayContaining(['org:admin', 'event:write']) },
      user: { email: rival.email },
    })
    expect(listOf(await token.call('GET', '/organizations/')).map(({ slug }) => slug)).toEqual(['acme', 'rival'])
    expect(listOf(await token.call('GET', '/projects/'))).toHaveLength(2)
    const accessIn = async (slug: string) =>
      ((await token.call('GET', `/organizations/${slug}/`)).body as unknown as { access: string[] }).access.toSorted()
    expect(await accessIn('rival')).toEqual(['event:write', 'org:admin', 'org:read', 'org:write', 'project:read'])
    expect(await accessIn('acme')).toEqual(['event:write', 'org:read', 'org:write', 'project:read'])
    // A token that it makes for one organisation ends with it.
    const heir = textOf(await token.call('POST', TOKENS, { name: 'heir', scopes: ['org:read'] }), 'token')
    const useHeir = () => test.visitor().call('GET', '/organizations/acme/', undefined, bearer(heir))
    expect((await useHeir()).status).toBe(200)

    await owner.call('PUT', `${MEMBERS}${member.memberId}/`, { role: 'viewer' })
    expect(await accessIn('acme')).toEqual(['org:read', 'project:read'])
    expect((await owner.call('DELETE', `${MEMBERS}${member.memberId}/`)).status).toBe(204)
    expect((await token.call('GET', '/organizations/acme/')).status).toBe(404)
    expect((await token.call('GET', '/organizations/rival/')).status).toBe(200)
    expect(listOf(await token.call('GET', '/organizations/')).map(({ slug }) => slug)).toEqual(['rival'])
    expect((await rival.call('DELETE', `${OWN}${token.id}/`)).status).toBe(204)
    expect((await token.call('GET', '/users/me/')).status).toBe(401)
    expect((await useHeir()).status).toBe(401)
  })

  it('is made, listed and revoked by its person alone, who is signed in; and ends when it was said to', async () => {
    const other = await test.join(owner, 'acme', 'owner', 'other@acme.example')
    const token = await makeOwn(owner, ['org:read', 'org:write'], { expiresInDays: 2 })
    expect(listOf(await owner.call('GET', OWN))).toMatchObject([
      { id: token.id, name: 'assistant', createdBy: { email: owner.email }, dateExpires: expect.any(String) },
    ])
    expect(listOf(await other.call('GET', OWN))).toEqual([])
    expect(listOf(await owner.call('GET', TOKENS)).map(({ id }) => id)).not.toContain(token.id)
    for (const path of [`${OWN}${token.id}/`, `${TOKENS}${token.id}/`]) {
      expect([path, (await other.call('DELETE', path)).status]).toEqual([path, 404])
    }
    for (const [method, path] of [
      ['GET', OWN],
      ['POST', OWN],
      ['DELETE', `${OWN}${token.id}/`],
    ] as const) {
      const body = method === 'POST' ? { name: 'more', scopes: ['org:read'] } : undefined
      expect([method, (await token.call(method, path, body)).status]).toEqual([method, 403])
      expect([method, (await test.visitor().call(method, path, body)).status]).toEqual([method, 401])
    }
    test.clock.advance(2 * 86_400_000 - 1)
    expect((await token.call('GET', '/users/me/')).status).toBe(200)
    test.clock.advance(1)
    expect((await token.call('GET', '/users/me/')).status).toBe(401)
  })

  it('is one of a hundred at most', async () => {
    for (let made = 0; made < LIMITS.PERSONAL_TOKENS_PER_PERSON; made += 1) await makeOwn(owner, ['org:read'])
    const refused = await owner.call('POST', OWN, { name: 'one more', scopes: ['org:read'] })
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'A person has at most 100 personal tokens. Revoke some first.',
    ])
  })
})

describe('a token', () => {
  it('names its maker, does no more than they may do today, and ends when they leave', async () => {
    const admin = await test.join(owner, 'acme', 'admin')
    const token = await makeToken(admin, ['org:read', 'org:write', 'project:admin', 'event:read'])
    const listed = await owner.call('GET', TOKENS)
    expect(listOf(listed).find(({ id }) => id === token.id)).toMatchObject({
      createdBy: { email: admin.email, name: 'admin' },
    })
    expect((await token.call('PUT', '/organizations/acme/', { name: 'Acme' })).status).toBe(200)

    await owner.call('PUT', `${MEMBERS}${admin.memberId}/`, { role: 'viewer' })
    expect((await token.call('PUT', '/organizations/acme/', { name: 'Mine' })).status).toBe(403)
    expect((await token.call('GET', '/organizations/acme/')).body).toMatchObject({ access: ['org:read', 'event:read'] })
    expect((await token.call('GET', '/')).body).toMatchObject({
      auth: { scopes: ['org:read', 'event:read'] },
      user: { email: admin.email },
    })
    await owner.call('PUT', `${MEMBERS}${admin.memberId}/`, { role: 'admin' })
    expect((await token.call('PUT', '/organizations/acme/', { name: 'Acme' })).status).toBe(200)

    expect((await owner.call('DELETE', `${MEMBERS}${admin.memberId}/`)).status).toBe(204)
    for (const path of ['/organizations/acme/', '/users/me/', '/projects/']) {
      expect([path, (await token.call('GET', path)).status]).toEqual([path, 401])
    }
    expect(listOf(await owner.call('GET', TOKENS)).map(({ id }) => id)).not.toContain(token.id)
    // Coming back does not bring it back.
    const again = await owner.call('POST', MEMBERS, { email: admin.email, role: 'admin' })
    const link = textOf(again, 'inviteLink').split('/').at(-1) ?? ''
    expect((await test.visitor().call('POST', `/accept-invite/${link}/`, { password: PASSWORD })).status).toBe(200)
    expect((await token.call('GET', '/organizations/acme/')).status).toBe(401)
  })

  it('makes none that outlives it', async () => {
    const token = await makeToken(owner, ['org:read', 'org:write', 'org:admin'], { expiresInDays: 2 })
    for (const more of [{}, { expiresInDays: 3 }]) {
      const refused = await token.call('POST', TOKENS, { name: 'longer', scopes: ['org:read'], ...more })
      expect([refused.status, refused.body.detail]).toEqual([
        403,
        expect.stringContaining('ends no later than that one'),
      ])
    }
    const heir = await makeToken(token, ['org:read', 'org:write'], { expiresInDays: 2 })
    const ofHeir = await makeToken(heir, ['org:read'], { expiresInDays: 1 })
    for (const each of [heir, ofHeir]) expect((await each.call('GET', '/organizations/acme/')).status).toBe(200)
    expect((await owner.call('DELETE', `${TOKENS}${token.id}/`)).status).toBe(204)
    for (const each of [heir, ofHeir]) expect((await each.call('GET', '/organizations/acme/')).status).toBe(401)
  })

  it('is of one organisation, though its maker is an owner of two', async () => {
    const both = await test.owner('globex')
    const setup = { password: PASSWORD, organizationSlug: 'acme', projectSlug: 'web', publicUrl: 'http://localhost' }
    expect(await test.accounts.setup.ensure({ ...setup, email: both.email })).toMatchObject({ ok: true })
    expect((await both.call('GET', '/organizations/acme/')).status).toBe(200)
    const made = await both.call('POST', '/organizations/globex/api-tokens/', { name: 'here', scopes: ['org:read'] })
    const ask = (path: string) => test.visitor().call('GET', path, undefined, bearer(textOf(made, 'token')))
    expect((await ask('/organizations/globex/')).status).toBe(200)
    expect((await ask('/organizations/acme/')).status).toBe(404)
    expect(listOf(await ask('/organizations/')).map(({ slug }) => slug)).toEqual(['globex'])
  })

  it('of the command belongs to the owner it names, and ends with them', async () => {
    const heir = await test.join(owner, 'acme', 'owner', 'heir@acme.example')
    const use = () => test.visitor().call('GET', '/organizations/acme/', undefined, bearer(owner.token))
    expect(((await use()).body as unknown as { access: string[] }).access.toSorted()).toEqual([...SCOPES].toSorted())
    const [printed] = listOf(await heir.call('GET', TOKENS))
    expect(printed).toMatchObject({ name: 'setup', createdBy: { email: owner.email } })
    const first = listOf(await heir.call('GET', MEMBERS)).find(({ email }) => email === owner.email)
    expect((await heir.call('DELETE', `${MEMBERS}${String(first?.['id'])}/`)).status).toBe(204)
    expect((await use()).status).toBe(401)
  })

  it('of the command is made for an owner only, and an account gets rights only with its own password', async () => {
    const options = {
      password: PASSWORD,
      organizationSlug: 'acme',
      projectSlug: 'web',
      publicUrl: 'http://localhost',
    }
    const admin = await test.join(owner, 'acme', 'admin')
    expect(await test.accounts.setup.ensure({ ...options, email: admin.email })).toMatchObject({
      ok: false,
      error: { detail: expect.stringContaining('is admin of acme and no owner') as unknown },
    })
    // Somebody else has given their account the address that the operator means.
    const other = await test.owner('globex')
    const squatted = { ...options, email: other.email, password: 'the-operators-own-1' }
    expect(await test.accounts.setup.ensure(squatted)).toMatchObject({
      ok: false,
      error: { detail: expect.stringContaining('is not its password') as unknown },
    })
    expect((await other.call('GET', '/organizations/acme/')).status).toBe(404)
    expect(await test.accounts.setup.ensure({ ...options, email: other.email })).toMatchObject({ ok: true })
    expect((await other.call('GET', '/organizations/acme/')).body).toMatchObject({ role: 'owner' })
  })

  it('is revoked by its maker, whatever their role is by now, and by admins; by nobody else', async () => {
    const admin = await test.join(owner, 'acme', 'admin')
    const other = await test.join(owner, 'acme', 'admin', 'other@acme.example')
    const first = await makeToken(admin, ['org:read'])
    const second = await makeToken(admin, ['org:read'])
    const stranger = await test.owner('globex')
    await owner.call('PUT', `${MEMBERS}${admin.memberId}/`, { role: 'viewer' })
    for (const thief of [stranger, other]) {
      expect((await thief.call('DELETE', `/users/me/api-tokens/${first.id}/`)).status).toBe(404)
    }
    expect((await first.call('DELETE', `/users/me/api-tokens/${second.id}/`)).status).toBe(403)
    expect((await admin.call('DELETE', `${TOKENS}${first.id}/`)).status).toBe(403)
    expect((await admin.call('DELETE', `/users/me/api-tokens/${first.id}/`)).status).toBe(204)
    expect((await other.call('DELETE', `${TOKENS}${second.id}/`)).status).toBe(204)
    for (const token of [first, second]) expect((await token.call('GET', '/organizations/acme/')).status).toBe(401)
  })

  it('makes no session, changes no password, and reads no session', async () => {
    const token = await makeToken(owner, SCOPES)
    const attempts: [string, string, unknown?][] = [
      ['PUT', '/users/me/password/', { currentPassword: PASSWORD, password: 'violet-harbour-7' }],
      ['PUT', '/users/me/', { email: 'x@acme.example', currentPassword: PASSWORD }],
      ['GET', '/users/me/sessions/'],
      ['DELETE', '/users/me/sessions/'],
      ['DELETE', '/users/me/sessions/0123456789abcdef/'],
      ['POST', '/auth/logout/'],
    ]
    for (const [method, path, body] of attempts) {
      const reply = await token.call(method, path, body)
      expect([path, reply.status, reply.headers.get('set-cookie')]).toEqual([path, 403, null])
    }
    expect((await owner.call('GET', '/organizations/acme/')).status).toBe(200)
  })
})

describe('a membership', () => {
  const LEAVE = `${MEMBERS}me/`

  it.each(ROLES)('as %s is ended by the person themselves, whatever they may do', async (role) => {
    const person = await test.join(owner, 'acme', 'member')
    expect((await owner.call('PUT', `${MEMBERS}${person.memberId}/`, { role })).status).toBe(200)
    expect((await person.call('DELETE', LEAVE)).status).toBe(204)
    expect((await person.call('GET', '/organizations/acme/')).status).toBe(404)
    expect((await person.call('DELETE', LEAVE)).status).toBe(404)
    expect(listOf(await owner.call('GET', MEMBERS)).map(({ email }) => email)).not.toContain(person.email)
    // The account stays, for other organisations.
    expect((await person.call('GET', '/users/me/')).status).toBe(200)
  })

  it('of the last owner stays, until somebody else is an owner', async () => {
    const refused = await owner.call('DELETE', LEAVE)
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'An organisation needs an owner. Make somebody else an owner first.',
    ])
    expect((await owner.call('GET', '/organizations/acme/')).status).toBe(200)
    const heir = await test.join(owner, 'acme', 'admin')
    expect((await owner.call('PUT', `${MEMBERS}${heir.memberId}/`, { role: 'owner' })).status).toBe(200)
    expect((await owner.call('DELETE', LEAVE)).status).toBe(204)
    expect((await heir.call('DELETE', LEAVE)).status).toBe(409)
  })

  it('is not ended by a token, which may belong to a program; the tokens of whoever leaves end with it', async () => {
    const admin = await test.join(owner, 'acme', 'admin')
    const token = await makeToken(admin, [...effectiveScopes('admin', null)])
    const refused = await token.call('DELETE', LEAVE)
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('a token cannot')])
    expect((await token.call('GET', '/organizations/acme/')).status).toBe(200)
    expect((await admin.call('DELETE', LEAVE)).status).toBe(204)
    expect((await token.call('GET', '/organizations/acme/')).status).toBe(401)
  })
})

describe('a role', () => {
  it('is given, renewed and taken by a token only when the token has all of its scopes', async () => {
    const invitation = textOf(await owner.call('POST', MEMBERS, { email: 'open@acme.example', role: 'admin' }), 'id')
    const member = await test.join(owner, 'acme', 'member')
    const token = await makeToken(owner, ['member:write', 'member:read'])
    const attempts: [string, string, unknown?][] = [
      ...ROLES.map((role): [string, string, unknown] => ['POST', MEMBERS, { email: `${role}-x@acme.example`, role }]),
      // As Sentry's scripts write it.
      ['POST', MEMBERS, { email: 'm@acme.example', orgRole: 'manager' }],
      ['POST', MEMBERS, { email: 'open@acme.example', role: 'viewer' }],
      ['POST', `${MEMBERS}${invitation}/invite/`],
      ['PUT', `${MEMBERS}${invitation}/`, { role: 'owner' }],
      ['PUT', `${MEMBERS}${member.memberId}/`, { role: 'admin' }],
      ['PUT', `${MEMBERS}${member.memberId}/`, { orgRole: 'viewer' }],
      ['DELETE', `${MEMBERS}${invitation}/`],
      ['DELETE', `${MEMBERS}${member.memberId}/`],
    ]
    for (const [method, path, body] of attempts) {
      const reply = await token.call(method, path, body)
      expect([method, path, reply.status]).toEqual([method, path, 403])
      expect(reply.body.detail).toMatch(/^You may not give, change or take the role/)
    }
    expect(listOf(await owner.call('GET', MEMBERS)).map(({ role }) => role)).toEqual(['owner', 'admin', 'member'])
  })

  it.each(ROLES)('%s is given by whoever has its scopes, person or token, and by nobody else', async (own) => {
    const giver: Visitor = own === 'owner' ? owner : await test.join(owner, 'acme', own)
    const mine = effectiveScopes(own, null)
    const token = mine.has('org:write') ? await makeToken(giver, [...mine]) : null
    for (const role of ROLES) {
      const allowed = mine.has('member:write') && missingFor(mine, role).length === 0
      for (const [kind, who] of Object.entries({ person: giver, token })) {
        if (who === null) continue
        const reply = await who.call('POST', MEMBERS, { email: `${own}-${role}-${kind}@acme.example`, role })
        expect([role, kind, reply.status]).toEqual([role, kind, allowed ? 201 : 403])
      }
    }
  })

  it('that was promised is not given any more when the one who invited was removed or lowered', async () => {
    const open = async (secret: string) => (await test.visitor().call('GET', `/accept-invite/${secret}/`)).status
    const accept = async (secret: string) =>
      (await test.visitor().call('POST', `/accept-invite/${secret}/`, { password: PASSWORD })).status
    const invite = async (who: Visitor, email: string, role: Role) => {
      const made = await who.call('POST', MEMBERS, { email, role })
      return { id: textOf(made, 'id'), secret: textOf(made, 'inviteLink').split('/').at(-1) ?? '' }
    }
    const admin = await test.join(owner, 'acme', 'admin')
    const backdoor = await invite(admin, 'alter-ego@acme.example', 'admin')
    const harmless = await invite(admin, 'viewer@acme.example', 'viewer')
    const raised = await invite(admin, 'raised@acme.example', 'member')
    await owner.call('PUT', `${MEMBERS}${raised.id}/`, { role: 'owner' })
    expect(await open(raised.secret)).toBe(200)
    await owner.call('PUT', `${MEMBERS}${admin.memberId}/`, { role: 'member' })
    expect([await open(backdoor.secret), await accept(backdoor.secret)]).toEqual([404, 404])
    expect(await open(harmless.secret)).toBe(200)
    await owner.call('DELETE', `${MEMBERS}${admin.memberId}/`)
    expect([await open(harmless.secret), await accept(harmless.secret)]).toEqual([404, 404])
    expect(await accept(raised.secret)).toBe(200)
    // Who may still invite renews it, and it stands on their rights.
    const renewed = await owner.call('POST', `${MEMBERS}${backdoor.id}/invite/`)
    expect(await accept(textOf(renewed, 'inviteLink').split('/').at(-1) ?? '')).toBe(200)
  })

  it('and a team: inviting into a team needs the right to change teams', async () => {
    await owner.call('POST', '/organizations/acme/teams/', { name: 'FE' })
    const scopes = SCOPES.filter((scope) => scope !== 'team:write')
    const token = await makeToken(owner, scopes)
    const invitation = { email: 'x@acme.example', role: 'viewer' }
    expect((await token.call('POST', MEMBERS, { ...invitation, teams: ['fe'] })).status).toBe(403)
    expect((await token.call('POST', MEMBERS, invitation)).status).toBe(201)
  })

  it('that is taken ends the person’s live views at once, in this organisation only', async () => {
    const admin = await test.join(owner, 'acme', 'admin')
    const open = async (cookie: string) => {
      const headers = { cookie, host: 'localhost' }
      const response = await test.send('/api/0/organizations/acme/live/', { headers })
      const reader = response.body?.getReader()
      await reader?.read()
      return async () => (await reader?.read())?.done
    }
    const next = await open(admin.cookie)
    const token = await makeToken(admin, ['event:read'])
    const listed = listOf(await owner.call('GET', TOKENS)).map(({ id }) => id)
    expect(listed).toContain(token.id)
    await open(owner.cookie)
    expect(test.live.size).toBe(2)
    await owner.call('PUT', `${MEMBERS}${admin.memberId}/`, { role: 'viewer' })
    await test.live.review((await test.accounts.store.userByEmail(admin.email))?.id ?? 0)
    // A viewer may read on.
    expect(test.live.size).toBe(2)
    await owner.call('DELETE', `${MEMBERS}${admin.memberId}/`)
    expect(await next()).toBe(true)
    expect(test.live.size).toBe(1)
    const nextOfOwner = await open(owner.cookie)
    await owner.call('POST', '/auth/logout/')
    expect(await nextOfOwner()).toBe(true)
    expect(test.live.size).toBe(0)
  })
})

describe('an e-mail address', () => {
  const change = (who: Visitor, email: string) => who.call('PUT', '/users/me/', { email, currentPassword: PASSWORD })

  it('that nobody has verified takes over no invitation, and the invited person still gets in', async () => {
    const mallory = await test.join(owner, 'acme', 'viewer', 'mallory@acme.example')
    const stranger = await test.owner('globex')
    const invited = await owner.call('POST', MEMBERS, { email: 'boss@acme.example', role: 'owner' })
    const secret = textOf(invited, 'inviteLink').split('/').at(-1) ?? ''
    for (const who of [mallory, stranger]) {
      const reply = await change(who, 'boss@acme.example')
      expect([reply.status, Object.keys(reply.body.fields)]).toEqual([400, ['email']])
    }
    expect(listOf(await owner.call('GET', MEMBERS)).map(({ email, pending }) => [email, pending])).toEqual([
      [owner.email, false],
      ['mallory@acme.example', false],
      ['boss@acme.example', true],
    ])
    const accepted = await test.visitor().call('POST', `/accept-invite/${secret}/`, { password: 'violet-harbour-7' })
    expect(accepted.body).toMatchObject({ organizations: [{ slug: 'acme', role: 'owner' }] })
    expect((await mallory.call('GET', '/organizations/acme/')).body).toMatchObject({ role: 'viewer' })
  })

  it('of an account does not open an invitation without its link', async () => {
    const stranger = await test.owner('globex')
    await owner.call('POST', MEMBERS, { email: stranger.email, role: 'admin' })
    expect((await stranger.call('GET', '/organizations/acme/')).status).toBe(404)
    expect(listOf(await stranger.call('GET', '/organizations/')).map(({ slug }) => slug)).not.toContain('acme')
  })

  it('is refused in one sentence, whether it has an account, is invited or both; and only some are tried', async () => {
    const stranger = await test.owner('globex')
    await owner.call('POST', MEMBERS, { email: 'invited@acme.example' })
    await stranger.call('POST', '/organizations/globex/members/', { email: owner.email })
    work.hashes = 0
    const replies = [await change(owner, stranger.email), await change(owner, 'invited@acme.example')]
    expect(work.hashes).toBe(2)
    expect(replies.map(({ status }) => status)).toEqual([400, 400])
    expect(replies[0]?.body).toEqual(replies[1]?.body)
    for (let tried = replies.length; tried < LIMITS.EMAIL_CHANGES_PER_ACCOUNT; tried += 1) {
      await change(owner, stranger.email)
    }
    // Of addresses that are free as well, so the limit tells nothing either.
    const refused = [await change(owner, 'free@acme.example'), await change(owner, stranger.email)]
    expect(refused.map(({ status }) => status)).toEqual([429, 429])
    expect(refused[0]?.body).toEqual(refused[1]?.body)
    test.clock.advance(LIMITS.EMAIL_CHANGE_WINDOW_SECONDS * 1000)
    expect((await change(owner, 'free@acme.example')).status).toBe(200)
  })

  it('with an account and one without cost the same work and get the same answer', async () => {
    const stranger = await test.owner('globex')
    const pairs: [string, (email: string) => Promise<Reply>][] = [
      ['log-in', (email) => test.visitor().call('POST', '/auth/login/', { email, password: 'wrong-password-1' })],
      [
        'set-up',
        (email) =>
          test.visitor().call('POST', '/setup/', {
            email,
            password: PASSWORD,
            organizationName: 'X',
            projectName: 'X',
            platform: '',
          }),
      ],
      ['invite', (email) => owner.call('POST', MEMBERS, { email })],
      [
        'open an invitation',
        async (email) => {
          const link = textOf(await owner.call('POST', MEMBERS, { email }), 'inviteLink')
          return test.visitor().call('GET', `/accept-invite/${link.split('/').at(-1) ?? ''}/`)
        },
      ],
      [
        'accept it with a weak password',
        async (email) => {
          const link = textOf(await owner.call('POST', MEMBERS, { email }), 'inviteLink')
          const path = `/accept-invite/${link.split('/').at(-1) ?? ''}/`
          return test.visitor().call('POST', path, { password: 'short' })
        },
      ],
    ]
    for (const [what, ask] of pairs) {
      const answers = []
      for (const email of [stranger.email, 'nobody@globex.example']) {
        work.hashes = 0
        const { status, body } = await ask(email)
        const plain = JSON.stringify(body)
          .replaceAll(email, 'E')
          .replaceAll(/"id":"\d+"|"dateCreated":"[^"]+"|accept-invite\/[\w-]+/g, '')
        answers.push({ what, status, plain, hashes: work.hashes })
      }
      expect(answers[0]).toEqual(answers[1])
    }
  })
})

describe('wrong passwords', () => {
  const EVERYWHERE = LIMITS.LOGIN_ATTEMPTS_PER_ACCOUNT_EVERYWHERE
  const PER_PLACE = LIMITS.LOGIN_ATTEMPTS_PER_ACCOUNT

  it('from elsewhere do not lock the owner out, who has never been seen at this address', async () => {
    for (let count = 0; count < PER_PLACE * 2; count += 1)
      await logInFrom('198.51.100.9', owner.email, 'wrong-password')
    expect((await logInFrom('198.51.100.9', owner.email, PASSWORD)).status).toBe(429)
    expect((await logInFrom('203.0.113.5', owner.email, PASSWORD)).status).toBe(200)
    // One /64 of IPv6 is one address.
    for (let count = 0; count < PER_PLACE; count += 1) {
      await logInFrom(`2001:db8:1:2::${count.toString(16)}`, owner.email, 'wrong-password')
    }
    expect((await logInFrom('2001:db8:1:2:ffff::1', owner.email, PASSWORD)).status).toBe(429)
    expect((await logInFrom('2001:db8:1:3::1', owner.email, PASSWORD)).status).toBe(200)
  })

  it('from very many addresses slow those that the account does not know, and let in those that it knows', async () => {
    await logInFrom('203.0.113.5', owner.email, PASSWORD)
    test.clock.advance(LIMITS.LOGIN_WINDOW_SECONDS * 1000)
    let guesses = 0
    for (let host = 1; guesses < EVERYWHERE; host += 1) {
      for (let count = 0; count < PER_PLACE; count += 1, guesses += 1) {
        expect((await logInFrom(`198.51.100.${host}`, owner.email, 'wrong-password')).status).toBe(400)
      }
    }
    work.hashes = 0
    const slowed = []
    for (let host = 1; host <= 20; host += 1) {
      slowed.push(await logInFrom(`192.0.2.${host + 100}`, owner.email, 'wrong-password'))
    }
    expect(slowed.map(({ status }) => status)).toEqual([400, ...Array.from({ length: 19 }, () => 429)])
    expect(work.hashes).toBe(1)
    expect(Number(slowed[1]?.headers.get('retry-after'))).toBe(LIMITS.LOGIN_SLOWED_SECONDS)
    // By its open session, and after that by memory of having signed in.
    expect((await logInFrom('203.0.113.5', owner.email, PASSWORD)).status).toBe(200)
    await owner.call('DELETE', '/users/me/sessions/')
    expect((await logInFrom('203.0.113.5', owner.email, PASSWORD)).status).toBe(200)
    // A new address waits seconds and is not shut out.
    test.clock.advance(LIMITS.LOGIN_SLOWED_SECONDS * 1000)
    expect((await logInFrom('203.0.113.77', owner.email, PASSWORD)).status).toBe(200)
  })

  it('for accounts that do not exist are slowed in the same way', async () => {
    let guesses = 0
    for (let host = 1; guesses < EVERYWHERE; host += 1) {
      for (let count = 0; count < PER_PLACE; count += 1, guesses += 1) {
        await logInFrom(`198.51.100.${host}`, 'nobody@acme.example', 'wrong-password')
      }
    }
    const statuses = []
    for (const address of ['203.0.113.1', '203.0.113.2']) {
      statuses.push((await logInFrom(address, 'nobody@acme.example', 'wrong-password')).status)
    }
    expect(statuses).toEqual([400, 429])
  })
})

describe('a session', () => {
  const sessionsOf = async (who: Visitor) => listOf(await who.call('GET', '/users/me/sessions/'))

  it('is listed with where it is, ended alone by its own person, and nothing else ends', async () => {
    const second = test.visitor()
    await second.call('POST', '/auth/login/', { email: owner.email, password: PASSWORD }, { 'user-agent': 'Phone/1' })
    const third = test.visitor()
    await third.call('POST', '/auth/login/', { email: owner.email, password: PASSWORD }, { 'user-agent': 'Laptop/1' })
    const listed = await sessionsOf(owner)
    expect(listed.map(({ isCurrent }) => isCurrent).filter(Boolean)).toEqual([true])
    const phone = listed.find(({ userAgent }) => userAgent === 'Phone/1')
    expect(phone).toMatchObject({ address: '192.0.2.1', lastSeen: expect.any(String) as unknown, isCurrent: false })
    const path = `/users/me/sessions/${String(phone?.['id'])}/`

    const stranger = await test.owner('globex')
    expect((await stranger.call('DELETE', path)).status).toBe(404)
    for (const odd of ['%25', '0', '0123456789abcdef', String(phone?.['id']).slice(0, 8)]) {
      expect((await owner.call('DELETE', `/users/me/sessions/${odd}/`)).status).toBe(404)
    }
    expect((await second.call('GET', '/organizations/')).status).toBe(200)

    const ended = await owner.call('DELETE', path)
    expect([ended.status, ended.headers.get('set-cookie')]).toEqual([204, null])
    expect((await second.call('GET', '/organizations/')).status).toBe(401)
    expect((await third.call('GET', '/organizations/')).status).toBe(200)
    expect((await owner.call('DELETE', path)).status).toBe(404)
    expect((await sessionsOf(owner)).map(({ userAgent }) => userAgent)).not.toContain('Phone/1')
  })

  it('and the password are kept when too many people sign in at once, who are told to wait', async () => {
    const other = test.visitor()
    await other.call('POST', '/auth/login/', { email: owner.email, password: PASSWORD })
    work.isBusy = true
    const change = { currentPassword: PASSWORD, password: 'violet-harbour-7' }
    const reply = await owner.call('PUT', '/users/me/password/', change)
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
    work.isBusy = false
    expect((await other.call('GET', '/organizations/')).status).toBe(200)
    expect((await logInFrom('192.0.2.1', owner.email, PASSWORD)).status).toBe(200)
  })

  it('that ends itself by its id is signed out, cookie and all', async () => {
    const own = (await sessionsOf(owner)).find(({ isCurrent }) => isCurrent === true)
    const ended = await owner.call('DELETE', `/users/me/sessions/${String(own?.['id'])}/`)
    expect(ended.status).toBe(204)
    expect(ended.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await owner.call('GET', '/organizations/')).status).toBe(401)
  })

  it('gets its role anew with every request', async () => {
    const admin = await test.join(owner, 'acme', 'admin')
    expect((await admin.call('PUT', '/organizations/acme/', { name: 'A' })).status).toBe(200)
    await owner.call('PUT', `${MEMBERS}${admin.memberId}/`, { role: 'viewer' })
    expect((await admin.call('PUT', '/organizations/acme/', { name: 'B' })).status).toBe(403)
    expect((await admin.call('POST', TOKENS, { name: 'x', scopes: ['org:read'] })).status).toBe(403)
  })
})
