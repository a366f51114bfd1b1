import { describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS, type ProjectSettings } from '../../accounts/settings.ts'
import type { NormalisedEvent } from '../event.ts'
import { normalised, tagOf } from '../normalise/digest-item.fixture.ts'
import { scrub } from './index.ts'

const settingsWith = (scrubbing: Partial<ProjectSettings['scrubbing']>): ProjectSettings => ({
  ...DEFAULT_PROJECT_SETTINGS,
  scrubbing: { ...DEFAULT_PROJECT_SETTINGS.scrubbing, ...scrubbing },
})

const scrubbed = (payload: unknown, scrubbing: Partial<ProjectSettings['scrubbing']> = {}): NormalisedEvent =>
  scrub(normalised(payload), settingsWith(scrubbing))

const valueOf = (value: unknown): unknown => scrubbed({ extra: { x: value } }).extra?.['x']
const textOf = (message: string): string | undefined => scrubbed({ message }).logentry?.formatted

describe('default rules', () => {
  it('check 90: keys, values, cookies, headers and card numbers', () => {
    const event = scrubbed({
      message: 'card 4111 1111 1111 1111 was refused',
      extra: { password: 'hunter2', x: 'token=abc', nested: { list: [{ api_key: { a: 1 } }] }, fine: 'hello' },
      request: {
        url: 'https://example.com/login?token=abc&page=2',
        cookies: 'sessionid=abc; theme=dark; connect.sid=s%3Aabc',
        headers: {
          Authorization: 'Basic abc',
          'X-Api-Key': 'abc',
          Accept: '*/*',
          Referer: 'https://x.example/?secret=1&a=2',
        },
        data: { user: { passwd: 'x', name: 'jo' } },
      },
    })
    expect(event.logentry?.formatted).toBe('card [creditcard] was refused')
    expect(event.extra).toEqual({
      password: '[Filtered]',
      x: '[Filtered]',
      nested: { list: [{ api_key: '[Filtered]' }] },
      fine: 'hello',
    })
    expect(event.request).toMatchObject({
      url: 'https://example.com/login',
      query_string: [
        ['token', '[Filtered]'],
        ['page', '2'],
      ],
      cookies: [
        ['sessionid', '[Filtered]'],
        ['theme', 'dark'],
        ['connect.sid', '[Filtered]'],
      ],
      headers: [
        ['Authorization', '[Filtered]'],
        ['X-Api-Key', '[Filtered]'],
        ['Accept', '*/*'],
        ['Referer', 'https://x.example/?secret=[Filtered]&a=2'],
      ],
      data: { user: { passwd: '[Filtered]', name: 'jo' } },
    })
  })

  it('check 91: paths and functions of frames stay', () => {
    const frame = {
      filename: 'src/auth/token.js',
      abs_path: '/Users/jo/src/auth/token.js',
      function: 'getPassword',
      vars: { secret: 'x', n: 1 },
    }
    const event = scrubbed({ exception: [{ type: 'AuthError', value: 'bad', stacktrace: { frames: [frame] } }] })
    expect(event.exception?.values[0]?.type).toBe('AuthError')
    expect(event.exception?.values[0]?.stacktrace?.frames[0]).toEqual({
      ...frame,
      vars: { secret: '[Filtered]', n: 1 },
    })
  })

  it.each([
    'password',
    'PASSWORD_HASH',
    'client_secret',
    'passwd',
    'api-key',
    'apiKey',
    'x_auth',
    'author',
    'credentials',
    'mysql_pwd',
    'privateKey',
    'private-key',
    'csrfToken',
    'bearer',
    'otp',
    'two-factor',
    'two_factor',
  ])('the key %s is sensitive', (key) => {
    expect(scrubbed({ extra: { [key]: 'x' } }).extra).toEqual({ [key]: '[Filtered]' })
    expect(scrubbed({ extra: { [key]: 7 } }).extra).toEqual({ [key]: '[Filtered]' })
    expect(scrubbed({ tags: { [key]: 'x' } }).tags).toContainEqual([key, '[Filtered]'])
  })

  it.each(['otps', 'compass', 'passenger', 'cred', 'private', 'tok'])('the key %s is not', (key) => {
    expect(scrubbed({ extra: { [key]: 'x' } }).extra).toEqual({ [key]: 'x' })
  })

  it('leaves booleans, null, empty text and ids', () => {
    const extra = { authenticated: true, token: null, secret: '', trace_id: 'a'.repeat(32) }
    expect(scrubbed({ extra }).extra).toEqual({
      authenticated: true,
      token: null,
      secret: '',
      trace_id: 'a'.repeat(32),
    })
    expect(scrubbed({ user: { id: 'auth0|42' } })).toMatchObject({
      user: { id: 'auth0|42', sentry_user: 'id:auth0|42' },
    })
  })

  it.each([
    ['my secret is out', '[Filtered]'],
    ['Author of this', '[Filtered]'],
    ['a token of thanks', 'a token of thanks'],
    ['tokenX=1', '[Filtered]'],
    ['otp', '[Filtered]'],
    ['Bearer abcdef', '[Filtered]'],
    ['nothing here', 'nothing here'],
    ['pay 5500-0000-0000-0004 now', 'pay [Filtered] now'],
    ['378282246310005', '[Filtered]'],
    ['0.4111111111111111', '0.4111111111111111'],
    ['a4111111111111111b', 'a4111111111111111b'],
    ['id 1795213365668', 'id 1795213365668'],
    ['ssn 078-05-1120', 'ssn [Filtered]'],
    ['DE89 3704 0044 0532 0130 00', '[Filtered]'],
    ['GB29NWBK60161331926819', '[Filtered]'],
    ['C:\\Users\\jo\\x', 'C:\\Users\\[Filtered]\\x'],
    ['at /Users/jo/x', 'at /Users/[Filtered]/x'],
    ['postgres://jo:hunter2@db/x', 'postgres://jo:[Filtered]@db/x'],
    [
      'https://example.com/a?password=x&b=1#access_token=y',
      'https://example.com/a?password=[Filtered]&b=1#access_token=[Filtered]',
    ],
    ['https://example.com/authors/1', 'https://example.com/authors/1'],
    [
      'https://example.com/?next=https%3A%2F%2Fx.example%2F%3Ftoken%3Dabc',
      'https://example.com/?next=https://x.example/?token=[Filtered]',
    ],
    [4111111111111111, '[Filtered]'],
    [1795213365668, 1795213365668],
    [
      [
        ['password', 'x'],
        ['a', 'b'],
      ],
      [
        ['password', '[Filtered]'],
        ['a', 'b'],
      ],
    ],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', '[Filtered]'],
  ])('the value %j becomes %j', (value, expected) => {
    expect(valueOf(value)).toEqual(expected)
  })

  it.each([
    ['password is wrong', 'password is wrong'],
    ['Unexpected token < in JSON', 'Unexpected token < in JSON'],
    ['mail to jo@example.com failed', 'mail to [email] failed'],
    ['lodash@4.17.21 and @sentry/core', 'lodash@4.17.21 and @sentry/core'],
    ['sent Bearer abc.def-123', 'sent [Filtered]'],
    ['GET /x?token=abc&y=1 failed', 'GET /x?token=[Filtered]&y=1 failed'],
    ['connect to redis://u:p4ss@host:6379', 'connect to redis://u:[Filtered]@host:6379'],
    ['ENOENT: /Users/jo/app', 'ENOENT: /Users/[user]/app'],
    ['ssn 078-05-1120, iban DE89370400440532013000', 'ssn [us-ssn], iban [iban]'],
    ['-----BEGIN PRIVATE KEY-----\nabc', '[pemkey]'],
  ])('in a message, %j becomes %j', (message, expected) => {
    expect(textOf(message)).toBe(expected)
    expect(scrubbed({ exception: { type: 'E', value: message } }).exception?.values[0]?.value).toBe(expected)
  })

  it('scrubs URLs in breadcrumbs and contexts by their parameters', () => {
    const event = scrubbed({
      breadcrumbs: [
        { category: 'fetch', data: { url: '/api/auth?token=abc&x=1', method: 'GET' } },
        { category: 'navigation', data: { from: '/a?password=x', to: '/b#token=y' } },
        { message: 'the password was typed' },
      ],
      contexts: {
        trace: {
          trace_id: 'a'.repeat(32),
          data: { 'url.full': 'http://u:p@x/?secret=1', 'http.request.header.cookie': 'a=b; sessionid=c' },
        },
        credentials: { key: 'x' },
        response: { cookies: { sessionid: 'x', theme: 'dark' } },
      },
    })
    expect(event.breadcrumbs?.values.map(({ data, message }) => data ?? message)).toEqual([
      { url: '/api/auth?token=[Filtered]&x=1', method: 'GET' },
      { from: '/a?password=[Filtered]', to: '/b#token=[Filtered]' },
      '[Filtered]',
    ])
    expect(event.contexts).toMatchObject({
      trace: {
        trace_id: 'a'.repeat(32),
        data: {
          'url.full': 'http://u:[Filtered]@x/?secret=[Filtered]',
          'http.request.header.cookie': 'a=b; sessionid=[Filtered]',
        },
      },
      credentials: { key: '[Filtered]', type: 'credentials' },
      response: { cookies: { sessionid: '[Filtered]', theme: 'dark' } },
    })
  })

  it('leaves sdk, debug_meta and the User-Agent alone', () => {
    const sdk = { name: 'sentry.auth', version: '1', integrations: ['AuthToken'] }
    const images = [{ type: 'sourcemap', code_file: '/auth/secret.js', debug_id: 'x' }]
    const event = scrubbed(
      { sdk, debug_meta: { images }, request: { headers: { 'User-Agent': 'authbot secret 1.2.3.4' } } },
      { ipAddresses: true },
    )
    expect(event.sdk).toEqual(sdk)
    expect(event.debug_meta).toEqual({ images })
    expect(event.request?.headers).toEqual([['User-Agent', 'authbot secret 1.2.3.4']])
  })

  it('derived tags follow what was scrubbed', () => {
    const event = scrubbed({
      user: { email: 'secret@example.com' },
      request: { url: 'https://u:p@example.com/x' },
      release: 'auth@1',
    })
    expect(tagOf(event, 'user')).toBe('email:[Filtered]')
    expect(tagOf(event, 'url')).toBe('https://u:[Filtered]@example.com/x')
    expect(tagOf(event, 'release')).toBe('auth@1')
  })

  it('notes do not keep what they quote', () => {
    const event = scrubbed({ tags: { 'my password': 'hunter2' }, user: { ip_address: 'token=open-sesame' } })
    expect(JSON.stringify(event)).not.toMatch(/hunter2|sesame/)
  })
})

