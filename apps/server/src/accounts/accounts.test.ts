import { createClient, ENDPOINTS } from '@firsthand/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, PASSWORD, SETUP_TOKEN } from '../http/test/app.ts'
import type { TestApp, Visitor } from '../http/test/app.ts'
import { LIMITS } from './limits.ts'
import { createAccountRoutes } from './accounts.routes.ts'

const DAY_MS = 86_400_000

let test: TestApp

beforeEach(async () => {
  test = await createTestApp({ options: { checkAnswers: true } })
})

afterEach(() => test.close())

const at = (reply: { body: unknown }, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], reply.body)

describe('set-up', () => {
  const first = {
    setupToken: SETUP_TOKEN,
    email: 'Ada@Example.com',
    name: 'Ada',
    password: PASSWORD,
    organizationName: 'Ada’s Engines',
    projectName: 'Web',
    platform: 'javascript-react',
  }

  it('makes owner, organisation, project and key, signs in, and happens once', async () => {
    const browser = test.visitor()
    expect((await browser.call('GET', '/setup/')).body).toEqual({ needed: true })
    expect(at(await browser.call('GET', '/auth/session/'), 'setupNeeded')).toBe(true)
    const made = await browser.call('POST', '/setup/', first)
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ organization: 'ada-s-engines', project: 'web', projectId: '1' })
    expect(at(made, 'dsn')).toMatch(/^http:\/\/[0-9a-f]{32}@localhost\/1$/)

    const session = await browser.call('GET', '/auth/session/')
    expect(session.body).toMatchObject({
      user: { email: 'ada@example.com', name: 'Ada' },
      // Where Firsthand reports to itself is made with the first organisation, and stands last.
      organizations: [
        { slug: 'ada-s-engines', role: 'owner' },
        { slug: 'firsthand-internal', role: 'owner' },
      ],
      setupNeeded: false,
    })
    expect((await browser.call('GET', '/projects/ada-s-engines/web/')).body).toMatchObject({
      platform: 'javascript-react',
      firstEvent: null,
    })
    const again = await test.visitor().call('POST', '/setup/', { ...first, email: 'eve@example.com' })
    expect(again.status).toBe(409)
  })

  it('succeeds for one of two who try at the same moment', async () => {
    const attempts = ['a', 'b', 'c'].map((name) =>
      test.visitor().call('POST', '/setup/', { ...first, email: `${name}@example.com` }),
    )
    expect((await Promise.all(attempts)).map(({ status }) => String(status)).toSorted()).toEqual(['201', '409', '409'])
  })

  it('belongs to whoever runs the server: nobody else has the token that it printed', async () => {
    const { setupToken: _, ...without } = first
    for (const [body, says] of [
      [without, /takes the set-up token.*firsthand setup-link/],
      [{ ...first, setupToken: '' }, /takes the set-up token/],
      [{ ...first, setupToken: 'a-guess' }, /not the set-up token.*firsthand setup-link/],
      [{ ...first, setupToken: `${SETUP_TOKEN}x` }, /not the set-up token/],
      [{ ...first, setupToken: SETUP_TOKEN.slice(0, -1) }, /not the set-up token/],
    ] as const) {
      const reply = await test.visitor().call('POST', '/setup/', body)
      expect(reply.status).toBe(403)
      expect(reply.headers.get('set-cookie')).toBeNull()
      expect(reply.body.fields['setupToken']).toMatch(says)
    }
    expect((await test.visitor().call('GET', '/setup/')).body).toEqual({ needed: true })
    expect((await test.visitor().call('POST', '/setup/', first)).status).toBe(201)
  })

  it('slows down who guesses tokens, and never whoever has the right one', async () => {
    const guess = () => test.visitor().call('POST', '/setup/', { ...first, setupToken: 'a-guess' })
    for (let count = 0; count < LIMITS.SETUP_ATTEMPTS_PER_ADDRESS; count += 1) expect((await guess()).status).toBe(403)
    const refused = await guess()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(LIMITS.LOGIN_WINDOW_SECONDS)])
    test.clock.advance(LIMITS.LOGIN_WINDOW_SECONDS * 1000)
    expect((await guess()).status).toBe(403)
    for (let count = 0; count < LIMITS.SETUP_ATTEMPTS_PER_ADDRESS; count += 1) await guess()
    expect((await test.visitor().call('POST', '/setup/', first)).status).toBe(201)
  })

  it('ends with the first owner, whoever made it', async () => {
    await test.owner('acme')
    const late = await test.visitor().call('POST', '/setup/', first)
    expect([late.status, late.body.detail]).toEqual([409, expect.stringContaining('set up already')])
  })

  it('refuses bad passwords and says so at the field', async () => {
    const reply = await test.visitor().call('POST', '/setup/', { ...first, password: 'Password123' })
    expect([reply.status, Object.keys(reply.body.fields)]).toEqual([400, ['password']])
    expect(at(await test.visitor().call('GET', '/setup/'), 'needed')).toBe(true)
  })
})

