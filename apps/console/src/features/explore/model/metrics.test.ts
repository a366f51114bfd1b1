import { describe, expect, it } from 'vitest'
import { DATASETS, datasetOf } from './datasets.ts'
import { defaultsOf, fromUrl, isCatalogue, toUrl } from './explore-search.ts'
import { readExploreUrl } from './explore-url.ts'
import { nextFunction, readFunction, withFunction } from './functions.ts'
import {
  describeMetric,
  type Metric,
  METRIC_FUNCTIONS,
  metricOf,
  metricOfRow,
  readMetricFunction,
  searchOfMetric,
  titleOf,
  usualFunctions,
  writeMetricFunction,
} from './metrics.ts'
import { kindOfUnit } from './units.ts'
import { formatTick, formatValue } from './values.ts'

const METRICS = datasetOf('tracemetrics')
const TIME: Metric = { name: 'checkout.time', type: 'distribution', unit: 'second' }

describe('a metric', () => {
  it('is named by the arguments of a function, whatever it is called', () => {
    const names = ['checkout.time', 'a, b', 'counter,gauge', 'f(x)', '[a]', ' spaced ', '日本', '`tick`']
    for (const name of names) {
      const metric: Metric = { name, type: 'gauge', unit: 'none' }
      const written = writeMetricFunction('avg', metric)
      expect(readMetricFunction(written), written).toEqual({ name: 'avg', metric })
    }
    expect(writeMetricFunction('p95', TIME)).toBe('p95(value,checkout.time,distribution,second)')
    // As other clients write it.
    expect(readMetricFunction('sum(value, orders, counter, -)')?.metric).toEqual({
      name: 'orders',
      type: 'counter',
      unit: '-',
    })
    for (const text of ['count()', 'p95(span.duration)', 'sum(value,orders,set,-)', 'equation|count() / 2'])
      expect(readMetricFunction(text)).toBeNull()
  })

  it('is said in few words', () => {
    expect(titleOf('p95(value,checkout.time,distribution,second)')).toBe('p95(checkout.time)')
    expect(titleOf('equation|count() / 2')).toBe('count() / 2')
    expect(describeMetric(TIME)).toBe('distribution · second')
    expect(describeMetric({ ...TIME, type: 'counter', unit: 'none' })).toBe('counter')
  })

  it('of a row of the list has a type that is known', () => {
    const row = { 'metric.name': 'orders', 'metric.type': 'counter', 'metric.unit': '' }
    expect(metricOfRow(row)).toEqual({ name: 'orders', type: 'counter', unit: 'none' })
    expect(metricOfRow({ ...row, 'metric.type': 'set' })).toBeNull()
  })

  it('narrows the search for its single values', () => {
    expect(searchOfMetric('plan:pro', TIME)).toBe(
      'plan:pro metric.name:checkout.time metric.type:distribution metric.unit:second',
    )
    expect(searchOfMetric('', { name: 'a b', type: 'counter', unit: 'none' })).toBe(
      'metric.name:"a b" metric.type:counter !has:metric.unit',
    )
    expect(searchOfMetric('', { ...TIME, unit: '-' })).not.toContain('unit')
  })

  it('keeps its functions to what its type can be asked', () => {
    for (const type of ['counter', 'gauge', 'distribution'] as const) {
      const metric: Metric = { ...TIME, type }
      const offered = METRIC_FUNCTIONS[type].map(({ name }) => name)
      const usual = usualFunctions(metric)
      expect(usual).not.toEqual([])
      for (const text of usual) {
        expect(offered).toContain(readMetricFunction(text)?.name)
        expect(readFunction(METRICS, text)?.metric).toEqual(metric)
      }
    }
    const chosen = readFunction(METRICS, writeMetricFunction('p95', TIME))
    const [p50] = METRIC_FUNCTIONS.distribution
    if (chosen === null || p50 === undefined) throw new Error('they are there')
    expect(withFunction(chosen, p50)).toBe('p50(value,checkout.time,distribution,second)')
    expect(readFunction(METRICS, 'sum(value,cpu,gauge,percent)')).toBeNull()
    expect(nextFunction(METRICS, usualFunctions(TIME))).toBe('p75(value,checkout.time,distribution,second)')
  })

  it('is in the address; until one is chosen there is the list', () => {
    const usual = defaultsOf(METRICS)
    expect(isCatalogue(usual)).toBe(true)
    expect(toUrl(usual)).toEqual({ dataset: 'tracemetrics' })
    const asked = { ...usual, visualise: usualFunctions(TIME), group: ['route'] }
    const again = fromUrl(readExploreUrl({ ...toUrl(asked) }))
    expect(again).toEqual(asked)
    expect([isCatalogue(again), metricOf(again.visualise)]).toEqual([false, TIME])
    for (const dataset of DATASETS.filter((one) => one !== METRICS))
      expect(isCatalogue(defaultsOf(dataset))).toBe(false)
  })
})

describe('units', () => {
  it('say of which kind a value is, and what it is called', () => {
    expect(formatValue(kindOfUnit('second'), 1.5)).toBe(formatValue({ type: 'duration', unit: 'millisecond' }, 1500))
    expect(formatValue(kindOfUnit('percent'), 85)).toBe('85%')
    expect(formatValue(kindOfUnit('kibibyte'), 2)).toBe(formatValue({ type: 'size', unit: 'byte' }, 2048))
    expect(formatValue(kindOfUnit('item'), 12)).toBe('12')
    expect(formatTick(kindOfUnit('minute'), 0)).toBe('0')
  })
})
