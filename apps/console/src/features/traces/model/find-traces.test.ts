import { describe, expect, it } from 'vitest'
import { type FoundTrace, servicesOf, stretchesOf } from './breakdown.ts'
import { readTracesUrl, tracesOf, tracesUrl } from './traces-url.ts'

describe('the search for traces', () => {
  it('is in the address, with as many spans as are asked for', () => {
    expect(tracesOf(readTracesUrl({}))).toMatchObject({ query: [''], statsPeriod: '24h', project: [] })
    const asked = { ...tracesOf({}), query: ['span.op:db', 'has:user'], project: ['3'] }
    expect(tracesOf(readTracesUrl({ ...tracesUrl(asked) }))).toEqual(asked)
    expect(tracesUrl({ ...asked, query: ['', 'has:user'] }).query).toEqual(['has:user'])
    expect(readTracesUrl({ query: ['a', 'b', 'c', 'd', 7] }).query).toEqual(['a', 'b', 'c'])
  })
})

describe('the breakdown of a trace', () => {
  const part = (project: string | null, start: number, end: number) => ({
    project,
    sdkName: null,
    start,
    end,
    duration: end - start,
    kind: project === null ? ('missing' as const) : ('project' as const),
  })
  const trace = (breakdowns: FoundTrace['breakdowns'], start = 100, end = 300): FoundTrace => ({
    trace: 'a',
    numSpans: 3,
    matchingSpans: 1,
    name: 'GET /',
    project: 'shop',
    duration: end - start,
    start,
    end,
    breakdowns,
    spans: [],
  })

  it('has each service at its time, and what is missing between them', () => {
    const found = trace([part('shop', 100, 150), part(null, 150, 200), part('api', 200, 300), part('shop', 280, 300)])
    expect(servicesOf(found)).toEqual(['shop', 'api'])
    expect(stretchesOf(found).map(({ service, from, width, place }) => [service, from, width, place])).toEqual([
      ['shop', 0, 0.25, 0],
      [null, 0.25, 0.25, -1],
      ['api', 0.5, 0.5, 1],
      ['shop', 0.9, expect.closeTo(0.1), 0],
    ])
  })

  it('never leaves the bar, however short and wherever', () => {
    const stretches = [
      ...stretchesOf(trace([part('shop', 300, 300), part('api', 90, 400)])),
      ...stretchesOf(trace([part('shop', 100, 100)], 100, 100)),
    ]
    for (const { from, width } of stretches) {
      expect(from).toBeGreaterThanOrEqual(0)
      expect(width).toBeGreaterThan(0)
      expect(from + width).toBeLessThanOrEqual(1.000_001)
    }
  })
})
