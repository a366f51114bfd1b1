import { describe, expect, it } from 'vitest'
import { normalised } from './digest-item.fixture.ts'

describe('levels', () => {
  it.each([
    [40, 'error'],
    ['critical', 'fatal'],
    ['banana', 'error'],
    ['WARNING', 'warning'],
    [10, 'debug'],
    ['log', 'info'],
    [null, 'error'],
  ])('check 59: level %j is %s', (level, expected) => {
    expect(normalised({ level }).level).toBe(expected)
  })
})

describe('release, environment, dist', () => {
  it.each(['latest', 'a\nb', 'a/b', 'a\\b', '.', '..', 'x'.repeat(201)])(
    'check 66: release %j is dropped',
    (release) => {
      const event = normalised({ release, dist: '1', message: 'm' })
      expect(event).not.toHaveProperty('release')
      expect(event).not.toHaveProperty('dist')
      expect(event.errors).toMatchObject([{ name: 'release' }])
    },
  )

  it('trims, and drops what no environment is called', () => {
    expect(normalised({ release: ' web@1 ', environment: ' ' })).toMatchObject({ release: 'web@1' })
    expect(normalised({ environment: 'none' })).not.toHaveProperty('environment')
  })

  it('check 123: line breaks in names never get through', () => {
    const event = normalised({ release: 'a\r\nSet-Cookie: x', server_name: 'a\r\nb', transaction: 'x\r\ny' })
    expect(event.tags.every(([, value]) => !/[\r\n]/.test(value))).toBe(true)
  })
})

describe('messages', () => {
  it.each([
    [{ message: 'plain' }, { formatted: 'plain' }],
    [{ logentry: 'plain' }, { formatted: 'plain' }],
    [
      { logentry: { formatted: 'User 1', message: 'User %s', params: ['1'] } },
      { message: 'User %s', formatted: 'User 1', params: ['1'] },
    ],
    [
      { logentry: { message: 'User %s has %d', params: ['1', 2] } },
      { message: 'User %s has %d', formatted: 'User 1 has 2', params: ['1', 2] },
    ],
    [
      { logentry: { message: 'User {name}', params: { name: 'jo' } } },
      { message: 'User {name}', formatted: 'User jo', params: { name: 'jo' } },
    ],
    [{ 'sentry.interfaces.Message': { message: 'old' } }, { formatted: 'old' }],
    [
      { message: 'User 1', logentry: { message: 'User %s' } },
      { message: 'User %s', formatted: 'User 1' },
    ],
  ])('%j', (payload, expected) => {
    expect(normalised(payload)).toMatchObject({ type: 'default', logentry: expected })
  })
})

describe('names', () => {
  it.each([
    ['/users/12/edit', '/users/*/edit'],
    ['GET /orders/7f3c9a1b/items', 'GET /orders/*/items'],
    ['/a/123e4567-e89b-12d3-a456-426614174000', '/a/*'],
    ['/reports/2026-11-20', '/reports/*'],
    ['/u/jo@example.com', '/u/*'],
    ['/about/facade/team-one', '/about/facade/team-one'],
    ['/v1/api', '/v1/api'],
  ])('cleans the URL name %s', (transaction, expected) => {
    expect(normalised({ transaction, transaction_info: { source: 'url' } }).transaction).toBe(expected)
    expect(normalised({ transaction, transaction_info: { source: 'route' } }).transaction).toBe(transaction)
  })
})

describe('fingerprint and sdk', () => {
  it('makes strings of all parts', () => {
    expect(normalised({ fingerprint: ['{{ default }}', 1, true, null, {}] }).fingerprint).toEqual([
      '{{ default }}',
      '1',
      'True',
    ])
  })

  it("takes the envelope's SDK and settings when the event names none", () => {
    const sdk = { name: 'sentry.javascript.browser', version: '11.0.0', settings: { infer_ip: 'auto' } }
    const event = normalised({}, { header: { sdk } })
    expect(event.sdk).toEqual(sdk)
    expect(event.user?.ip_address).toBe('203.0.113.9')
    expect(normalised({}, { sender: { sdk: 'raven-js/3.27.0' } }).sdk).toEqual({ name: 'raven-js', version: '3.27.0' })
  })
})