describe('the command’s set-up', () => {
  const options = {
    email: 'ci@example.com',
    password: PASSWORD,
    organizationSlug: 'acme',
    projectSlug: 'shop',
    publicUrl: 'http://localhost:9000',
  }

  it('makes what is missing, any number of times, and prints a token that may do everything', async () => {
    const made = await test.accounts.setup.ensure(options)
    const again = await test.accounts.setup.ensure({ ...options, password: 'another-password-1' })
    if (!made.ok || !again.ok) throw new Error('refused')
    const { token, ...rest } = made.value
    expect(again.value).toMatchObject(rest)
    for (const bearer of [token, again.value.token]) {
      const reply = await test
        .visitor()
        .call('PUT', '/organizations/acme/', { name: 'Acme' }, { authorization: `Bearer ${bearer}` })
      expect(reply.status).toBe(200)
      expect((at(reply, 'access') as string[]).length).toBeGreaterThan(10)
    }
    expect(
      (await test.visitor().call('POST', '/auth/login/', { email: options.email, password: PASSWORD })).status,
    ).toBe(200)
    for (let round = 0; round < 15; round += 1) await test.accounts.setup.ensure(options)
    const organization = await test.accounts.store.organizationBySlug('acme')
    expect(await test.accounts.store.tokens(organization?.id ?? 0)).toHaveLength(10)
  })

  it('leaves alone the token that a script uses, however often it runs', async () => {
    const made = await test.accounts.setup.ensure(options)
    if (!made.ok) throw new Error('refused')
    const use = () =>
      test.visitor().call('GET', '/organizations/acme/', undefined, { authorization: `Bearer ${made.value.token}` })
    for (let day = 0; day < 15; day += 1) {
      test.clock.advance(DAY_MS)
      expect((await use()).status, `day ${day}`).toBe(200)
      await test.accounts.setup.ensure(options)
    }
    const organization = await test.accounts.store.organizationBySlug('acme')
    expect(await test.accounts.store.tokens(organization?.id ?? 0)).toHaveLength(10)
  })

  it('adopts a DSN with its key and project id, again and again', async () => {
    const adoptDsn = 'https://0123456789abcdef0123456789abcdef@o42.ingest.sentry.io/4507654321098765'
    for (let round = 0; round < 2; round += 1) {
      const made = await test.accounts.setup.ensure({ ...options, adoptDsn })
      expect(made).toMatchObject({
        ok: true,
        value: { projectId: 4_507_654_321_098_765, publicKey: '0123456789abcdef0123456789abcdef', project: 'shop' },
      })
    }
    expect(await test.accounts.lookup.byPublicKey('0123456789abcdef0123456789abcdef')).toMatchObject({
      projectId: 4_507_654_321_098_765,
      active: true,
    })
    const next = await test.accounts.setup.ensure({ ...options, projectSlug: 'other' })
    expect(next.ok && next.value.projectId).toBe(4_507_654_321_098_766)
  })

  it('adds a second key to a project whose id fits, and revives one that was switched off', async () => {
    await test.accounts.setup.ensure(options)
    const adoptDsn = 'https://abcdef@sentry.example.com/1'
    const made = await test.accounts.setup.ensure({ ...options, adoptDsn })
    expect(made).toMatchObject({ ok: true, value: { projectId: 1, publicKey: 'abcdef' } })
    const organization = await test.accounts.store.organizationBySlug('acme')
    const project = await test.accounts.store.project(organization?.id ?? 0, 'shop')
    if (project === null) throw new Error('no project')
    await test.accounts.projects.updateKey(project, 'abcdef', { active: false })
    expect((await test.accounts.lookup.byPublicKey('abcdef'))?.active).toBe(false)
    await test.accounts.setup.ensure({ ...options, adoptDsn })
    expect((await test.accounts.lookup.byPublicKey('abcdef'))?.active).toBe(true)
  })

  it('leaves nothing behind when it cannot do all, and says why', async () => {
    await test.accounts.setup.ensure(options)
    const attempts = [
      [{ ...options, adoptDsn: 'nonsense' }, 'is not a DSN'],
      // The next project would get an id that is no exact number any more.
      [{ ...options, adoptDsn: `https://abc@h/${Number.MAX_SAFE_INTEGER}` }, 'cannot be adopted'],
      [{ ...options, adoptDsn: 'https://abc@h/0' }, 'cannot be adopted'],
      [{ ...options, adoptDsn: 'https://abc@x.example/77' }, 'exists with the id 1'],
      [{ ...options, organizationSlug: 'new', projectSlug: 'new', adoptDsn: 'https://abc@x.example/1' }, 'in use'],
      [{ ...options, email: 'nobody' }, 'not an e-mail'],
      [{ ...options, email: 'b@example.com', password: 'short' }, 'at least 10'],
      [{ ...options, projectSlug: '123' }, 'cannot be the slug'],
      [{ ...options, organizationSlug: 'Not A Slug' }, 'cannot be the slug'],
    ] as const
    for (const [bad, reason] of attempts) {
      const result = await test.accounts.setup.ensure(bad)
      expect(result).toMatchObject({ ok: false, error: { detail: expect.stringContaining(reason) as unknown } })
    }
    expect(await test.accounts.store.organizationBySlug('new')).toBeNull()
    expect(await test.accounts.store.userByEmail('b@example.com')).toBeNull()
  })
})

