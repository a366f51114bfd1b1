import { compareBox } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import type { Route } from '../http/index.ts'
import { createHeatMapRoutes } from './heat-map.routes.ts'
import { LIMITS } from './limits.ts'
import { callRoute } from './test/call.ts'
import { createServices, FROM, HOUR, insertSpans, type SampleSpan } from './test/sample-spans.ts'

describe.each(TELEMETRY_ENGINES)('boxes on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let routes: readonly Route[]
  const SLOW = 40
  const FAST = 360
  beforeAll(async () => {
    opened = await open()
    routes = createHeatMapRoutes(createServices(opened))
    const spans = (count: number, make: (index: number) => SampleSpan): SampleSpan[] =>
      Array.from({ length: count }, (_, index) => make(index))
    await insertSpans(opened, [
      ...spans(SLOW, (index) => ({
        duration: 3000,
        at: FROM + HOUR / 2 + index,
        browser: index % 2 === 0 ? 'Firefox' : 'Chrome',
        strings: {
          'device.class': index < 30 ? 'low' : 'high',
          'device.tier': index < 30 ? 'low' : 'high',
          'request.id': `slow-${index}`,
        },
        numbers: { 'cart.lines': 24 },
        flags: { offline: true },
        rate: 0.5,
      })),
      ...spans(FAST, (index) => ({
        duration: 50,
        at: FROM + index,
        browser: index % 2 === 0 ? 'Firefox' : 'Chrome',
        strings: {
          'device.class': index % 10 === 0 ? 'low' : 'high',
          'device.tier': index % 10 === 0 ? 'low' : 'high',
          'request.id': `fast-${index}`,
        },
        numbers: { 'cart.lines': index % 20 },
      })),
      // Of another project, which has no slow ones, and of another organisation, which nobody here sees.
      ...spans(40, (index) => ({ duration: 50, at: FROM + index, project: 2, browser: 'Firefox' })),
      ...spans(40, () => ({
        duration: 3000,
        at: FROM + HOUR / 2,
        organization: 2,
        strings: { 'device.class': 'alien' },
      })),
    ])
  })
  afterAll(() => opened.close())

  const text = (at: number): string => new Date(at).toISOString().slice(0, 19)
  const compare = async (query: object = {}) =>
    (
      await callRoute(routes, compareBox, {
        query: {
          dataset: 'spans',
          start: text(FROM),
          end: text(FROM + HOUR),
          from: 2048,
          to: 4096,
          boxStart: FROM + HOUR / 4,
          boxEnd: FROM + HOUR,
          ...query,
        },
      })
    ).body

  it('answers values that are more frequent inside than outside, most telling first, and no chance', async () => {
    const { attributes, differences, inside, outside } = await compare({ project: ['1'] })
    expect(inside).toEqual({ rows: SLOW, things: SLOW * 2, looked: SLOW })
    expect(outside).toEqual({ rows: FAST, things: FAST, looked: FAST })
    expect(attributes).toBeGreaterThan(4)
    expect(differences).toEqual([
      { key: 'tags[cart.lines,number]', name: 'cart.lines', value: '24', inside: 1, outside: 0, alike: [] },
      { key: 'tags[offline,boolean]', name: 'offline', value: 'true', inside: 1, outside: 0, alike: [] },
      // Two attributes that say the same are one line.
      { key: 'device.class', name: 'device.class', value: 'low', inside: 0.75, outside: 0.1, alike: ['device.tier'] },
    ])
  })

  it('names projects, and narrows both sides by the search', async () => {
    const all = await compare()
    expect(all.outside.rows).toBe(FAST + 40)
    const low = (await compare({ query: 'browser.name:Firefox' })).differences.find(
      ({ name }) => name === 'device.class',
    )
    expect(low).toMatchObject({ value: 'low', inside: 0.75 })
    expect((await compare({ query: 'project:[shop,api] !device.class:*' })).inside.rows).toBe(0)
    const ofProjects = await compare({ from: 32, to: 64, boxStart: FROM, boxEnd: FROM + HOUR / 4 })
    expect(ofProjects.inside.rows).toBe(FAST + 40)
    expect(JSON.stringify(all)).not.toContain('alien')
  })

  it('says that there is nothing to compare, and refuses what is no number', async () => {
    expect(await compare({ from: 1e6, to: 2e6 })).toMatchObject({
      inside: { rows: 0, looked: 0 },
      outside: { rows: SLOW + FAST + 40, looked: 0 },
      differences: [],
    })
    await expect(compare({ attribute: 'span.op' })).rejects.toThrow('"span.op" is no number')
  })

  it('looks at a sample of very many rows, and says so', async () => {
    const many = LIMITS.BOX_ROWS * 3
    await insertSpans(
      opened,
      Array.from({ length: many }, (_, index) => ({
        duration: 100,
        at: FROM + (index % 1000),
        environment: 'many',
        strings: { kind: index % 5 === 0 ? 'rare' : 'usual', unique: `u${index}`, other: `o${index}` },
      })),
    )
    const { inside, outside, differences } = await compare({
      environment: ['many'],
      from: 64,
      to: 128,
      boxStart: FROM,
      boxEnd: FROM + 500,
    })
    expect([inside.rows, outside.rows]).toEqual([many / 2, many / 2])
    for (const { looked } of [inside, outside]) {
      expect(looked).toBeGreaterThan(LIMITS.BOX_ROWS / 2)
      expect(looked).toBeLessThan(LIMITS.BOX_ROWS)
    }
    expect(differences).toEqual([])
  })
})
