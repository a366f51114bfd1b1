import { describe, expect, it } from 'vitest'
import { normalised } from './digest-item.fixture.ts'

const noted = (payload: unknown): (string | undefined)[] => normalised(payload).errors.map(({ name }) => name)

describe('breadcrumbs', () => {
  it('check 56: a bare array with level "log" is info', () => {
    expect(normalised({ breadcrumbs: [{ message: 'm', level: 'log' }] }).breadcrumbs).toEqual({
      values: [{ type: 'default', level: 'info', message: 'm' }],
    })
  })

  it('sorts by time and keeps the order of equal times', () => {
    const event = normalised({
      breadcrumbs: {
        values: [
          { message: 'c', timestamp: 30 },
          { message: 'a', timestamp: 10 },
          { message: 'a2' },
          { message: 'b', timestamp: 20 },
          { message: 'b2', timestamp: 20 },
        ],
      },
    })
    expect(event.breadcrumbs?.values.map(({ message }) => message)).toEqual(['a', 'a2', 'b', 'b2', 'c'])
  })
})

describe('tags', () => {
  it('check 57: as object and as pairs; what breaks a rule goes and is noted', () => {
    const tags = {
      good: 1,
      yes: true,
      long: 'x'.repeat(201),
      'a key': 'v',
      'another key?': 'v',
      nested: { a: 1 },
      empty: '',
      none: null,
      lines: 'a\nb',
    }
    const event = normalised({ tags })
    expect(normalised({ tags: Object.entries(tags) }).tags).toEqual(event.tags)
    expect(event.tags).toEqual([
      ['a-key', 'v'],
      ['good', '1'],
      ['level', 'error'],
      ['yes', 'True'],
    ])
    expect(event.errors.map(({ name }) => name)).toEqual([
      'tags.long',
      'tags.another key?',
      'tags.nested',
      'tags.empty',
      'tags.lines',
    ])
  })

  it('keeps the first of equal keys, drops reserved ones and moves environment', () => {
    const event = normalised({
      tags: [
        ['a', '1'],
        ['a', '2'],
        ['release', 'r'],
        ['environment', 'staging'],
      ],
    })
    expect(event.environment).toBe('staging')
    expect(event.tags).toEqual([
      ['a', '1'],
      ['environment', 'staging'],
      ['level', 'error'],
    ])
  })

  it('derives the tags that Sentry derives, sorted by key', () => {
    const event = normalised({
      release: 'web@1',
      dist: '7',
      environment: 'production',
      logger: 'root',
      transaction: '/cart',
      server_name: 'web-1',
      user: { id: 42 },
      platform: 'javascript',
      request: {
        url: 'https://example.com/cart?a=1#top',
        headers: {
          'user-agent':
            'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Mobile/15E148 Safari/604.1',
        },
      },
      contexts: { runtime: { name: 'node', version: 'v24.0.0' } },
    })
    expect(Object.fromEntries(event.tags)).toEqual({
      browser: 'Mobile Safari 17.2',
      'browser.name': 'Mobile Safari',
      device: 'iPhone',
      'device.family': 'iPhone',
      dist: '7',
      environment: 'production',
      level: 'error',
      logger: 'root',
      os: 'iOS 17.2',
      'os.name': 'iOS',
      release: 'web@1',
      runtime: 'node v24.0.0',
      'runtime.name': 'node',
      server_name: 'web-1',
      transaction: '/cart',
      url: 'https://example.com/cart',
      user: 'id:42',
    })
    expect(event.tags.map(([key]) => key)).toEqual(event.tags.map(([key]) => key).toSorted())
  })
})