describe('signing in', () => {
  it('sets a cookie that scripts and other sites cannot use, and stores only its hash', async () => {
    await test.owner()
    const login = { email: ' OWNER@acme.example ', password: PASSWORD }
    const send = (headers: Record<string, string>, remoteAddress?: string) =>
      test.send(
        '/api/0/auth/login/',
        { method: 'POST', body: JSON.stringify(login), headers: { 'content-type': 'application/json', ...headers } },
        remoteAddress,
      )
    const plain = await send({ host: 'localhost' })
    const cookie = plain.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^firsthand_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/)
    const secure = await send(
      { host: 'x', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'errors.example' },
      '10.0.0.2',
    )
    expect(secure.headers.get('set-cookie')).toMatch(
      /^__Host-firsthand_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600; Secure$/,
    )
    const value = cookie.split(';')[0]?.split('=')[1] ?? ''
    const rows = await test.ledger.db.selectFrom('sessions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(value)
    expect(rows.every((row) => /^[0-9a-f]{64}$/.test(row.id_hash))).toBe(true)
  })

  it('answers alike for a wrong password and for nobody', async () => {
    await test.owner()
    const wrong = await test
      .visitor()
      .call('POST', '/auth/login/', { email: 'owner@acme.example', password: 'wrong-password' })
    const nobody = await test
      .visitor()
      .call('POST', '/auth/login/', { email: 'nobody@acme.example', password: 'wrong-password' })
    expect([wrong.status, wrong.body]).toEqual([nobody.status, nobody.body])
    expect(wrong.status).toBe(400)
    expect(wrong.headers.get('set-cookie')).toBeNull()
  })

  it('is throttled per account, with the time to wait, and works again later', async () => {
    await test.owner()
    const attempt = (password: string) =>
      test.visitor().call('POST', '/auth/login/', { email: 'owner@acme.example', password })
    for (let count = 0; count < LIMITS.LOGIN_ATTEMPTS_PER_ACCOUNT; count += 1) {
      expect((await attempt('wrong-password')).status).toBe(400)
    }
    const refused = await attempt(PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBe(LIMITS.LOGIN_WINDOW_SECONDS)
    test.clock.advance(LIMITS.LOGIN_WINDOW_SECONDS * 1000)
    expect((await attempt(PASSWORD)).status).toBe(200)
  })

  it('is throttled per address, however many accounts are tried', async () => {
    const attempt = (email: string) =>
      test.visitor().call('POST', '/auth/login/', { email, password: 'wrong-password' })
    const statuses = new Set<number>()
    for (let count = 0; count < LIMITS.LOGIN_ATTEMPTS_PER_ADDRESS; count += 1) {
      statuses.add((await attempt(`${count}@x.example`)).status)
    }
    expect([...statuses]).toEqual([400])
    expect((await attempt('one-more@x.example')).status).toBe(429)
  })

  it('lasts a fortnight after the last visit, and ends with signing out', async () => {
    const owner = await test.owner()
    for (let visit = 0; visit < 4; visit += 1) {
      test.clock.advance((LIMITS.SESSION_DAYS - 1) * DAY_MS)
      expect((await owner.call('GET', '/organizations/acme/')).status).toBe(200)
    }
    test.clock.advance(LIMITS.SESSION_DAYS * DAY_MS)
    expect((await owner.call('GET', '/organizations/acme/')).status).toBe(401)
    expect(at(await owner.call('GET', '/auth/session/'), 'user')).toBeNull()
    expect(await test.accounts.removeExpiredSessions()).toBe(1)

    const browser = test.visitor()
    await browser.call('POST', '/auth/login/', { email: owner.email, password: PASSWORD })
    const { cookie } = browser
    const out = await browser.call('POST', '/auth/logout/')
    expect(out.status).toBe(204)
    expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
    browser.cookie = cookie
    expect((await browser.call('GET', '/organizations/')).status).toBe(401)
  })
})

describe('one’s own account', () => {
  it('keeps each of several preferences that are changed at once', async () => {
    const owner = await test.owner()
    const changes = [{ theme: 'dark' }, { clock24Hours: false }, { timezone: 'Asia/Tokyo' }, { feedbackButton: true }]
    await Promise.all(changes.map((options) => owner.call('PUT', '/users/me/', { options })))
    expect((await owner.call('GET', '/auth/session/')).body).toMatchObject({
      user: { options: Object.assign({}, ...changes) as object },
    })
  })

  it('changes name, preferences and, with the password, the e-mail', async () => {
    const owner = await test.owner()
    const changed = await owner.call('PUT', '/users/me/', { name: 'Olga', options: { theme: 'dark' } })
    expect(changed.body).toMatchObject({ name: 'Olga', options: { theme: 'dark', clock24Hours: true } })
    const second = await owner.call('PUT', '/users/me/', { options: { timezone: 'Europe/Berlin' } })
    expect(second.body).toMatchObject({ options: { theme: 'dark', timezone: 'Europe/Berlin' } })
    expect((await owner.call('PUT', '/users/me/', { options: { timezone: 'Mars/Olympus' } })).status).toBe(400)
    const refused = await owner.call('PUT', '/users/me/', { email: 'olga@acme.example' })
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ['currentPassword']])
    const email = { email: 'olga@acme.example', currentPassword: PASSWORD }
    expect((await owner.call('PUT', '/users/me/', email)).body).toMatchObject({ email: 'olga@acme.example' })
    await test.owner('globex')
    const taken = await owner.call('PUT', '/users/me/', { email: 'owner@globex.example', currentPassword: PASSWORD })
    expect([taken.status, Object.keys(taken.body.fields)]).toEqual([400, ['email']])
    const invited = await owner.call('POST', '/organizations/acme/members/', { email: owner.email })
    expect(invited.status).toBe(201)
    const back = { email: owner.email, currentPassword: PASSWORD }
    // The invitation is somebody's who may be another person: it is withdrawn first.
    expect((await owner.call('PUT', '/users/me/', back)).status).toBe(400)
    await owner.call('DELETE', `/organizations/acme/members/${String(at(invited, 'id'))}/`)
    expect((await owner.call('PUT', '/users/me/', back)).body).toMatchObject({ email: owner.email })
    const members = await owner.call('GET', '/organizations/acme/members/')
    expect((members.body as unknown as { email: string }[]).map(({ email }) => email)).toEqual([owner.email])
  })

  it('changes the password, which ends all other sessions', async () => {
    const owner = await test.owner()
    const other = test.visitor()
    await other.call('POST', '/auth/login/', { email: owner.email, password: PASSWORD })
    expect(((await owner.call('GET', '/users/me/sessions/')).body as unknown as object[]).length).toBe(2)
    const wrong = await owner.call('PUT', '/users/me/password/', { currentPassword: 'x', password: 'violet-harbour-7' })
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ['currentPassword']])
    const weak = await owner.call('PUT', '/users/me/password/', { currentPassword: PASSWORD, password: 'short' })
    expect([weak.status, Object.keys(weak.body.fields)]).toEqual([400, ['password']])
    const done = await owner.call('PUT', '/users/me/password/', {
      currentPassword: PASSWORD,
      password: 'violet-harbour-7',
    })
    expect(done.status).toBe(204)
    expect((await owner.call('GET', '/organizations/')).status).toBe(200)
    expect((await other.call('GET', '/organizations/')).status).toBe(401)
    const login = { email: owner.email, password: 'violet-harbour-7' }
    expect((await test.visitor().call('POST', '/auth/login/', login)).status).toBe(200)
  })

  it('changes the password, which leaves the person’s own tokens, unless they are to go with it', async () => {
    const owner = await test.owner()
    const somebody = await test.join(owner, 'acme', 'member')
    const tokenOf = async (visitor: Visitor): Promise<Record<string, string>> => {
      const made = await visitor.call('POST', '/users/me/api-tokens/', { name: 'cli', scopes: ['org:read'] })
      return { authorization: `Bearer ${(made.body as unknown as { token: string }).token}` }
    }
    const [first, second, others] = [await tokenOf(owner), await tokenOf(owner), await tokenOf(somebody)]
    const ask = async (headers: Record<string, string>) =>
      (await test.visitor().call('GET', '/organizations/', undefined, headers)).status
    const change = (currentPassword: string, password: string, more = {}) =>
      owner.call('PUT', '/users/me/password/', { currentPassword, password, ...more })
    expect((await change(PASSWORD, 'violet-harbour-7')).status).toBe(204)
    expect([await ask(first), await ask(second)]).toEqual([200, 200])
    expect((await change('wrong', 'amber-meadow-19', { revokeTokens: true })).status).toBe(400)
    expect(await ask(first)).toBe(200)
    expect((await change('violet-harbour-7', 'amber-meadow-19', { revokeTokens: true })).status).toBe(204)
    expect([await ask(first), await ask(second), await ask(others)]).toEqual([401, 401, 200])
    expect((await owner.call('GET', '/users/me/api-tokens/')).body).toEqual([])
  })
})

