import { describe, expect, it } from 'vitest'
import { EVENT_LIMITS } from '../limits.ts'
import { dropReason, normalised } from './digest-item.fixture.ts'

describe('hostile payloads', () => {
  it('check 21: the id of the envelope wins', () => {
    expect(normalised({ event_id: 'f'.repeat(32) }, { eventId: 'a'.repeat(32) }).event_id).toBe('a'.repeat(32))
    expect(normalised({ event_id: '123E4567-E89B-12D3-A456-426614174000' }, { eventId: null }).event_id).toBe(
      '123e4567e89b12d3a456426614174000',
    )
    expect(normalised({}, { eventId: null }).event_id).toMatch(/^[0-9a-f]{32}$/)
  })

  it('check 103: nesting beyond 128 levels is refused', () => {
    expect(dropReason('['.repeat(400_000))).toBe('json_too_deep')
    expect(dropReason(`{"extra":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`)).toBe('json_too_deep')
    expect(dropReason(`{"extra":${'{"a":'.repeat(100)}1${'}'.repeat(100)}}`)).toBeUndefined()
  })

  it('check 104: __proto__ and constructor keys pollute nothing', () => {
    const bomb =
      '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"a":1,"\\u005f_proto__":{"admin":true}}'
    const event = normalised(
      `{"__proto__":{"admin":true},"tags":${bomb},"extra":${bomb},"contexts":{"x":${bomb},"__proto__":${bomb}},"user":${bomb},"modules":${bomb},` +
        `"request":{"data":${JSON.stringify(bomb)},"headers":${bomb}},"exception":[{"type":"E","stacktrace":{"frames":[{"function":"f","vars":${bomb}}]}}]}`,
    )
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
    expect(JSON.stringify(event)).not.toContain('__proto__')
    expect(Object.assign({}, event.extra)).not.toHaveProperty('admin')
    expect(event.extra).toMatchObject({ a: 1 })
  })

  it('check 105: invalid UTF-8 becomes U+FFFD', () => {
    const bytes = Buffer.concat([Buffer.from('{"message":"a'), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from('"}')])
    expect(normalised(bytes).logentry?.formatted).toBe('a\ufffd\ufffd(')
  })

  it('check 106: lone surrogates become U+FFFD, cuts do not split pairs', () => {
    expect(normalised('{"message":"a\\ud800b","tags":{"k":"\\udc00"}}')).toMatchObject({
      logentry: { formatted: 'a\ufffdb' },
    })
    const cutText = normalised({ message: '😀'.repeat(5000) }).logentry?.formatted ?? ''
    expect(cutText.isWellFormed()).toBe(true)
    expect(cutText.length).toBeLessThanOrEqual(EVENT_LIMITS.MESSAGE_CHARS)
    expect(cutText.endsWith('😀...')).toBe(true)
  })

  it('check 107: NUL is removed, also from keys and from what was encoded twice', () => {
    const event = normalised('{"message":"a\\u0000b","extra":{"k\\u0000":"v"},"request":{"url":"http://x/?a=%00b"}}')
    expect(event).toMatchObject({
      logentry: { formatted: 'ab' },
      extra: { k: 'v' },
      request: { query_string: [['a', 'b']] },
    })
  })

  it('check 108: huge numbers and the tokens of Python', () => {
    const event = normalised('{"extra":{"a":1e400,"b":NaN,"c":[-Infinity],"d":"NaN"},"timestamp":NaN}')
    expect(event.extra).toEqual({ a: null, b: null, c: [null], d: 'NaN' })
    expect(dropReason('{"a":nope}')).toBe('invalid_json')
  })

  it('check 109: a byte order mark is skipped', () => {
    expect(normalised('\ufeff{"message":"m"}').logentry?.formatted).toBe('m')
  })

  it('check 110: the last of equal keys wins', () => {
    expect(normalised('{"message":"a","message":"b"}').logentry?.formatted).toBe('b')
  })

  it('check 111: too much of anything is trimmed', () => {
    const event = normalised({
      tags: [['x'.repeat(1_000_000), 'v'], ...Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'v'])],
      breadcrumbs: Array.from({ length: 20_000 }, (_, index) => ({ message: `m${index}` })),
      exception: Array.from({ length: 10_000 }, (_, index) => ({ type: `E${index}` })),
      extra: {
        big: 'x'.repeat(1_000_000),
        many: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [index, 'v'])),
      },
      fingerprint: Array.from({ length: 20_000 }, () => 'f'),
    })
    expect(event.tags.length).toBeLessThanOrEqual(EVENT_LIMITS.TAGS + 30)
    expect(event.breadcrumbs?.values.at(-1)?.message).toBe('m19999')
    expect(event.breadcrumbs?.values).toHaveLength(EVENT_LIMITS.BREADCRUMBS)
    expect(event.exception?.values.at(-1)?.type).toBe('E9999')
    expect(event.exception?.values).toHaveLength(EVENT_LIMITS.EXCEPTIONS)
    expect(JSON.stringify(event).length).toBeLessThan(100_000)
  })

  it('trims bags by size and depth', () => {
    const extra = { deep: { a: { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } } } }
    expect(normalised({ extra }).extra).toEqual({ deep: { a: { a: { a: { a: { a: { a: { a: '{"a":1}' } } } } } } } })
    const long = normalised({ extra: { s: 'x'.repeat(20_000) } }).extra?.['s']
    expect(long).toHaveLength(EVENT_LIMITS.LARGER_BAG_CHARS)
  })

  it.each(['', 'null', '[]', '"x"', '1'])('drops %j, which is no event', (payload) => {
    expect(dropReason(payload)).toMatch(/^invalid_(?:json|event)$/)
  })

  it('null equals absent', () => {
    const fields = [
      'level',
      'platform',
      'release',
      'tags',
      'extra',
      'contexts',
      'user',
      'request',
      'exception',
      'breadcrumbs',
      'sdk',
      'modules',
      'fingerprint',
      'logentry',
      'message',
      'threads',
      'stacktrace',
      'debug_meta',
      'transaction',
      'errors',
      'type',
    ]
    expect(normalised(Object.fromEntries(fields.map((field) => [field, null])))).toEqual(normalised({}))
  })
})
