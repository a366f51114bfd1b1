import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalise, toJson } from './normalise.ts'

describe('a copy of anything', () => {
  it('keeps what JSON has, names what it has not', () => {
    class Basket {
      size = 2
    }
    const given = {
      a: [1, 'two', true, null],
      n: NaN,
      f: function pay() {},
      s: Symbol('x'),
      b: 10n,
      u: undefined,
      k: new Basket(),
    }
    expect(normalise(given)).toEqual({
      a: [1, 'two', true, null],
      n: '[NaN]',
      f: '[Function: pay]',
      s: '[Symbol(x)]',
      b: '[BigInt: 10]',
      k: { size: 2 },
    })
  })

  it('ends at the depth, and at circles', () => {
    const round: Record<string, unknown> = { a: { b: { c: { d: 1 } } } }
    round['self'] = round
    expect(normalise(round)).toEqual({ a: { b: { c: '[Object]' } }, self: '[Circular ~]' })
  })

  it('dates, errors, maps, sets, objects that say what they are', () => {
    expect(normalise({ at: new Date(0) })).toEqual({ at: '1970-01-01T00:00:00.000Z' })
    expect(normalise(new TypeError('x'))).toMatchObject({ name: 'TypeError', message: 'x' })
    expect(normalise(new Map([['a', 1]]))).toEqual([['a', 1]])
    expect(normalise({ toJSON: () => ({ said: 1 }) })).toEqual({ said: 1 })
  })

  it('survives revoked proxies, throwing getters, throwing toJSON, endless objects', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const endless: unknown = new Proxy(
      {},
      {
        get: () => endless,
        ownKeys: () => ['a', 'b'],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      },
    )
    const given = {
      proxy,
      get bad() {
        throw new Error('no')
      },
      json: {
        toJSON() {
          throw new Error('no')
        },
      },
      endless,
      ['__proto__']: 1,
    }
    const made = JSON.parse(JSON.stringify(normalise(given))) as Record<string, unknown>
    expect(made['bad']).toBe('[Throws]')
    expect(made['proxy']).toBe('[Throws]')
    expect(Object.keys(made)).toContain('json')
  })

  it('bounds strings and the number of members', () => {
    expect(normalise('x'.repeat(100_000))).toHaveLength(65_536)
    expect(
      Object.keys(normalise(Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [at, at]))) as object),
    ).toHaveLength(1000)
  })

  it('is always JSON', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withSet: true, withDate: true, withNullPrototype: true }),
        (given) => {
          expect(() => JSON.parse(toJson(given))).not.toThrow()
          expect(typeof toJson(normalise(given) ?? null)).toBe('string')
        },
      ),
    )
  })
})
