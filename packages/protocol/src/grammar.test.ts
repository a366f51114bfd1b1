import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categoryOf, countOf, needsEventId } from './categories.ts'
import { formatDsn, parseDsn } from './dsn.ts'
import { isUuid, normaliseEventId } from './event-id.ts'
import { jsonDepthWithin, jsonValueEnd } from './json-depth.ts'
import { formatRateLimits, parseRateLimits } from './rate-limits.ts'
import { parseSentryAuth } from './sentry-auth.ts'
import { encodeUtf8 } from './text.ts'
import { ITEM_TYPES, type Item } from './types.ts'

describe('DSN', () => {
  it('has a key, a host, a port, a path prefix and a numeric project', () => {
    expect(parseDsn('https://abc123:secret@Errors.Example.com:8443/a/b/42')).toEqual({
      protocol: 'https',
      publicKey: 'abc123',
      host: 'errors.example.com',
      port: 8443,
      path: 'a/b',
      projectId: 42,
    })
    expect(parseDsn('http://k@[::1]:9000/7')).toMatchObject({ host: '[::1]', port: 9000, projectId: 7 })
    expect(parseDsn('http://k@localhost/7')).toMatchObject({ port: null, path: '' })
  })

  it('keeps only the leading digits of the project id, as the JavaScript SDK does', () => {
    expect(parseDsn('https://k@h/42abc')?.projectId).toBe(42)
  })

  it.each([
    '',
    'https://h/1',
    'https://k@/1',
    'https://k@h',
    'https://k@h/',
    'https://k@h/project',
    'ftp://k@h/1',
    'https://k@h:99999/1',
    'https://k@h/99999999999999999999',
    'javascript:alert(1)//k@h/1',
    `https://k@h/${'a/'.repeat(5000)}1`,
  ])('%j is none', (text) => expect(parseDsn(text)).toBeNull())

  it('is read back as it was written', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,12}$/)
    const dsn = fc.record({
      protocol: fc.constantFrom('http' as const, 'https' as const),
      publicKey: fc.stringMatching(/^[0-9a-f]{32}$/),
      host: word,
      port: fc.option(fc.integer({ min: 0, max: 65_535 })),
      path: fc.array(word, { maxLength: 3 }).map((segments) => segments.join('/')),
      projectId: fc.nat(),
    })
    fc.assert(
      fc.property(dsn, (value) => {
        expect(parseDsn(formatDsn(value))).toEqual(value)
      }),
    )
  })

  it('is never a throw', () => {
    const tryOne = (text: string): boolean => typeof parseDsn(`https://${text}`) === 'object'
    expect(() => fc.assert(fc.property(fc.string(), tryOne))).not.toThrow()
  })
})

describe('X-Sentry-Rate-Limits', () => {
  it('reads the example of the reference', () => {
    expect(parseRateLimits('60:transaction:key, 2700:default;error;security:organization')).toEqual([
      { retryAfterSeconds: 60, categories: ['transaction'], scope: 'key', reasonCode: null, namespaces: [] },
      {
        retryAfterSeconds: 2700,
        categories: ['default', 'error', 'security'],
        scope: 'organization',
        reasonCode: null,
        namespaces: [],
      },
    ])
  })

  it('an empty category list is every category; a number that is none is 60; extra fields are ignored', () => {
    expect(parseRateLimits('x::key:reason:custom;b:extra')).toEqual([
      { retryAfterSeconds: 60, categories: [], scope: 'key', reasonCode: 'reason', namespaces: ['custom', 'b'] },
    ])
    expect(parseRateLimits(' , ')).toEqual([])
  })

  it('is read back as it was written', () => {
    const word = fc.stringMatching(/^[a-z_]{1,10}$/)
    const entry = fc.record({
      retryAfterSeconds: fc.nat(),
      categories: fc.array(word, { maxLength: 4 }),
      scope: word,
      reasonCode: fc.option(word),
      namespaces: fc.array(word, { maxLength: 2 }),
    })
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(parseRateLimits(formatRateLimits(entries))).toEqual(entries)
      }),
    )
  })

  it('is never a throw', () => {
    const tryOne = (text: string): boolean => Array.isArray(parseRateLimits(text))
    expect(() => fc.assert(fc.property(fc.string(), tryOne))).not.toThrow()
  })
})

