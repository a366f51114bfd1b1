import { getEventsTimeseries } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSeriesRoutes } from '../../explore/series.routes.ts'
import type { TableQuery } from '../../explore/table.ts'
import { callRoute } from '../../explore/test/call.ts'
import { createServices, insertSpans, tableOf } from '../../explore/test/sample-spans.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../../storage/conformance/engines.ts'
import { batchesOf } from './batch.ts'
import { foundOf } from './found.ts'
import { endOf, MINUTE_MS, minuteOf } from './minute.ts'
import type { MeasuredRule } from './rule.ts'
import { insertErrors, numbersOf, readRule, ruleOf, type RuleSketch } from './test/rows.ts'
import { windowOf } from './windows.ts'

/** In the hour that Explore's tests take for the present. */
const MINUTE = minuteOf(Date.parse('2026-11-20T12:19:00.000Z'))
const END = endOf(MINUTE)
const WINDOW_MINUTES = 5
const PAGES = ['/cart', '/checkout', '/search']
const AGGREGATES = [
  ['spans', 'count()'],
  ['spans', 'count_unique(user)'],
  ['spans', 'p95(span.duration)'],
  ['spans', 'p50(span.duration)'],
  ['spans', 'avg(span.duration)'],
  ['spans', 'failure_rate()'],
  ['spans', 'failure_count()'],
  ['errors', 'count()'],
  ['errors', 'count_unique(user)'],
  ['errors', 'failure_rate()'],
] as const

/** What is looked at by a rule, and by a chart; the last is a search of its own, which takes another road. */
const CASES: readonly (readonly [Omit<RuleSketch, 'trigger'>, Partial<TableQuery>])[] = [
  [{ projectIds: [1] }, { project: ['1'] }],
  [
    { projectIds: [1], environments: ['staging'] },
    { project: ['1'], environment: ['staging'] },
  ],
  [{ projectIds: [1, 2], query: '!user.id:user-3' }, { query: '!user.id:user-3' }],
]

/** The same numbers every time, spread over 0…1. */
const spread = (index: number): number => (index * 0.618_033_988_75) % 1

const text = (at: number): string => new Date(at).toISOString().slice(0, 19)

const RANGE = { start: text(END - 2 * WINDOW_MINUTES * MINUTE_MS), end: text(END) }
const WINDOW = { statsPeriod: undefined, start: text(END - WINDOW_MINUTES * MINUTE_MS), end: text(END) }

describe.each(TELEMETRY_ENGINES)('what rules measure and what is charted on $name', ({ open }) => {
  let opened: OpenedTelemetry
  beforeAll(async () => {
    opened = await open()
    const places = Array.from({ length: 600 }, (_, index) => ({
      // Some of it before the window, and after.
      at: END - Math.floor(spread(index) * 12 * MINUTE_MS) + 2 * MINUTE_MS,
      environment: index % 4 === 0 ? 'staging' : 'production',
      user: `user-${Math.floor(spread(index * 7) * 90)}`,
      project: 1 + (index % 2),
    }))
    await insertSpans(
      opened,
      places.map((place, index) => ({
        ...place,
        duration: 1 + Math.floor(spread(index * 3) ** 4 * 5000),
        transaction: PAGES[index % PAGES.length] ?? '',
        isSegment: true,
        status: index % 9 === 0 ? 'internal_error' : 'ok',
        // Some are one of four that were not sent.
        rate: index % 5 === 0 ? 0.25 : 1,
      })),
    )
    await insertErrors(
      opened,
      places.map((place, index) => ({ ...place, received: place.at, unhandled: index % 7 === 0 })),
    )
  })
  afterAll(() => opened.close())

  const measured = async (rule: MeasuredRule) => {
    const [batch] = batchesOf([readRule(rule)])
    const [member] = batch?.members ?? []
    if (batch === undefined || member === undefined) throw new Error('nothing is asked')
    const { rows } = await numbersOf(opened)(batch, { windows: [windowOf(MINUTE, WINDOW_MINUTES)] })
    return foundOf(rows, member).groups
  }
  const charted = async (dataset: string, aggregate: string, more: Partial<TableQuery>): Promise<unknown> => {
    const services = createServices(opened)
    // Charts of errors that others drew before are `issues`' own; tables are Explore's.
    if (dataset === 'errors') {
      const { rows } = await tableOf(services)({ dataset, field: [aggregate], ...WINDOW, ...more })
      return rows[0]?.[aggregate]
    }
    const query = { dataset, yAxis: [aggregate], interval: `${WINDOW_MINUTES}m`, ...RANGE, ...more }
    const { body } = await callRoute(createSeriesRoutes(services), getEventsTimeseries, { query })
    return body.timeSeries[0]?.values.at(-1)?.value
  }

  it.each(AGGREGATES)('A5: a rule about %s measures the value of %s that Explore shows', async (dataset, aggregate) => {
    const values = new Set<number>()
    for (const [sketch, asked] of CASES) {
      const rule = ruleOf({ ...sketch, trigger: { dataset, aggregate, windowMinutes: WINDOW_MINUTES } })
      const value = (await measured(rule))[0]?.value ?? 0
      expect(value).toBeGreaterThan(0)
      expect(value).toBe(await charted(dataset, aggregate, asked))
      values.add(value)
    }
    // They looked at different rows.
    expect(values.size).toBeGreaterThan(1)
  })

  it('A5: of each group as well', async () => {
    const groups = await measured(
      ruleOf({
        projectIds: [1, 2],
        trigger: {
          dataset: 'spans',
          aggregate: 'p95(span.duration)',
          windowMinutes: WINDOW_MINUTES,
          groupBy: ['transaction'],
        },
      }),
    )
    const { rows } = await tableOf(createServices(opened))({ field: ['transaction', 'p95(span.duration)'], ...WINDOW })
    const shown = new Map(rows.map((row) => [row['transaction'], row['p95(span.duration)']]))
    expect(shown.size).toBe(PAGES.length)
    expect(new Map(groups.map(({ value, values }) => [values[0], value]))).toEqual(shown)
  })
})
