import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS, type ProjectSettings } from '../../accounts/settings.ts'
import { filter } from '../filter/index.ts'
import { digestItem, SENDER } from '../normalise/digest-item.fixture.ts'
import { normalise } from '../normalise/index.ts'
import { scrub } from './index.ts'

/** The whole way from bytes to a scrubbed event, with everything switched on. */
const SETTINGS: ProjectSettings = {
  ...DEFAULT_PROJECT_SETTINGS,
  filters: {
    browserExtensions: true,
    localhost: true,
    webCrawlers: true,
    legacyBrowsers: true,
    releases: ['x*'],
    errorMessages: ['*y*'],
    ipAddresses: ['10.0.0.0/8'],
  },
  scrubbing: { enabled: true, defaults: true, ipAddresses: true, sensitiveFields: ['salary'], safeFields: ['ok'] },
}

const digest = (payload: unknown, type = 'event'): string | undefined => {
  const result = normalise({ item: digestItem(payload, { type }) }, SETTINGS)
  if (!result.ok) return undefined
  filter(result.value, SENDER, SETTINGS)
  return JSON.stringify(scrub(result.value, SETTINGS))
}

const FIELDS = [
  'event_id',
  'timestamp',
  'platform',
  'level',
  'logger',
  'transaction',
  'transaction_info',
  'culprit',
  'server_name',
  'release',
  'dist',
  'environment',
  'tags',
  'extra',
  'modules',
  'fingerprint',
  'message',
  'logentry',
  'exception',
  'stacktrace',
  'threads',
  'breadcrumbs',
  'user',
  'request',
  'contexts',
  'sdk',
  'debug_meta',
  'checksum',
  'type',
  'sentry.interfaces.Http',
  'sentry.interfaces.User',
  '__proto__',
  'constructor',
]
const INNER = [
  'values',
  'type',
  'value',
  'mechanism',
  'stacktrace',
  'frames',
  'vars',
  'lineno',
  'filename',
  'abs_path',
  'function',
  'pre_context',
  'data',
  'timestamp',
  'message',
  'formatted',
  'params',
  'id',
  'email',
  'ip_address',
  'url',
  'headers',
  'cookies',
  'query_string',
  'env',
  'method',
  'trace',
  'trace_id',
  'os',
  'name',
  'version',
  'replay',
  'flags',
  'images',
  'password',
  'token',
  '__proto__',
  'constructor',
  'toString',
  'User-Agent',
  'Cookie',
  'csp-report',
  'blocked-uri',
  'body',
]

const leaf = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(
    '{{auto}}',
    '2026-11-20T00:00:00Z',
    'a=b&password=c',
    '\ud800',
    '\0',
    'https://u:p@x/?token=a',
    '%E0%A4%A',
    '4111111111111111',
    '[Filtered]',
  ),
)
const { json } = fc.letrec<{ json: unknown; node: unknown }>((tie) => ({
  json: fc.oneof({ maxDepth: 5, depthSize: 'small' }, leaf, tie('node')),
  node: fc.oneof(
    fc.array(tie('json'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...INNER), fc.string({ maxLength: 10 })), tie('json'), { maxKeys: 6 }),
  ),
}))
const event = fc.dictionary(fc.constantFrom(...FIELDS), json, { maxKeys: 10 })

describe('hostile input', () => {
  it('property: any JSON in any field gives a bounded, serialisable event or a reason', () => {
    const check = (payload: unknown): boolean => {
      const text = JSON.stringify(payload)
      const result = digest(text)
      if (result === undefined) return true
      const parsed: { errors?: unknown; tags?: unknown } = JSON.parse(result)
      return (
        result.length < text.length * 4 + 20_000 &&
        result.isWellFormed() &&
        !/\\u0000|\\ud[89a-f]/.test(result) &&
        Array.isArray(parsed.errors) &&
        Array.isArray(parsed.tags)
      )
    }
    expect(() => fc.assert(fc.property(event, check), { numRuns: 1500 })).not.toThrow()
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('property: any JSON as a report gives an event or a reason', () => {
    const anything = fc.property(json, (payload) => void digest(JSON.stringify(payload), 'raw_security'))
    expect(() => fc.assert(anything, { numRuns: 300 })).not.toThrow()
    const names = [
      'blocked-uri',
      'blockedURL',
      'document-uri',
      'effective-directive',
      'violated-directive',
      'disposition',
    ]
    const report = fc.property(
      fc.dictionary(fc.constantFrom(...names), json),
      (payload) => digest({ 'csp-report': payload }, 'raw_security') !== undefined,
    )
    expect(() => fc.assert(report, { numRuns: 300 })).not.toThrow()
  })

  it('property: any bytes give an event or a reason', () => {
    const bytes = fc.property(fc.uint8Array({ maxLength: 200 }), (payload) => void digest(payload))
    expect(() => fc.assert(bytes, { numRuns: 500 })).not.toThrow()
  })

  it.each([
    ['letters', 'a'],
    ['digits', '1'],
    ['card prefixes', '4111 '],
    ['hyphens', '-'],
    ['keys', '-----BEGIN PRIVATE KEY-----'],
    ['tokens', 'token'],
    ['bearers', 'bearer '],
    ['schemes', 'a://'],
    ['schemes with colons', 'a://b:'],
    ['mail', 'a@'],
    ['mail domains', 'a@b.'],
    ['dots', 'a.'],
    ['paths', '/Users/'],
    ['addresses', '1.1.1.'],
    ['addresses of version 6', 'a:'],
    ['country codes', 'DE89 AAAA '],
    ['parameters', '&a='],
    ['percent signs', '%'],
    ['braces', '{'],
    ['spaces', ' '],
    ['slashes', 'a/1/'],
    ['hex and hyphens', 'a1-'],
  ])('check 112: 1 MB of %s in every text is done in linear time', (_name, unit) => {
    const bomb = unit.repeat(Math.ceil(1_000_000 / unit.length)) + '!'
    const part = bomb.slice(0, 100_000)
    const payload = {
      message: bomb,
      logentry: { message: part, params: { a: part } },
      exception: [
        { type: part, value: part, stacktrace: { frames: [{ function: part, filename: part, vars: { a: part } }] } },
      ],
      extra: { a: part, url: part, cookie: part, b: [part] },
      request: {
        url: part,
        query_string: part,
        cookies: part,
        data: part,
        headers: { Cookie: part, 'User-Agent': part, Referer: part },
      },
      breadcrumbs: [{ message: part, timestamp: part }],
      transaction: part,
      transaction_info: { source: 'url' },
      tags: { a: part.slice(0, 200) },
      user: { email: part, id: part, ip_address: part },
      release: part,
      timestamp: part,
    }
    // The test's time limit is the judge: quadratic behaviour would take minutes.
    expect(digest(payload)).toBeDefined()
  })
})