describe('user and address', () => {
  const addressOf = (payload: object): string | undefined => normalised(payload).user?.ip_address

  it('check 58: ids are texts, {{auto}} is the peer, "never" is none', () => {
    const event = normalised({ user: { id: 42, ip_address: '{{auto}}', plan: 'pro' } })
    expect(event.user).toEqual({ id: '42', ip_address: '203.0.113.9', data: { plan: 'pro' }, sentry_user: 'id:42' })
    expect(addressOf({ platform: 'javascript', sdk: { name: 's', settings: { infer_ip: 'never' } } })).toBeUndefined()
  })

  it('follows the order of inference', () => {
    const auto = { sdk: { name: 's', settings: { infer_ip: 'auto' } } }
    expect(addressOf({ ...auto, user: { ip_address: '198.51.100.7' } })).toBe('198.51.100.7')
    expect(addressOf({ ...auto, request: { env: { REMOTE_ADDR: '198.51.100.8' } } })).toBe('198.51.100.8')
    expect(addressOf(auto)).toBe('203.0.113.9')
    expect(addressOf({ platform: 'javascript' })).toBe('203.0.113.9')
    expect(addressOf({ platform: 'python' })).toBeUndefined()
    expect(addressOf({ user: { ip_address: '::ffff:10.0.0.1' } })).toBe('10.0.0.1')
    expect(noted({ user: { ip_address: '999.1.1.1' } })).toEqual(['user.ip_address'])
  })

  it('check 108: a 20-digit user id keeps its digits', () => {
    expect(normalised('{"user":{"id":12345678901234567890}}').user?.id).toBe('12345678901234567890')
  })
})

describe('request', () => {
  it('splits the URL, titles headers and reads cookies, query and body', () => {
    const event = normalised({
      request: {
        url: 'https://example.com/a?x=1&y=a%20b#frag',
        method: 'post',
        headers: [
          ['content-type', 'application/json; charset=utf-8'],
          ['X-LIST', ['a', 'b']],
          ['cookie', 'k=v; t=1'],
        ],
        data: '{"a":{"b":1}}',
      },
    })
    expect(event.request).toEqual({
      url: 'https://example.com/a',
      query_string: [
        ['x', '1'],
        ['y', 'a b'],
      ],
      fragment: 'frag',
      method: 'POST',
      headers: [
        ['Content-Type', 'application/json; charset=utf-8'],
        ['X-List', 'a,b'],
      ],
      cookies: [
        ['k', 'v'],
        ['t', '1'],
      ],
      data: { a: { b: 1 } },
      inferred_content_type: 'application/json',
    })
  })

  it('reads forms, objects as queries, and the raven-era name', () => {
    expect(normalised({ 'sentry.interfaces.Http': { data: 'a=1&a=2&b=x', query_string: { q: 1 } } }).request).toEqual({
      query_string: [['q', '1']],
      data: { a: ['1', '2'], b: 'x' },
      inferred_content_type: 'application/x-www-form-urlencoded',
    })
  })
})

