import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  beginTrace,
  fittingBaggage,
  isTarget,
  samplingContext,
  sentryTrace,
  traceparent,
  writeBaggage,
} from './headers.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'
const ORIGIN = 'https://shop.example'
const DSN = { publicKey: 'abc' }

describe('T95 to whom the headers go', () => {
  it('to the own origin only, unless the site says otherwise', () => {
    expect(isTarget(`${ORIGIN}/api/basket`, ORIGIN, undefined)).toBe(true)
    for (const url of [
      'https://api.shop.example/basket',
      'http://shop.example/basket',
      'https://shop.example:8443/basket',
      'https://shop.example.evil.example/',
      'https://evil.example/?from=https://shop.example',
      'not an address',
    ])
      expect([url, isTarget(url, ORIGIN, undefined)]).toEqual([url, false])
  })

  it('by parts of the address and by patterns; for the own origin by the path as well', () => {
    const targets = ['api.shop.example', /^https:\/\/pay\.example\/v\d\//g, /^\/internal\//]
    // A pattern with the flag `g` remembers where it was.
    for (let again = 0; again < 3; again += 1) {
      expect(isTarget('https://api.shop.example/basket', ORIGIN, targets)).toBe(true)
      expect(isTarget('https://pay.example/v2/cards', ORIGIN, targets)).toBe(true)
      expect(isTarget('https://pay.example/cards', ORIGIN, targets)).toBe(false)
      expect(isTarget(`${ORIGIN}/internal/stock`, ORIGIN, targets)).toBe(true)
      expect(isTarget('https://other.example/internal/stock', ORIGIN, targets)).toBe(false)
      expect(isTarget(`${ORIGIN}/api/basket`, ORIGIN, targets)).toBe(false)
    }
    expect(isTarget(`${ORIGIN}/api/basket`, ORIGIN, [])).toBe(false)
    expect(isTarget(`${ORIGIN}/api/basket`, ORIGIN, [null, 7, '/api'])).toBe(true)
  })
})

describe('T96 baggage', () => {
  const context = samplingContext({ id: TRACE, rand: 0.25, rate: 0.5, sampled: true, count: 0 }, DSN, {
    release: 'shop@1, beta',
    environment: 'live',
  })

  it('says what the trace is, in words that anybody can read back', () => {
    expect(writeBaggage(context).split(',')).toEqual([
      `sentry-trace_id=${TRACE}`,
      'sentry-public_key=abc',
      'sentry-release=shop%401%2C%20beta',
      'sentry-environment=live',
      'sentry-sample_rate=0.5',
      'sentry-sampled=true',
      'sentry-sample_rand=0.25',
    ])
  })

  it('keeps what was there, adds what fits in 8192 bytes, and leaves that of another SDK alone', () => {
    expect(fittingBaggage('tenant=7', writeBaggage(context))).toBe(writeBaggage(context))
    expect(fittingBaggage('tenant=7, sentry-trace_id=other', writeBaggage(context))).toBe('')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9000 }), (length) => {
        const existing = `own=${'x'.repeat(length)}`
        const added = fittingBaggage(existing, writeBaggage(context))
        const whole = [existing, added].filter(Boolean).join(', ')
        expect(whole.length).toBeLessThanOrEqual(Math.max(8192, existing.length))
        for (const member of added.split(',').filter(Boolean)) expect(writeBaggage(context)).toContain(member)
      }),
    )
  })

  it('of a trace that began elsewhere goes on as it came', () => {
    const given = `other=1,sentry-trace_id=${TRACE},sentry-public_key=head,sentry-sample_rate=0.1,sentry-sample_rand=0.04,sentry-release=a%40b`
    const trace = beginTrace(`${TRACE}-${SPAN}-1`, given)
    expect(trace).toMatchObject({ id: TRACE, parentId: SPAN, sampled: true, rate: 0.1, rand: 0.04 })
    expect(samplingContext(trace, DSN, { release: 'mine' })).toEqual({
      trace_id: TRACE,
      public_key: 'head',
      sample_rate: '0.1',
      sample_rand: '0.04',
      release: 'a@b',
    })
  })

  it('a head that says nothing about itself is not spoken for', () => {
    const trace = beginTrace(`${TRACE}-${SPAN}-0`)
    expect(trace.sampled).toBe(false)
    expect(samplingContext(trace, DSN, { release: 'mine' })).toEqual({ trace_id: TRACE, public_key: 'abc' })
  })

  it('what is no trace begins one, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (header, baggage) => {
        const trace = beginTrace(header, baggage)
        expect(trace.id).toMatch(/^[\da-f]{32}$/)
        expect(trace.rand >= 0 && trace.rand < 1).toBe(true)
      }),
    )
  })
})

describe('T97 headers of a request', () => {
  it('say the decision, and nothing where there is none', () => {
    const trace = { id: TRACE, rand: 0, count: 0 }
    expect(sentryTrace({ ...trace, sampled: true }, SPAN)).toBe(`${TRACE}-${SPAN}-1`)
    expect(sentryTrace({ ...trace, sampled: false }, SPAN)).toBe(`${TRACE}-${SPAN}-0`)
    expect(sentryTrace(trace, SPAN)).toBe(`${TRACE}-${SPAN}`)
  })

  it('traceparent is that of the W3C', () => {
    const form = /^00-[\da-f]{32}-[\da-f]{16}-0[01]$/
    for (const sampled of [true, false, undefined]) {
      const header = traceparent({ id: TRACE, rand: 0, count: 0, sampled }, SPAN)
      expect(header).toMatch(form)
      expect(header.endsWith(sampled === true ? '-01' : '-00')).toBe(true)
    }
  })
})
