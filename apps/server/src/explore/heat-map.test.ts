import { getHeatMap } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import type { Route } from '../http/index.ts'
import { createHeatMapRoutes } from './heat-map.routes.ts'
import { LIMITS } from './limits.ts'
import { callRoute } from './test/call.ts'
import { createServices, FROM, HOUR, insertSpans, NOW } from './test/sample-spans.ts'

describe.each(TELEMETRY_ENGINES)('heat maps on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let routes: readonly Route[]
  beforeAll(async () => {
    opened = await open()
    routes = createHeatMapRoutes(createServices(opened))
    await insertSpans(opened, [
      { duration: 64, at: FROM + 1000 },
      { duration: 70, at: FROM + 2000 },
      // A sample of ten.
      { duration: 1024, at: FROM + 2000, rate: 0.1 },
      { duration: 0, at: FROM + 2000 },
      { duration: 64, at: FROM + HOUR / 2, op: 'db' },
      { duration: 64, organization: 2 },
    ])
  })
  afterAll(() => opened.close())

  const text = (at: number): string => new Date(at).toISOString().slice(0, 19)
  const map = async (query: object) =>
    (
      await callRoute(routes, getHeatMap, {
        query: { dataset: 'spans', start: text(FROM), end: text(FROM + HOUR), ...query },
      })
    ).body

  it('counts each value at its time and its half of a doubling, as often as it stands for', async () => {
    const { cells, end, interval, steps, levelsPerDoubling, type } = await map({})
    expect(end).toBe(FROM + HOUR)
    expect(type).toBe('duration')
    expect(levelsPerDoubling).toBe(2)
    expect(steps).toBeLessThanOrEqual(LIMITS.HEAT_MAP_STEPS + 1)
    // 64 and 70 are from 2^6 to 2^6.5, 1024 is 2^10.
    expect(cells).toEqual([
      [0, 12, 2],
      [0, 20, 10],
      [HOUR / 2 / interval, 12, 1],
    ])
    expect((await map({ disableAggregateExtrapolation: '1' })).cells).toContainEqual([0, 20, 1])
    expect((await map({ query: 'span.op:db' })).cells).toHaveLength(1)
  })

  it('ends now, not in the future', async () => {
    expect((await map({ start: undefined, end: undefined, statsPeriod: '1h' })).end).toBe(NOW)
  })

  it('is bounded however long the time, and refuses what is no number', async () => {
    const { steps } = await map({ start: '2020-01-01T00:00:00', end: '2026-11-20T00:00:00' })
    expect(steps).toBeLessThanOrEqual(LIMITS.HEAT_MAP_STEPS + 1)
    await expect(map({ attribute: 'span.op' })).rejects.toThrow('"span.op" is no number')
  })
})