describe('members', () => {
  let owner: Visitor

  beforeEach(async () => {
    owner = await test.owner()
  })

  it('are invited by a link that works once, for a week, and asks an existing account for its password', async () => {
    const invited = await owner.call('POST', '/organizations/acme/members/', {
      email: 'New@acme.example',
      role: 'member',
    })
    expect(invited.body).toMatchObject({ email: 'new@acme.example', pending: true, expired: false, user: null })
    const token = String(at(invited, 'inviteLink')).split('/').at(-1) ?? ''
    expect((await test.visitor().call('GET', `/accept-invite/${token}/`)).body).toMatchObject({
      organization: { slug: 'acme' },
      email: 'new@acme.example',
    })
    const weak = await test.visitor().call('POST', `/accept-invite/${token}/`, { password: 'short' })
    expect(Object.keys(weak.body.fields)).toEqual(['password'])
    const browser = test.visitor()
    const accepted = await browser.call('POST', `/accept-invite/${token}/`, { name: 'New', password: PASSWORD })
    expect(accepted.body).toMatchObject({ organizations: [{ slug: 'acme', role: 'member' }] })
    expect((await test.visitor().call('POST', `/accept-invite/${token}/`, { password: PASSWORD })).status).toBe(404)

    const globex = await test.owner('globex')
    const second = await globex.call('POST', '/organizations/globex/members/', {
      email: 'new@acme.example',
      role: 'admin',
    })
    const secondToken = String(at(second, 'inviteLink')).split('/').at(-1) ?? ''
    const wrong = await test.visitor().call('POST', `/accept-invite/${secondToken}/`, { password: 'not-the-password' })
    expect(wrong.status).toBe(400)
    const both = await test.visitor().call('POST', `/accept-invite/${secondToken}/`, { password: PASSWORD })
    expect((at(both, 'organizations') as { slug: string }[]).map(({ slug }) => slug)).toEqual(['acme', 'globex'])

    const late = await owner.call('POST', '/organizations/acme/members/', { email: 'late@acme.example' })
    const lateToken = String(at(late, 'inviteLink')).split('/').at(-1) ?? ''
    test.clock.advance(LIMITS.INVITATION_DAYS * DAY_MS)
    expect((await test.visitor().call('GET', `/accept-invite/${lateToken}/`)).status).toBe(404)
    const renewed = await owner.call('POST', `/organizations/acme/members/${String(at(late, 'id'))}/invite/`)
    const renewedToken = String(at(renewed, 'inviteLink')).split('/').at(-1) ?? ''
    expect((await test.visitor().call('GET', `/accept-invite/${renewedToken}/`)).status).toBe(200)
  })

  it('accept with the password they have, whatever name they type, alike with and without an account', async () => {
    const inviteFrom = async (visitor: Visitor, organization: string, email: string): Promise<string> => {
      const invited = await visitor.call('POST', `/organizations/${organization}/members/`, { email })
      return String(at(invited, 'inviteLink')).split('/').at(-1) ?? ''
    }
    const person = { name: PASSWORD, password: PASSWORD }
    const first = await inviteFrom(owner, 'acme', 'new@acme.example')
    const made = await test.visitor().call('POST', `/accept-invite/${first}/`, person)
    const second = await inviteFrom(await test.owner('globex'), 'globex', 'new@acme.example')
    const confirmed = await test.visitor().call('POST', `/accept-invite/${second}/`, person)
    expect(made.status).toBe(200)
    expect(confirmed.status).toBe(made.status)
    const third = await inviteFrom(owner, 'acme', 'another@acme.example')
    const weak = await test.visitor().call('POST', `/accept-invite/${third}/`, { password: 'Another@acme.example' })
    expect(Object.keys(weak.body.fields)).toEqual(['password'])
  })

  it('cannot be raised above the role of whoever does it, and the last owner stays', async () => {
    const admin = await test.join(owner, 'acme', 'admin')
    const member = await test.join(owner, 'acme', 'member')
    const list = (await owner.call('GET', '/organizations/acme/members/')).body as unknown as {
      id: string
      role: string
    }[]
    const ownerId = list.find(({ role }) => role === 'owner')?.id ?? ''
    const attempts: [Visitor, string, string, unknown?][] = [
      [admin, 'POST', '/organizations/acme/members/', { email: 'x@acme.example', role: 'owner' }],
      [admin, 'PUT', `/organizations/acme/members/${member.memberId}/`, { role: 'owner' }],
      [admin, 'PUT', `/organizations/acme/members/${ownerId}/`, { role: 'viewer' }],
      [admin, 'DELETE', `/organizations/acme/members/${ownerId}/`],
      [member, 'PUT', `/organizations/acme/members/${member.memberId}/`, { role: 'admin' }],
    ]
    for (const [who, method, path, body] of attempts) expect((await who.call(method, path, body)).status).toBe(403)
    expect((await owner.call('PUT', `/organizations/acme/members/${ownerId}/`, { role: 'admin' })).status).toBe(409)
    expect((await owner.call('DELETE', `/organizations/acme/members/${ownerId}/`)).status).toBe(409)

    expect(
      (await admin.call('PUT', `/organizations/acme/members/${member.memberId}/`, { role: 'viewer' })).body,
    ).toMatchObject({
      role: 'viewer',
    })
    expect((await member.call('PUT', '/organizations/acme/issues/', { status: 'resolved' })).status).toBe(403)
    expect((await owner.call('DELETE', `/organizations/acme/members/${member.memberId}/`)).status).toBe(204)
    expect((await member.call('GET', '/organizations/acme/')).status).toBe(404)
    expect((await owner.call('PUT', `/organizations/acme/members/${admin.memberId}/`, { role: 'owner' })).status).toBe(
      200,
    )
    expect((await admin.call('PUT', `/organizations/acme/members/${ownerId}/`, { role: 'viewer' })).status).toBe(200)
  })

  it('are found by name and e-mail, page by page; wildcards mean themselves', async () => {
    for (const name of ['ada', 'adam', 'eve']) {
      await owner.call('POST', '/organizations/acme/members/', { email: `${name}@acme.example` })
    }
    const search = async (query: string) =>
      (
        (await owner.call('GET', `/organizations/acme/members/?query=${encodeURIComponent(query)}`))
          .body as unknown as object[]
      ).length
    expect([await search('ADA'), await search('%'), await search('_'), await search("'")]).toEqual([2, 0, 0, 0])
    const emails: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const reply = await owner.call('GET', `/organizations/acme/members/?limit=3&cursor=${cursor}`)
      emails.push(...(reply.body as unknown as { email: string }[]).map(({ email }) => email))
      cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(reply.headers.get('link') ?? '')?.[1] ?? null
    }
    expect(emails).toEqual(['owner@acme.example', 'ada@acme.example', 'adam@acme.example', 'eve@acme.example'])
    expect((await owner.call('GET', '/organizations/acme/members/?cursor=odd')).status).toBe(400)
  })
})

