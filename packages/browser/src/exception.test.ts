import { describe, expect, it } from 'vitest'
import { eventFromMessage, eventFromUnknown } from './exception.ts'

const valuesOf = (thrown: unknown, mechanism?: string) =>
  eventFromUnknown(thrown, mechanism === undefined ? {} : { mechanism: { type: mechanism, handled: false } }).exception
    ?.values ?? []

const REJECTED = 'auto.browser.global_handlers.onunhandledrejection'

const nested = (depth: number): Error =>
  depth === 0 ? new Error('level 0') : new Error(`level ${depth}`, { cause: nested(depth - 1) })

describe('what can be thrown', () => {
  it('an error with causes: oldest first, each says who caused it', () => {
    const values = valuesOf(new TypeError('outer', { cause: new RangeError('inner') }))
    expect(values.map(({ type, value }) => [type, value])).toEqual([
      ['RangeError', 'inner'],
      ['TypeError', 'outer'],
    ])
    expect(values[0]?.mechanism).toEqual({
      type: 'chained',
      handled: true,
      source: 'cause',
      exception_id: 1,
      parent_id: 0,
    })
    expect(values[1]?.mechanism).toEqual({ type: 'generic', handled: true, exception_id: 0 })
  })

  it('five causes and no more', () => {
    expect(valuesOf(nested(20)).map(({ value }) => value)).toEqual(
      [15, 16, 17, 18, 19, 20].map((level) => `level ${level}`),
    )
  })

  it('causes in a circle end', () => {
    const error = new Error('round')
    error.cause = error
    expect(valuesOf(error)).toHaveLength(1)
  })

  it('an AggregateError is a group', () => {
    const values = valuesOf(new AggregateError([new Error('one'), new Error('two')], 'both'))
    expect(values.map(({ value }) => value)).toEqual(['two', 'one', 'both'])
    expect(values[2]?.mechanism).toMatchObject({ is_exception_group: true, exception_id: 0 })
    expect(values[1]?.mechanism).toMatchObject({ source: 'errors[0]', parent_id: 0, exception_id: 1 })
  })

  it('a DOMException is an error', () => {
    expect(valuesOf(new DOMException('no', 'AbortError'))[0]).toMatchObject({ type: 'AbortError', value: 'no' })
  })

  it.each([
    ['a word', 'Error', 'a word'],
    [7, 'Error', '7'],
    [undefined, 'Error', 'undefined'],
    [null, 'Error', 'null'],
    [Symbol('s'), 'Error', 'Symbol(s)'],
    [{ b: 1, a: 2 }, 'Error', 'Object captured as exception with keys: a, b'],
  ])('%o, thrown', (thrown, type, value) => {
    expect(valuesOf(thrown)[0]).toMatchObject({ type, value, mechanism: { synthetic: true } })
  })

  it.each([
    ['a word', 'UnhandledRejection', 'Non-Error promise rejection captured with value: a word'],
    [undefined, 'UnhandledRejection', 'Non-Error promise rejection captured with value: undefined'],
    [{}, 'UnhandledRejection', 'Object captured as promise rejection with keys: [object has no keys]'],
    [new Event('error'), 'Event', 'Event `Event` (type=error) captured as promise rejection'],
  ])('%o, as a reason', (thrown, type, value) => {
    expect(valuesOf(thrown, REJECTED)[0]).toMatchObject({ type, value })
  })

  it('hostile values: revoked proxies, getters that throw, names and messages that are no text', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(() => valuesOf(proxy)).not.toThrow()
    const error = new Error('x')
    Object.defineProperties(error, {
      message: {
        get: () => {
          throw new Error('no')
        },
      },
      name: {
        value: {
          toString: () => {
            throw new Error('no')
          },
        },
      },
      stack: {
        get: () => {
          throw new Error('no')
        },
      },
      cause: {
        get: () => {
          throw new Error('no')
        },
      },
    })
    expect(valuesOf(error)).toHaveLength(1)
    expect(valuesOf(new Error('y'.repeat(1_000_000)))[0]?.value).toHaveLength(8192)
  })

  it.each([
    ['Uncaught TypeError: a is not a function', 'TypeError', 'a is not a function'],
    ['Script error.', 'Error', 'Script error.'],
    ['uncaught something', 'Error', 'something'],
  ])('a window that only says %o', (message, type, value) => {
    const event = eventFromMessage({ message, filename: 'https://a.example/a.js', lineno: 3, colno: 4 }, { type: 'x' })
    expect(event.exception?.values?.[0]).toMatchObject({
      type,
      value,
      stacktrace: { frames: [{ filename: 'https://a.example/a.js', lineno: 3, colno: 4 }] },
    })
  })
})