describe('settings', () => {
  it('does nothing when switched off', () => {
    const payload = { extra: { password: 'x' }, message: 'a@b.co' }
    expect(scrubbed(payload, { enabled: false })).toEqual(normalised(payload))
    expect(scrubbed(payload, { defaults: false })).toEqual(normalised(payload))
  })

  it("adds the project's words, to keys and values", () => {
    const event = scrubbed(
      { extra: { Salary_2026: 5, note: 'the salary is high', 'a.b': 'x', axb: 'y' } },
      { defaults: false, sensitiveFields: ['salary', 'a.b'] },
    )
    expect(event.extra).toEqual({ Salary_2026: '[Filtered]', note: '[Filtered]', 'a.b': '[Filtered]', axb: 'y' })
  })

  it('safe fields win over everything, with what is below them', () => {
    const event = scrubbed(
      {
        extra: { Token: 'x', auth: { password: 'y' }, secret: 'z' },
        request: { cookies: 'sessionid=1', headers: { Authorization: 'a' } },
      },
      { safeFields: ['token', 'auth', 'sessionid', 'authorization'], sensitiveFields: ['token'] },
    )
    expect(event.extra).toEqual({ Token: 'x', auth: { password: 'y' }, secret: '[Filtered]' })
    expect(event.request).toMatchObject({ cookies: [['sessionid', '1']], headers: [['Authorization', 'a']] })
  })

  it('removes addresses', () => {
    const event = scrubbed(
      {
        user: { ip_address: '198.51.100.7' },
        message: 'from 10.0.0.1 and 2001:db8::1 at 12:30:45, version 1.2.3.4.5',
        request: { env: { REMOTE_ADDR: '198.51.100.7', PATH: 'x' }, headers: { 'X-Forwarded-For': '198.51.100.7' } },
        extra: { peer: '198.51.100.7:80' },
      },
      { ipAddresses: true },
    )
    expect(event.user).toBeUndefined()
    expect(tagOf(event, 'user')).toBeUndefined()
    expect(event.logentry?.formatted).toBe('from [ip] and [ip] at 12:30:45, version 1.2.3.4.5')
    expect(event.request).toEqual({ env: { PATH: 'x' }, headers: [['X-Forwarded-For', '[ip]']] })
    expect(event.extra).toEqual({ peer: '[ip]:80' })
  })
})
