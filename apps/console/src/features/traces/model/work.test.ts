import { describe, expect, it } from 'vitest'
import { KINDS } from '../kinds/kinds.ts'
import { SPAN_FLAGS } from '@firsthand/contract'
import { mapScale } from './map-scale.ts'
import { STARTED, type TestSpan, testTrace } from './testing.ts'
import { readTrace } from './trace.ts'
import { childrenTime, COLUMN, density, gapsOf, minimapLanes, ownTime, remembered } from './work.ts'

const ms = (stretches: Float64Array): number[] => Array.from(stretches, (value) => value / 1000)
const parent = (children: readonly TestSpan[], more: Partial<TestSpan> = {}): TestSpan => ({
  name: 'parent',
  from: 0,
  to: 1000,
  children,
  ...more,
})

describe('what a span did', () => {
  const model = readTrace(
    testTrace([
      parent([
        { name: 'a', from: 100, to: 300 },
        { name: 'b', from: 200, to: 400 },
        { name: 'c', from: 900, to: 1200 },
      ]),
    ]),
  )

  it('is the time without its children, which are merged and cut to it', () => {
    expect(ms(childrenTime(model, 0))).toEqual([100, 400, 900, 1000])
    expect(ms(ownTime(model, 0))).toEqual([0, 100, 400, 900])
    expect(ms(ownTime(model, 1))).toEqual([100, 300])
  })

  it('begins with its first span, whatever was logged minutes before', () => {
    const log = (id: string, seconds: number) => ({
      id,
      level: 'info',
      body: id,
      timestamp: new Date(Date.parse(STARTED) + seconds * 1000).toISOString(),
      spanId: '',
      projectId: '1',
    })
    const late = { name: 'parent', from: 60_000, to: 61_000 }
    const read = readTrace(testTrace([late], { logs: [log('before', 0), log('after', 62)] }))
    expect([read.start[0], read.end[0], read.from, read.to]).toEqual([0, 1_000_000, 0, 2_000_000])
    expect(read.logs.map(({ at }) => at)).toEqual([-60_000_000, 2_000_000])
    expect(new Date(read.startMs).toISOString()).toBe('2026-11-22T14:09:00.000Z')
    // Without a span, what there is makes the axis.
    expect(readTrace(testTrace([], { logs: [log('a', 1), log('b', 3)] }))).toMatchObject({
      from: 1_000_000,
      to: 3_000_000,
    })
  })

  it('T60: clocks that were put right move a span on the screen', () => {
    const skewed = readTrace(testTrace([parent([{ name: 'a', from: 5100, to: 5300, shift: -5000 }])]))
    expect(ms(childrenTime(skewed, 0))).toEqual([100, 300])
    expect([skewed.from, skewed.to]).toEqual([0, 1_000_000])
  })
})

describe('T62: gaps', () => {
  const children = (gapMs: number): readonly TestSpan[] => [
    { name: 'a', from: 0, to: 100 },
    { name: 'b', from: 100 + gapMs, to: 100 + gapMs + 50 },
  ]
  const gaps = (gapMs: number, more: Partial<TestSpan> = {}) => {
    const model = readTrace(testTrace([parent(children(gapMs), more)]))
    return gapsOf(model, 0).map(({ from, to }) => [from / 1000, to / 1000])
  }

  it('are marked from 100 ms on', () => {
    expect(gaps(99)).toEqual([])
    expect(gaps(100)).toEqual([[100, 200]])
  })

  it('and from a twentieth of the parent on', () => {
    expect(gaps(149, { to: 3000 })).toEqual([])
    expect(gaps(150, { to: 3000 })).toEqual([[100, 250]])
  })

  it('not in what a browser did, but in what a server did for it', () => {
    expect(gaps(500, { op: 'pageload' })).toEqual([])
    const server = parent(children(500), { op: 'http.server', project: 1, flags: SPAN_FLAGS.segment })
    const model = readTrace(
      testTrace([{ name: 'page', op: 'pageload', from: 0, to: 2000, children: [server] }], {
        projects: [
          { id: '1', slug: 'web' },
          { id: '2', slug: 'api' },
        ],
      }),
    )
    expect(gapsOf(model, 1)).toHaveLength(1)
  })
})

it('the minimap has a lane for each project, with the deepest kind on top', () => {
  const model = readTrace(
    testTrace([parent([{ name: 'SELECT', op: 'db', from: 500, to: 750, project: 1 }])], {
      projects: [
        { id: '1', slug: 'web' },
        { id: '2', slug: 'api' },
      ],
    }),
  )
  const code = (KINDS.indexOf('code') + 1) | COLUMN.waits
  const database = KINDS.indexOf('database') + 1
  expect(minimapLanes(model, 4, mapScale(model, [], 4).place).map((lane) => [...lane])).toEqual([
    [code, code, code, code],
    [0, 0, database, 0],
  ])
})

it('the density of folded spans adds up to 1 at most', () => {
  const model = readTrace(
    testTrace([
      { name: 'a', from: 0, to: 25 },
      { name: 'a', from: 0, to: 25 },
      { name: 'a', from: 50, to: 62.5 },
      { name: 'b', from: 99, to: 100 },
    ]),
  )
  expect([...density(model, [0, 1, 2], 0, 100_000, 4)]).toEqual([1, 0, 0.5, 0])
})

it('what is remembered is asked once', () => {
  let asked = 0
  const ask = remembered((span) => {
    asked += 1
    return span * 2
  })
  expect([ask(3), ask(3), asked]).toEqual([6, 6, 1])
})
