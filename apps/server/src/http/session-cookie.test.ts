import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import { createTestApp, PASSWORD } from './test/app.ts'
import type { TestApp } from './test/app.ts'

/** Two people: Ann, who is at her browser, and Eve, who has an account of her own and plants cookies in Ann's browser. */
const ANN = 'owner@ann.example'
const EVE = 'owner@eve.example'
const GARBAGE = 'x'.repeat(43)

describe.each([
  { scheme: 'https', publicUrl: 'https://errors.example', name: '__Host-firsthand_session' },
  { scheme: 'http', publicUrl: 'http://errors.example', name: 'firsthand_session' },
])('the session cookie under $scheme', ({ publicUrl, name }) => {
  let test: TestApp
  let ann: Session
  let eve: Session

  interface Session {
    readonly cookie: string
    readonly csrf: string
  }

  const call = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    test.send(`/api/0${path}`, {
      method,
      headers: {
        host: 'errors.example',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const logIn = async (email: string, headers: Record<string, string> = {}): Promise<Session> => {
    const answer = await call('POST', '/auth/login/', headers, { email, password: PASSWORD })
    expect(answer.status).toBe(200)
    const [pair = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
    expect(pair.startsWith(`${name}=`)).toBe(true)
    return {
      cookie: pair.slice(name.length + 1),
      csrf: ((await answer.json()) as { csrfToken: string }).csrfToken,
    }
  }
  const whoIs = async (cookie: string, csrf?: string): Promise<string | null> => {
    const answer = await call('GET', '/auth/session/', {
      cookie,
      ...(csrf === undefined ? {} : { 'x-csrf-token': csrf }),
    })
    return ((await answer.json()) as { user: { email: string } | null }).user?.email ?? null
  }
  const rename = (cookie: string, csrf: string, more: Record<string, string> = {}) =>
    call('PUT', '/users/me/', { cookie, 'x-csrf-token': csrf, ...more }, { name: 'Ann' })

  beforeAll(async () => {
    test = await createTestApp({ publicUrl })
    await test.owner('ann')
    await test.owner('eve')
    ann = await logIn(ANN)
    eve = await logIn(EVE)
  })
  afterAll(() => test.close())

  it('is not hidden by a planted one that is no session, wherever it stands', async () => {
    const planted = Array.from({ length: LIMITS.SESSION_COOKIES_TRIED - 1 }, (_, index) => `${name}=${GARBAGE}${index}`)
    for (const cookie of [
      `${name}=${GARBAGE}; ${name}=${ann.cookie}`,
      `${name}=${ann.cookie}; ${name}=${GARBAGE}`,
      `${name}=; ${name}=${'x'.repeat(5000)}; ${name} = ${ann.cookie}`,
      `a=b=c; ${name}; =; ;${name}=${ann.cookie};${name}`,
      [...planted, `${name}=${ann.cookie}`].join('; '),
    ]) {
      expect(await whoIs(cookie), cookie).toBe(ANN)
      expect((await rename(cookie, ann.csrf)).status).toBe(200)
    }
    // However many there are, a page that knows its session is not hindered.
    const many = Array.from({ length: 150 }, (_, index) => `${name}=${GARBAGE}${index}`)
    expect(await whoIs([...many, `${name}=${ann.cookie}`].join('; '), ann.csrf)).toBe(ANN)
  })

  it('of somebody else, planted beside it, never makes Ann work in Eve’s account', async () => {
    for (const cookie of [
      `${name}=${eve.cookie}; ${name}=${ann.cookie}`,
      `${name}=${ann.cookie}; ${name}=${eve.cookie}`,
    ]) {
      // Nobody knows which one is Ann's, so nobody is signed in …
      expect(await whoIs(cookie)).toBeNull()
      expect((await call('GET', '/organizations/', { cookie })).status).toBe(401)
      // … but whoever logged in on the page.
      expect(await whoIs(cookie, ann.csrf)).toBe(ANN)
      const renamed = await rename(cookie, ann.csrf)
      expect([renamed.status, ((await renamed.json()) as { email: string }).email]).toEqual([200, ANN])
      expect((await rename(cookie, 'x')).status).toBe(401)
    }
    const again = await logIn(ANN, { cookie: `${name}=${eve.cookie}` })
    expect(await whoIs(`${name}=${eve.cookie}; ${name}=${again.cookie}`, again.csrf)).toBe(ANN)
  })

  it('counts twice for the same person: two visits are no attack', async () => {
    const other = await logIn(ANN)
    const cookie = `${name}=${other.cookie}; ${name}=${ann.cookie}`
    expect(await whoIs(cookie)).toBe(ANN)
    expect((await rename(cookie, ann.csrf)).status).toBe(200)
    expect((await rename(cookie, other.csrf)).status).toBe(200)
    expect((await rename(cookie, eve.csrf)).status).toBe(403)
  })

  it('has only the name of its scheme', async () => {
    const others = ['firsthand_session', '__Host-firsthand_session', '__Secure-firsthand_session', name.toUpperCase()]
    for (const other of others.filter((candidate) => candidate !== name)) {
      expect(await whoIs(`${other}=${eve.cookie}`), other).toBeNull()
      expect(await whoIs(`${other}=${eve.cookie}; ${name}=${ann.cookie}`), other).toBe(ANN)
    }
  })

  it('is kept and forgotten with the attributes that its name demands', async () => {
    const session = await logIn(ANN)
    const seen = await call('GET', '/auth/session/', { cookie: `${name}=${session.cookie}` })
    const out = await call('POST', '/auth/logout/', {
      cookie: `${name}=${session.cookie}`,
      'x-csrf-token': session.csrf,
    })
    expect(out.status).toBe(204)
    const set = [...seen.headers.getSetCookie(), ...out.headers.getSetCookie()]
    expect(set.length).toBeGreaterThanOrEqual(2)
    for (const line of set) {
      const attributes = line.split('; ').slice(1)
      expect(attributes).toContain('Path=/')
      expect(attributes).toContain('HttpOnly')
      expect(attributes).toContain('SameSite=Lax')
      expect(attributes.includes('Secure')).toBe(publicUrl.startsWith('https:'))
      expect(line).not.toMatch(/domain/i)
    }
    expect(out.headers.getSetCookie()).toContainEqual(expect.stringMatching(new RegExp(`^${name}=; .*Max-Age=0`)))
    expect(await whoIs(`${name}=${session.cookie}`)).toBeNull()
  })

  it('cannot be had for a visitor by another site or another sub-domain that sends a log-in', async () => {
    const credentials = { email: EVE, password: PASSWORD }
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://blog.errors.example' },
      { origin: 'null' },
    ]) {
      const answer = await call('POST', '/auth/login/', headers, credentials)
      expect(answer.status).toBe(403)
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect((await rename(`${name}=${ann.cookie}`, ann.csrf, headers)).status).toBe(403)
    }
    // A form can send no JSON.
    const form = await test.send('/api/0/auth/login/', {
      method: 'POST',
      headers: { host: 'errors.example', 'content-type': 'text/plain' },
      body: JSON.stringify(credentials),
    })
    expect(form.status).toBe(415)
    for (const site of ['same-origin', 'none']) {
      expect((await call('POST', '/auth/login/', { 'sec-fetch-site': site }, credentials)).status).toBe(200)
    }
  })
})
