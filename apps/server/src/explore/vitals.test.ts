import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { createServices, insertSpans, tableOf, type Ask, type SampleSpan } from './test/sample-spans.ts'

const ROWS = 6000

const PAGES = ['/', '/cart', '/checkout'] as const
const BROWSERS = ['Chrome', 'Mobile Safari', 'Firefox', ''] as const
const DEVICES = ['', 'iPhone', 'Pixel 8'] as const
const COUNTRIES = ['DE', 'AT', 'PL', 'CH', ''] as const

/** Page loads in no order. Each second one came as SDKs send it that put LCP into a span of its own. */
const LOADS = Array.from({ length: ROWS }, (_, index) => {
  const drawn = (salt: number, most: number): number => ((index * 7919 + salt * 104_729) % 1_000_003) % most
  const pick = (list: readonly string[], salt: number): string => list[drawn(salt, list.length)] ?? ''
  return {
    transaction: pick(PAGES, 1),
    browser: pick(BROWSERS, 2),
    device: pick(DEVICES, 3),
    country: pick(COUNTRIES, 4),
    op: index % 2 === 0 ? 'pageload' : 'ui.webvital.lcp',
    lcp: 400 + drawn(5, 60_000) / 10,
    cls: drawn(6, 500) / 1000,
  }
})

type Load = (typeof LOADS)[number]

const spansOf = ({ lcp, cls, ...load }: Load): SampleSpan[] => [
  { ...load, numbers: { 'browser.web_vital.lcp.value': lcp } },
  { ...load, op: 'ui.webvital.cls', numbers: { 'browser.web_vital.cls.value': cls } },
]

describe.each(TELEMETRY_ENGINES)('web vitals on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let ask: Ask
  beforeAll(async () => {
    opened = await open()
    ask = tableOf(createServices(opened))
    await insertSpans(opened, LOADS.flatMap(spansOf))
  })
  afterAll(() => opened.close())

  const groupsOf = (key: keyof Load): Map<string, Load[]> => Map.groupBy(LOADS, (load) => String(load[key]))

  it.each([
    ['page', 'transaction', 'transaction'],
    ['browser', 'browser.name', 'browser'],
    ['device', 'device.family', 'device'],
    ['country', 'user.geo.country_code', 'country'],
  ] as const)('T71 p75 by %s equals the reference', async (_, field, key) => {
    const { rows } = await ask({
      field: [field, 'p75(measurements.lcp)', 'p75(measurements.cls)', 'count_sample(measurements.lcp)'],
      query: 'has:measurements.lcp OR has:measurements.cls',
    })
    const groups = groupsOf(key)
    expect(new Set(rows.map((row) => row[field]))).toEqual(new Set(groups.keys()))
    expect(rows).toHaveLength(groups.size)
    for (const row of rows) {
      const loads = groups.get(String(row[field])) ?? []
      expect(row['count_sample(measurements.lcp)'], String(row[field])).toBe(loads.length)
      // The engine's percentile is approximate: what matters is which share of all values is below it.
      const below = (vital: 'lcp' | 'cls'): number =>
        loads.filter((load) => load[vital] <= Number(row[`p75(measurements.${vital})`])).length / loads.length
      expect(Math.abs(below('lcp') - 0.75), `LCP of ${String(row[field])}`).toBeLessThan(0.01)
      expect(Math.abs(below('cls') - 0.75), `CLS of ${String(row[field])}`).toBeLessThan(0.01)
    }
  })

  it('T72 shares of good and poor: 2500 is good, 2501 is not, 4000 is not poor, 4001 is', async () => {
    const values = [2499, 2500, 2501, 4000, 4001]
    await insertSpans(
      opened,
      values.map((lcp) => ({ transaction: 'limits', numbers: { 'browser.web_vital.lcp.value': lcp } })),
    )
    const field = ['count_if(measurements.lcp,lessOrEquals,2500)', 'count_if(measurements.lcp,lessOrEquals,4000)']
    const { rows } = await ask({ field: [...field, 'count(measurements.lcp)'], query: 'transaction:limits' })
    expect(Object.values(rows[0] ?? {})).toEqual([2, 4, 5])
  })

  it('a page’s score weighs its vitals, not the spans that they came in', async () => {
    const vital = (name: string, value: number): SampleSpan => ({
      transaction: 'scored',
      numbers: { [`browser.web_vital.${name}.value`]: value },
    })
    // One of LCP, which scores 0.9; nine of CLS, which score 0.5. Their weights are 0.30 and 0.15.
    await insertSpans(opened, [vital('lcp', 1200), ...Array.from({ length: 9 }, () => vital('cls', 0.25))])
    const { rows } = await ask({ field: ['performance_score(measurements.score.total)'], query: 'transaction:scored' })
    expect(Object.values(rows[0] ?? {})[0]).toBeCloseTo((0.9 * 0.3 + 0.5 * 0.15) / 0.45, 3)
    const none = await ask({ field: ['performance_score(measurements.score.total)'], query: 'transaction:nowhere' })
    expect(Object.values(none.rows[0] ?? { none: null })[0]).toBeNull()
  })

  it('spans that did alike are one group, by the text that they have in common, and tell where', async () => {
    const statement = { transaction: 'grouped', op: 'db.sql.query', groupText: 'SELECT * FROM carts WHERE id = %s' }
    await insertSpans(opened, [
      { ...statement, domain: 'carts', name: 'SELECT * FROM carts WHERE id = 1' },
      { ...statement, domain: 'carts', name: 'SELECT * FROM carts WHERE id = 2' },
      { transaction: 'grouped', name: 'no text' },
    ])
    const field = ['span.group', 'sentry.normalized_description', 'any(span.domain)', 'count()']
    const { rows } = await ask({ field, query: 'transaction:grouped has:span.group' })
    expect(rows.map((row) => Object.values(row).slice(1))).toEqual([[statement.groupText, 'carts', 2]])
    const again = await ask({ field: ['span.name'], query: `span.group:${String(rows[0]?.['span.group'])}` })
    expect(again.rows).toHaveLength(2)
  })
})