describe('contexts', () => {
  it('fills types, drops empty ones and cleans texts', () => {
    expect(
      normalised({
        contexts: { os: { name: 'Debian', version: '12.11\n' }, cloud_resource: {}, x: 'text', my: { a: 1 } },
      }).contexts,
    ).toEqual({
      os: { name: 'Debian', version: '12.11', type: 'os' },
      my: { a: 1, type: 'my' },
    })
  })

  it('check 122: ids that are none go, upper case becomes lower', () => {
    const trace = (context: object) => normalised({ contexts: { trace: context } }).contexts['trace']
    expect(trace({ trace_id: '0'.repeat(32), span_id: 'ABCDEF0123456789' })).toEqual({
      span_id: 'abcdef0123456789',
      type: 'trace',
    })
    expect(trace({ trace_id: 'A'.repeat(32), span_id: 'b'.repeat(15) })).toEqual({
      trace_id: 'a'.repeat(32),
      type: 'trace',
    })
    expect(trace({ trace_id: 'a'.repeat(31), op: 'x' })).toEqual({ op: 'x', type: 'trace' })
  })

  it('links the replay named in the trace header', () => {
    const replayId = 'a'.repeat(32)
    const header = { trace: { replay_id: replayId } }
    expect(normalised({}, { header }).contexts['replay']).toEqual({ replay_id: replayId, type: 'replay' })
    expect(normalised({ tags: { replayId } }).contexts['replay']).toEqual({ replay_id: replayId, type: 'replay' })
  })

  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
      'Chrome',
      'Windows',
      undefined,
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/120.0.2210.91',
      'Edge',
      'Windows',
      undefined,
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:121.0) Gecko/20100101 Firefox/121.0', 'Firefox', 'macOS', 'Mac'],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.144 Mobile Safari/537.36',
      'Chrome Mobile',
      'Android',
      'Pixel 8',
    ],
    ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'IE', 'Windows', undefined],
    ['node', undefined, undefined, undefined],
  ])('reads the user agent %s', (userAgent, browser, os, device) => {
    const { contexts } = normalised({ request: { headers: { 'User-Agent': userAgent } } })
    expect([contexts['browser']?.['name'], contexts['os']?.['name'], contexts['device']?.['family']]).toEqual([
      browser,
      os,
      device,
    ])
  })

  it.each([
    ['Safari 17.4', 'Macintosh; Intel Mac OS X 10_15_7', 'Version/17.4 Safari/605.1.15'],
    ['Safari 17.4.1', 'Macintosh; Intel Mac OS X 10_15_7', 'Version/17.4.1 Safari/605.1.15'],
    ['Safari 26.0', 'X11; Linux x86_64', 'Version/26.0 Safari/605.1.15'],
    ['Mobile Safari 17.4', 'iPhone; CPU iPhone OS 17_4 like Mac OS X', 'Version/17.4 Mobile/15E148 Safari/604.1'],
    ['Mobile Safari 16.6', 'iPad; CPU OS 16_6 like Mac OS X', 'Version/16.6 Mobile/15E148 Safari/604.1'],
    ['Mobile Safari 26.1', 'iPhone; CPU iPhone OS 18_6 like Mac OS X', 'Version/26.1 Mobile/15E148 Safari/604.1'],
    [
      'Chrome Mobile iOS 122.0.6261',
      'iPhone; CPU iPhone OS 17_4 like Mac OS X',
      'CriOS/122.0.6261.89 Mobile/15E148 Safari/604.1',
    ],
    ['Firefox iOS 123.0', 'iPhone; CPU iPhone OS 17_4 like Mac OS X', 'FxiOS/123.0 Mobile/15E148 Safari/605.1.15'],
    [
      'Edge Mobile 122.0.2365',
      'iPhone; CPU iPhone OS 17_4 like Mac OS X',
      'Version/17.0 EdgiOS/122.0.2365.80 Mobile/15E148 Safari/605.1.15',
    ],
    // A view of the web in an app does not say it. The number of WebKit's build is none that people know.
    ['Mobile Safari', 'iPhone; CPU iPhone OS 17_4 like Mac OS X', 'Mobile/15E148'],
    ['Safari', 'Macintosh; Intel Mac OS X 10_15_7', 'Safari/605.1.15'],
  ])('on WebKit: %s', (expected, system, end) => {
    const userAgent = `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) ${end}`
    const { contexts } = normalised({ request: { headers: { 'User-Agent': userAgent } } })
    const { name, version } = contexts['browser'] ?? {}
    expect(
      [name, version]
        .filter((part) => part !== undefined)
        .map(String)
        .join(' '),
    ).toBe(expected)
  })

  it("keeps a server's own os apart from its visitor's", () => {
    const { contexts } = normalised({
      platform: 'node',
      contexts: { os: { name: 'Debian' } },
      request: {
        headers: { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120.0.0.0 Safari/537.36' },
      },
    })
    expect(contexts).toMatchObject({ os: { name: 'Debian' }, client_os: { name: 'Windows', version: '10' } })
  })
})