describe('sentry authentication', () => {
  it('check 36: lower-case scheme, commas without spaces, any order', () => {
    expect(parseSentryAuth('sentry sentry_version=7,sentry_key=abc,sentry_secret=x,sentry_timestamp=1')).toEqual({
      key: 'abc',
      version: '7',
      client: null,
    })
    expect(parseSentryAuth('Sentry sentry_client=sentry.python/2.0, sentry_key=abc')).toEqual({
      key: 'abc',
      version: null,
      client: 'sentry.python/2.0',
    })
    expect(parseSentryAuth('Sentry sentry_key=abc sentry_version=2.0')?.version).toBe('2.0')
  })

  it.each(['', 'Sentry', 'Sentry sentry_version=7', 'Bearer abc', 'sentry_key=abc', 'Sentry sentry_key='])(
    '%j names no key',
    (header) => expect(parseSentryAuth(header)).toBeNull(),
  )
})

describe('event ids', () => {
  it('are 32 hex digits or 36 characters with hyphens', () => {
    expect(isUuid('9EC79C33EC9942AB8353589FCB2E04DC')).toBe(true)
    expect(isUuid('9ec79c33-ec99-42ab-8353-589fcb2e04dc')).toBe(true)
    for (const bad of [
      '',
      '9ec79c33',
      '9ec79c33ec9942ab8353589fcb2e04dg',
      '9ec79c33-ec9942ab-8353-589f-cb2e04dc1234',
    ]) {
      expect(isUuid(bad)).toBe(false)
    }
    for (const bad of [null, 42, {}, ['9ec79c33ec9942ab8353589fcb2e04dc']]) expect(normaliseEventId(bad)).toBeNull()
  })
})

describe('the end of a JSON value', () => {
  it('is behind its last bracket, whatever stands in strings or follows', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
        fc.string(),
        (value, rest) => {
          const text = JSON.stringify(value)
          expect(jsonValueEnd(encodeUtf8(`"a":${text}${rest}`), 4)).toBe(4 + encodeUtf8(text).byteLength)
        },
      ),
    )
  })

  it('is -1 when the bytes end before', () => {
    for (const text of ['[', '[{}', '["]', '["\\"]', '{"a":[1}']) expect(jsonValueEnd(encodeUtf8(text), 0)).toBe(-1)
  })
})

describe('JSON depth', () => {
  const within = (text: string, max: number): boolean => jsonDepthWithin(encodeUtf8(text), max)

  it('check 103: is measured without parsing', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    expect(within(nested(128), 128)).toBe(true)
    expect(within(nested(129), 128)).toBe(false)
    expect(within('['.repeat(5_000_000), 128)).toBe(false)
  })

  it('brackets in strings do not count, escaped quotes do not end a string', () => {
    expect(within('["[[[{{{","\\"[[[","\\\\"]', 1)).toBe(true)
    expect(within('["\\\\",[1]]', 1)).toBe(false)
    expect(within('"[[[[', 1)).toBe(true)
  })

  it('agrees with a walk over the parsed value', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat({ max: 7 }), fc.boolean(), (value, max, pretty) => {
        const text = JSON.stringify(value, null, pretty ? 2 : 0)
        // Nothing shorter than `max` bytes can be deeper, so it is not even looked at.
        expect(within(text, max)).toBe(depthOf(value) <= max)
      }),
    )
  })
})

describe('item types', () => {
  it('have categories as the SDKs expect them', () => {
    expect(Object.fromEntries(ITEM_TYPES.map((type) => [type, categoryOf(type)]))).toMatchObject({
      event: 'error',
      session: 'session',
      sessions: 'session',
      attachment: 'attachment',
      transaction: 'transaction',
      client_report: 'internal',
      user_report: 'default',
      profile: 'profile',
      replay_event: 'replay',
      replay_recording: 'replay',
      check_in: 'monitor',
      feedback: 'feedback',
      span: 'span',
      raw_security: 'security',
      log: 'log_item',
      trace_metric: 'trace_metric',
    })
    expect(categoryOf('__proto__')).toBe('default')
  })

  it('that belong to an event need an event id', () => {
    expect(['event', 'attachment', 'feedback'].every(needsEventId)).toBe(true)
    expect(['session', 'span', 'log', 'client_report', 'hologram'].some(needsEventId)).toBe(false)
  })

  it('containers count as what they hold, within reason', () => {
    const item = (type: string, itemCount: number | null): Item => ({
      header: {
        type,
        itemCount,
        length: null,
        contentType: null,
        filename: null,
        attachmentType: null,
        platform: null,
        raw: {},
      },
      payload: new Uint8Array(100),
    })
    expect(countOf(item('span', 12))).toBe(12)
    expect(countOf(item('log', null))).toBe(1)
    expect(countOf(item('event', 12))).toBe(1)
    expect(countOf(item('trace_metric', 4_000_000_000))).toBe(100)
    // The item itself is one: refused or kept, it ends in one outcome.
    expect(countOf(item('log', 0))).toBe(1)
  })
})
