import { describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/settings.ts'
import { EVENT_LIMITS } from './limits.ts'
import { normalised } from './normalise/digest-item.fixture.ts'
import { attachRemarks } from './remarks.ts'
import { scrub } from './scrub/index.ts'

/** As the digest does it. */
const read = (payload: object, scrubbing: Partial<(typeof DEFAULT_PROJECT_SETTINGS)['scrubbing']> = {}) =>
  attachRemarks(
    scrub(normalised(payload), {
      ...DEFAULT_PROJECT_SETTINGS,
      scrubbing: { ...DEFAULT_PROJECT_SETTINGS.scrubbing, ...scrubbing },
    }),
  )

const scrubbed = (rule: string, kept: number, len: number) => ({ '': { rem: [[`${rule}:filter`, 's', 0, kept]], len } })

describe('what was scrubbed', () => {
  it('is named with its rule, at its place', () => {
    const event = read({
      exception: [
        {
          type: 'E',
          value: 'card 4111 1111 1111 1111',
          stacktrace: { frames: [{ function: 'f', vars: { password: 'hunter2', ok: 1 } }] },
        },
      ],
      extra: { list: [{ api_key: 'abcdef' }], own: 'kept', nested: [['password', 'hunter2']] },
      request: {
        url: 'https://a.example/',
        headers: { Zone: 'a', Authorization: 'Bearer abcdef' },
        cookies: 'sid=12345',
      },
      breadcrumbs: [{ message: 'mail', data: { url: '/?token=abc', pin: 'x' } }],
      tags: { secret: 'abc', plain: 'x' },
      logentry: { formatted: 'hello a@example.com' },
      contexts: { credentials: { name: 'x' } },
    })
    const authorization = event.request?.headers?.findIndex(([name]) => name === 'Authorization') ?? -1
    const secret = event.tags.findIndex(([name]) => name === 'secret')
    expect(event._meta).toEqual({
      exception: {
        values: {
          0: {
            value: scrubbed('@creditcard', 17, 24),
            stacktrace: { frames: { 0: { vars: { password: scrubbed('@password', 10, 7) } } } },
          },
        },
      },
      extra: {
        list: { 0: { api_key: scrubbed('@password', 10, 6) } },
        nested: { 0: { 1: scrubbed('@password', 10, 7) } },
      },
      request: {
        headers: { [authorization]: { 1: scrubbed('@password', 10, 13) } },
        cookies: { 0: { 1: scrubbed('@password', 10, 5) } },
      },
      breadcrumbs: { values: { 0: { data: { url: scrubbed('@password', 18, 11) } } } },
      tags: { [secret]: { 1: scrubbed('@password', 10, 3) } },
      logentry: { formatted: scrubbed('@email', 13, 19) },
      contexts: { credentials: { '': { rem: [['@password:filter', 's', 0, 0]] } } },
    })
  })

  it('names the words of the project, addresses and paths', () => {
    const event = read(
      { extra: { pin: '1234', note: 'my pin', ip: 'from 192.0.2.1', path: '/Users/ann/app' } },
      { sensitiveFields: ['pin'], ipAddresses: true },
    )
    expect(event._meta).toMatchObject({
      extra: {
        pin: { '': { rem: [['strip-fields', 's', 0, 10]] } },
        note: { '': { rem: [['strip-fields', 's', 0, 10]] } },
        ip: { '': { rem: [['@ip:filter', 's', 0, 9]] } },
        path: { '': { rem: [['@userpath:filter', 's', 0, 21]] } },
      },
    })
  })

  it('is not said of what was scrubbed by its SDK, or not at all', () => {
    expect(read({ extra: { password: '[Filtered]', a: 1 } })).not.toHaveProperty('_meta')
    expect(read({ extra: { password: 'kept' } }, { enabled: false })).not.toHaveProperty('_meta')
  })
})

describe('what was cut', () => {
  it('names how many characters, entries and keys there were', () => {
    const keys = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, 'v'.repeat(200)]))
    const event = read({
      exception: [{ type: 'E', value: 'm'.repeat(10_000) }],
      extra: {
        keys,
        list: Array.from({ length: 9000 }, () => 12),
        deep: { a: { b: { c: { d: { e: { f: { g: { h: 1 } } } } } } } },
      },
      contexts: { state: { text: 't'.repeat(9000) } },
      request: { url: 'https://a.example/', data: 'd'.repeat(9000) },
      breadcrumbs: Array.from({ length: 300 }, (_, index) => ({ message: `m${index}` })),
    })
    const limit = EVENT_LIMITS.MESSAGE_CHARS
    expect(event._meta).toMatchObject({
      exception: { values: { 0: { value: { '': { rem: [['!limit', 's', limit - 3, limit]], len: 10_000 } } } } },
      extra: {
        keys: { '': { rem: [['!limit', 'x']], len: 200 } },
        list: { '': { rem: [['!limit', 'x']], len: 9000 } },
        deep: { a: { b: { c: { d: { e: { f: { g: { '': { len: 7 } } } } } } } } },
      },
      contexts: { state: { text: { '': { len: 9000 } } } },
      request: { data: { '': { len: 9000 } } },
      breadcrumbs: { values: { '': { rem: [['!limit', 'x']], len: 300 } } },
    })
  })
})

describe('what the SDK says', () => {
  it('is kept beside ours, and only what has the form', () => {
    const rem = [['!raw', 'x']]
    const event = read({
      extra: { password: 'hunter2', body: '' },
      tags: [
        ['zone', 'cut'],
        ['area', 'a'],
      ],
      _meta: {
        extra: {
          password: { '': { len: 99 } },
          body: { '': { rem, err: [['invalid_data', { value: 'secret' }]], val: 'x' } },
        },
        tags: { 0: { 1: { '': { len: 500 } } } },
        wrong: 1,
        empty: { '': {}, deeper: [] },
      },
    })
    expect(event._meta).toEqual({
      extra: {
        password: { '': { rem: [['@password:filter', 's', 0, 10]], len: 99 } },
        body: { '': { rem, err: ['invalid_data'] } },
      },
      tags: { zone: { '': { len: 500 } } },
    })
  })

  it.each([[null], ['text'], [[1]], [{ '': 'x' }], [{ __proto__: { '': { len: 1 } } }]])('%j is nothing', (_meta) => {
    expect(read({ message: 'm', _meta })).not.toHaveProperty('_meta')
  })
})

it('no event says more than the limit, whatever was cut and sent', () => {
  const many = (value: unknown) =>
    Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`password${index}`, value]))
  const own = read({ extra: many('hunter2') })
  expect(JSON.stringify(own._meta).length).toBeGreaterThan(EVENT_LIMITS.META_CHARS / 2)
  expect(JSON.stringify(own._meta).length).toBeLessThanOrEqual(EVENT_LIMITS.META_CHARS)
  const both = read({ extra: many('hunter2'), _meta: { extra: many({ '': { len: 5 } }) } })
  expect(JSON.stringify(both._meta).length).toBeLessThanOrEqual(EVENT_LIMITS.META_CHARS)
})

it('a key of another object’s prototype is a key like any other', () => {
  const event = read(JSON.parse('{"extra":{"constructor":{"password":"hunter2"}}}') as object)
  expect(JSON.stringify(event._meta)).toContain('constructor')
})