describe('teams and projects', () => {
  let owner: Visitor

  beforeEach(async () => {
    owner = await test.owner()
  })

  it('go together', async () => {
    const member = await test.join(owner, 'acme', 'member')
    expect((await owner.call('POST', '/organizations/acme/teams/', { name: 'Front End' })).body).toMatchObject({
      slug: 'front-end',
      memberCount: 0,
    })
    expect((await owner.call('POST', '/organizations/acme/teams/', { slug: 'front-end' })).status).toBe(409)
    const joined = await owner.call('POST', `/organizations/acme/members/${member.memberId}/teams/front-end/`)
    expect(joined.body).toMatchObject({ memberCount: 1, isMember: false })
    const made = await owner.call('POST', '/organizations/acme/projects/', {
      name: 'Shop',
      team: 'front-end',
      platform: 'node',
    })
    expect(made.body).toMatchObject({ slug: 'shop', platform: 'node', teams: [{ slug: 'front-end' }] })
    expect((await member.call('GET', '/teams/acme/front-end/')).body).toMatchObject({
      isMember: true,
      projects: [{ slug: 'shop' }],
    })
    expect((await owner.call('PUT', '/teams/acme/front-end/', { slug: 'fe', name: 'FE' })).body).toMatchObject({
      slug: 'fe',
    })
    expect((await owner.call('DELETE', '/projects/acme/shop/teams/fe/')).body).toMatchObject({ teams: [] })
    expect((await owner.call('POST', '/projects/acme/shop/teams/fe/')).body).toMatchObject({ teams: [{ slug: 'fe' }] })
    expect((await owner.call('GET', '/teams/acme/fe/members/')).body).toMatchObject([{ email: 'member@acme.example' }])
    const forTeam = await owner.call('POST', '/teams/acme/fe/projects/', { name: 'API' })
    expect(forTeam.body).toMatchObject({ slug: 'api', team: { slug: 'fe' } })
    expect((await owner.call('POST', '/teams/acme/none/projects/', { name: 'API' })).status).toBe(400)
    expect((await owner.call('DELETE', '/teams/acme/fe/')).status).toBe(204)
    expect((await owner.call('GET', '/projects/acme/shop/')).body).toMatchObject({ teams: [] })
  })

  it('projects of the same name get slugs of their own; settings change field by field and reach the door at once', async () => {
    const key = async (slug: string) =>
      String(((await owner.call('GET', `/projects/acme/${slug}/keys/`)).body as unknown as { id: string }[])[0]?.id)
    expect((await owner.call('POST', '/organizations/acme/projects/', { name: 'Web' })).body).toMatchObject({
      slug: 'web-2',
    })
    expect((await owner.call('POST', '/organizations/acme/projects/', { name: 'Web', slug: 'web' })).status).toBe(409)
    const publicKey = await key('web')
    expect((await test.accounts.lookup.byPublicKey(publicKey))?.settings.filters.localhost).toBe(false)
    const changed = await owner.call('PUT', '/projects/acme/web/', {
      name: 'Site',
      settings: { filters: { localhost: true }, allowedDomains: ['example.com'] },
    })
    expect(changed.body).toMatchObject({
      name: 'Site',
      settings: { filters: { localhost: true, webCrawlers: true }, allowedDomains: ['example.com'] },
    })
    const context = await test.accounts.lookup.byPublicKey(publicKey)
    expect(context?.settings.filters.localhost).toBe(true)
    expect((await test.accounts.lookup.byProjectId(context?.projectId ?? 0))?.settings.allowedDomains).toEqual([
      'example.com',
    ])
    expect((await owner.call('PUT', '/projects/acme/web/', { slug: '12345' })).status).toBe(400)
  })

  it('keys have DSNs, can be limited and switched off, and are gone with their project', async () => {
    const made = await owner.call('POST', '/projects/acme/web/keys/', {
      name: 'Mobile',
      rateLimit: { window: 60, count: 100 },
    })
    const id = String(at(made, 'id'))
    expect(made.body).toMatchObject({
      label: 'Mobile',
      isActive: true,
      rateLimit: { window: 60, count: 100 },
      dsn: {
        public: `http://${id}@localhost/1`,
        security: `http://localhost/api/1/security/?sentry_key=${id}`,
        minidump: `http://localhost/api/1/minidump/?sentry_key=${id}`,
      },
    })
    expect(await test.accounts.lookup.byPublicKey(id)).toMatchObject({
      rateLimit: { windowSeconds: 60, count: 100 },
      active: true,
    })
    await owner.call('PUT', `/projects/acme/web/keys/${id}/`, { isActive: false, rateLimit: null })
    expect(await test.accounts.lookup.byPublicKey(id)).toMatchObject({ rateLimit: null, active: false })
    const seen = await owner.call('GET', `/projects/acme/web/keys/${id}/`)
    expect(at(seen, 'dateLastUsed')).toBe(new Date(test.clock.now()).toISOString())
    expect((await owner.call('DELETE', `/projects/acme/web/keys/${id}/`)).status).toBe(204)
    expect(await test.accounts.lookup.byPublicKey(id)).toBeNull()

    const [rest] = (await owner.call('GET', '/projects/acme/web/keys/')).body as unknown as { id: string }[]
    expect((await owner.call('DELETE', '/projects/acme/web/')).status).toBe(204)
    expect(await test.accounts.lookup.byPublicKey(rest?.id ?? '')).toBeNull()
    expect(await test.accounts.lookup.byProjectId(1)).toBeNull()
    expect((await owner.call('GET', '/projects/acme/web/')).status).toBe(404)
    expect((await owner.call('POST', '/organizations/acme/projects/', { name: 'Web' })).body).toMatchObject({
      slug: 'web',
      id: '2',
    })
  })
})

describe('the organisation', () => {
  it('keeps events between 1 and 3650 days', async () => {
    const owner = await test.owner()
    for (const retentionDays of [0, 3651, 1.5]) {
      expect((await owner.call('PUT', '/organizations/acme/', { retentionDays })).status).toBe(400)
    }
    expect((await owner.call('PUT', '/organizations/acme/', { retentionDays: 30 })).body).toMatchObject({
      retentionDays: 30,
    })
    await test.owner('globex')
    expect((await owner.call('PUT', '/organizations/acme/', { slug: 'globex' })).status).toBe(409)
  })
})

describe('the organisation in which Firsthand watches itself', () => {
  it('keeps its slug, and nobody else takes it: every console reports there', async () => {
    const owner = await test.owner()
    const take = (slug: string) => owner.call('PUT', '/organizations/acme/', { slug })
    expect(await take('firsthand-internal')).toMatchObject({
      status: 409,
      body: { fields: { slug: expect.any(String) } },
    })
    expect((await take('acme-two')).status).toBe(200)

    await test.accounts.ownProject.ensure()
    const own = await owner.call('GET', '/own-reporting/')
    expect(own.body).toMatchObject({ dsn: expect.any(String) })
    expect((await owner.call('PUT', '/organizations/firsthand-internal/', { slug: 'free' })).status).toBe(409)
    const renamed = { slug: 'firsthand-internal', name: 'Our Firsthand' }
    expect((await owner.call('PUT', '/organizations/firsthand-internal/', renamed)).status).toBe(200)
    expect((await owner.call('GET', '/own-reporting/')).body).toEqual(own.body)
  })
})

describe('routes', () => {
  it('fit the client of the contract', async () => {
    const { token } = await test.owner()
    const client = createClient({
      baseUrl: '',
      fetch: (url, init) => test.send(url, init),
      headers: () => ({ authorization: `Bearer ${token}`, host: 'localhost' }),
    })
    const { listProjects } = await import('@firsthand/contract')
    const page = await client.page(listProjects, { params: { org: 'acme' } })
    expect(page.data.map(({ slug }) => slug)).toEqual(['web'])
    expect(page.next).toBeNull()
  })

  it('are bound once each', () => {
    const bound = createAccountRoutes({
      accounts: test.accounts,
      clock: test.clock,
      version: '1',
      ownTracesSampleRate: 1,
    }).map(({ endpoint }) => endpoint)
    expect(new Set(bound).size).toBe(bound.length)
    for (const endpoint of bound) expect(Object.values(ENDPOINTS)).toContain(endpoint)
  })
})
