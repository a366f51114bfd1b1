import { describe, expect, it } from 'vitest'
import { offeredAttributes, searchKeysOf } from './attributes.ts'
import { changeSince, readBefore, timeBefore } from './before.ts'
import { comparedText } from './box.ts'
import { DATASETS, datasetOf } from './datasets.ts'
import { defaultsOf, fromUrl, sortOf, stepOfSamples, toUrl, unknownDataset, usualStep } from './explore-search.ts'
import { expandEquation, withReplaced, writtenEquation } from './equations.ts'
import { readExploreUrl } from './explore-url.ts'
import { nextFunction, readFunction, withFunction } from './functions.ts'
import {
  boxFromText,
  boxOf,
  boxText,
  changed,
  conditionsOf,
  countIn,
  decadesOf,
  gridOf,
  mappedAttribute,
  movedBox,
  rangeOf,
  shadeOf,
} from './heat.ts'
import { chartOf, labelOf, lookOf } from './lines.ts'
import { narrowed } from './narrowed.ts'
import { shownLabel, shownValue } from './shown-value.ts'
import { sampledText } from '../../../lib/sampled-text.ts'
import { formatterOf, formatTick, formatValue, type Kind } from './values.ts'

const [SPANS] = DATASETS

describe('what is offered', () => {
  it('of errors are fields of events and the tags that came, each once', () => {
    const errors = datasetOf('errors')
    const offered = offeredAttributes(errors, [], ['cart.size', 'release', 'browser'])
    expect(offered.map(({ key }) => key)).toEqual([...errors.attributes.map(({ key }) => key), 'cart.size', 'browser'])
    expect(offered.at(-1)).toEqual({ key: 'browser', hint: 'tag' })
    expect(offered.map(({ key }) => key)).toEqual(expect.arrayContaining(['user.id', 'error.unhandled', 'server_name']))
  })

  it('of spans are those that everybody has, then those that came, as what they are', () => {
    const sent = [
      { key: 'release', name: 'release', attributeType: 'string' },
      { key: 'tags[cart.lines,number]', name: 'cart.lines', attributeType: 'number' },
    ]
    expect(offeredAttributes(SPANS, sent, []).slice(SPANS.attributes.length)).toEqual([
      { key: 'tags[cart.lines,number]', label: 'cart.lines', hint: 'number' },
    ])
  })

  it('to search errors by is all that a search for events knows, and nothing that only issues have', () => {
    const keys = searchKeysOf(datasetOf('errors')).map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toEqual(expect.arrayContaining(['error.type', 'stack.function', 'has', 'issue', 'project', 'culprit']))
    for (const key of ['is', 'assigned', 'timesSeen']) expect(keys).not.toContain(key)
    expect(searchKeysOf(SPANS)).toBe(SPANS.attributes)
  })
})

describe('the address', () => {
  it('is empty for what is asked first, and says all that differs', () => {
    const usual = defaultsOf(SPANS)
    expect(toUrl(usual)).toEqual({})
    expect(fromUrl(readExploreUrl({}))).toEqual(usual)
    const asked = {
      ...usual,
      query: 'span.op:db',
      visualise: ['count()', 'equation|count() / epm()'],
      group: [],
      sort: '-epm()',
      interval: '1h',
      show: 'samples',
      form: 'bars',
      top: '10',
      raw: true,
      statsPeriod: '7d',
      project: ['3'],
    } as const
    expect(fromUrl(readExploreUrl({ ...toUrl(asked) }))).toEqual(asked)
  })

  it('is read whatever somebody made of it', () => {
    const read = (raw: Record<string, unknown>) => fromUrl(readExploreUrl(raw))
    expect(read({ dataset: 'nonsense', show: 7, visualise: [''], interval: '1y', raw: 'yes' })).toEqual(
      defaultsOf(SPANS),
    )
    expect(read({ visualise: 'max(span.duration)', group: 'release' })).toMatchObject({
      visualise: ['max(span.duration)'],
      group: ['release'],
    })
    expect(read({ dataset: 'errors' })).toMatchObject({
      dataset: 'errors',
      visualise: ['count()', 'count_unique(user)', 'avg(error.unhandled)'],
    })
    // An attribute alone is no number over time: what one asks of such an attribute is meant.
    const shown = (visualise: readonly string[], dataset = 'spans') => read({ dataset, visualise }).visualise
    expect(shown(['span.duration'])).toEqual(['p95(span.duration)'])
    expect(shown(['measurements.lcp', 'release', 'epm'])).toEqual([
      'p95(measurements.lcp)',
      'count_unique(release)',
      'epm()',
    ])
    expect(shown(['span.duration', 'p95(span.duration)'])).toEqual(['p95(span.duration)'])
    expect(shown(['user'], 'errors')).toEqual(['count_unique(user)'])
    expect(shown(['value'], 'tracemetrics')).toEqual(['count()', 'last_seen()'])
  })

  it('knows a dataset by the name of its tab and by those Sentry has, and says which it does not know', () => {
    const asked = (dataset: string, query = '') => {
      const read = fromUrl(readExploreUrl({ dataset, query }))
      return [read.dataset, read.query]
    }
    for (const name of ['spans', 'errors', 'logs', 'tracemetrics']) expect(asked(name)).toEqual([name, ''])
    expect(['metrics', 'ourlogs', 'discover', 'spansMetrics'].map((name) => asked(name)[0])).toEqual([
      'tracemetrics',
      'logs',
      'errors',
      'spans',
    ])
    expect(asked('transactions', 'span.op:http')).toEqual(['spans', 'is_transaction:true span.op:http'])
    expect(asked('transactions', 'is_transaction:true')).toEqual(['spans', 'is_transaction:true'])
    const unknown = (raw: Record<string, unknown>) => unknownDataset(readExploreUrl(raw))
    expect([unknown({}), unknown({ dataset: 'logs' }), unknown({ dataset: 'metrics' })]).toEqual([null, null, null])
    expect([unknown({ dataset: 'profiles' }), unknown({ dataset: 'toString' })]).toEqual(['profiles', 'toString'])
  })

  it('sorts by a column that is there, else by the first function', () => {
    const usual = defaultsOf(SPANS)
    expect(sortOf({ ...usual, sort: 'span.op' }, [])).toBe('span.op')
    expect(sortOf({ ...usual, sort: '-max(x)' }, [])).toBe('-p95(span.duration)')
    expect(sortOf({ ...usual, show: 'samples', sort: '-epm()' }, ['timestamp'])).toBe('-timestamp')
  })

  it('has steps that suit the time', () => {
    const of = (statsPeriod: string) => usualStep({ statsPeriod })
    expect([of('1h'), of('24h'), of('14d'), of('90d')]).toEqual([60, 900, 14_400, 86_400])
    expect(usualStep({ statsPeriod: '24h', start: '2026-01-01T00:00:00Z', end: '2026-01-01T02:00:00Z' })).toBe(60)
    const few = (samples: number) => stepOfSamples({ statsPeriod: '24h' }, samples)
    expect([few(0), few(84), few(200), few(470), few(5000)]).toEqual([7200, 7200, 3600, 1800, 900])
    expect([stepOfSamples({ statsPeriod: '1h' }, 3), stepOfSamples({ statsPeriod: '5m' }, 3)]).toEqual([300, 60])
  })
})

describe('functions', () => {
  it('are read, and keep their attribute when another of the kind is chosen', () => {
    const chosen = readFunction(SPANS, 'p95(measurements.lcp)')
    const avg = SPANS.functions.find(({ name }) => name === 'avg')
    const count = SPANS.functions.find(({ name }) => name === 'count')
    if (chosen === null || avg === undefined || count === undefined) throw new Error('they are there')
    expect(withFunction(chosen, avg)).toBe('avg(measurements.lcp)')
    expect(withFunction(chosen, count)).toBe('count()')
  })

  it('that the screen does not offer stay as they are', () => {
    for (const text of ['equation|count() / 2', 'count_if(`span.op:db`)', 'nonsense', 'nope(1)'])
      expect(readFunction(SPANS, text)).toBeNull()
  })

  it('are added until there is none left', () => {
    expect(nextFunction(SPANS, ['count()'])).toBe('epm()')
    expect(nextFunction({ ...SPANS, functions: [] }, [])).toBeNull()
  })
})

it('projects and levels are called what they are called elsewhere, and others what they are', () => {
  const projects = new Map([
    ['shop-api', 'Shop API'],
    ['3', 'Shop API'],
  ])
  const shown = (key: string, value: unknown) => shownValue(key, value, projects)
  expect([shown('project', 'shop-api'), shown('project.id', 3), shown('project', 'gone')]).toEqual([
    'Shop API',
    'Shop API',
    'gone',
  ])
  expect([shown('severity', 'warn'), shown('level', 'info'), shown('level', ''), shown('plan', 'warn')]).toEqual([
    'warning',
    'info',
    '(none)',
    'warn',
  ])
  const line = { label: 'warn · shop-api', group: ['warn', 'shop-api'], isOther: false }
  expect(shownLabel(['severity', 'project'], line, projects)).toBe('warning · Shop API')
  // Where the values of a group came joined, they stay as they are.
  expect(shownLabel(['severity', 'project'], { ...line, group: ['warn,shop-api'] }, projects)).toBe('warn · shop-api')
})

describe('against the time before', () => {
  it('that is as long, and ends where what is asked for begins', () => {
    const now = Date.parse('2026-11-22T14:00:00Z')
    expect(timeBefore({ statsPeriod: '24h' }, now)).toEqual({
      start: '2026-11-20T14:00:00.000Z',
      end: '2026-11-21T14:00:00.000Z',
    })
    const range = { statsPeriod: '24h', start: '2026-11-22T10:00:00Z', end: '2026-11-22T12:00:00Z' }
    expect(timeBefore(range, now)).toEqual({ start: '2026-11-22T08:00:00.000Z', end: '2026-11-22T10:00:00.000Z' })
  })

  it('a group says how it moved, in colour where more is worse and there are enough of them', () => {
    const p95 = 'p95(span.duration)'
    const rows = [
      { 'span.op': 'db', [p95]: 100 },
      { 'span.op': 'http', [p95]: null },
    ]
    const before = readBefore(rows, [{ [p95]: 40 }, {}], ['span.op'], p95)
    const duration = { type: 'duration', unit: 'millisecond' }
    const change = (group: string, value: unknown, samples: number, column = p95, kind: Kind = duration) =>
      changeSince({ value, samples }, before.get(group), column, kind)
    expect(change('db', 129, 50)).toEqual({ text: '+29%', verdict: 'worse' })
    expect(change('db', 129, 5)).toEqual({ text: '+29%', verdict: 'same' })
    expect(change('db', 50, 50)).toEqual({ text: '−50%', verdict: 'better' })
    expect(change('db', 129, 50, 'count()', { type: 'integer', unit: null })).toEqual({ text: '+29%', verdict: 'same' })
    expect(change('db', 129, 50, 'sum(span.duration)')).toEqual({ text: '+29%', verdict: 'same' })
    expect([change('http', 129, 50), change('queue', 129, 50), change('db', null, 50)]).toEqual([null, null, null])
  })
})

describe('lines', () => {
  const values = [
    { timestamp: 1000, value: 1, incomplete: false },
    { timestamp: 2000, value: null, incomplete: true },
  ]
  const meta = { valueType: 'duration', valueUnit: 'millisecond', interval: 1000 }

  it('of groups have all axes, others last, and know what is not complete', () => {
    const groupBy = [
      { key: 'span.op', value: 'db' },
      { key: 'release', value: '' },
    ]
    const chart = chartOf({
      timeSeries: [
        { yAxis: 'p95()', groupBy, values, meta },
        { yAxis: 'count()', groupBy, values, meta: { ...meta, valueType: 'integer' } },
        { yAxis: 'p95()', groupBy: [], values, meta: { ...meta, isOther: true } },
      ],
      meta: { dataset: 'spans', start: 0, end: 3000 },
    })
    expect(chart).toMatchObject({ times: [1000, 2000], bucketMs: 1000, incompleteFromMs: 2000 })
    expect(chart.lines.map(({ label, isOther }) => [label, isOther])).toEqual([
      ['db · (none)', false],
      ['all others', true],
    ])
    expect(chart.lines[0]?.values.get('p95()')).toEqual([1, null])
    expect(chart.kinds.get('count()')).toEqual({ type: 'integer', unit: 'millisecond' })
    expect(labelOf(['db', null])).toBe('db · (none)')
  })

  it('have the time before at the same places, where it is compared', () => {
    const compared = values.map((value, place) => ({ ...value, comparisonValue: place === 0 ? 7 : null }))
    const { lines } = chartOf({
      timeSeries: [{ yAxis: 'p95()', values: compared, meta }],
      meta: { dataset: 'spans', start: 0, end: 3000 },
    })
    expect(lines[0]?.before.get('p95()')).toEqual([7, null])
  })

  it('look unlike each other', () => {
    const looks = Array.from({ length: 10 }, (_, place) => JSON.stringify(lookOf(place, false)))
    expect(new Set(looks).size).toBe(10)
  })
})

describe('values', () => {
  it('are written by what they are', () => {
    expect(formatValue({ type: 'duration', unit: 'millisecond' }, 3180)).toBe('3.18 s')
    expect(formatValue({ type: 'percentage', unit: null }, 0.009)).toBe('0.9%')
    expect(formatValue({ type: 'rate', unit: '1/minute' }, 31.2)).toBe('31.2 /min')
    expect(formatValue({ type: 'integer', unit: null }, 44_928)).toBe('44,928')
    expect(formatValue({ type: 'number', unit: null }, 0.93)).toBe('0.93')
    expect(formatValue({ type: 'size', unit: 'byte' }, 4100)).toBe('4.1 kB')
    expect(formatValue({ type: 'boolean', unit: null }, false)).toBe('no')
    expect(formatValue({ type: 'number', unit: null }, null)).toBe('–')
    expect(formatTick({ type: 'duration', unit: 'millisecond' }, 8000)).toBe('8 s')
    expect(formatTick({ type: 'duration', unit: 'millisecond' }, 2500)).toBe('2.5 s')
  })

  it('that stand for more than was kept say so, and no others', () => {
    const rates = [0.02, 0.05, 1]
    expect(rates.map(formatterOf({ type: 'rate', unit: '1/minute' }, rates))).toEqual(['1.2 /h', '3.0 /h', '60.0 /h'])
    expect([0.5, null].map(formatterOf({ type: 'rate', unit: '1/second' }, [0.5]))).toEqual(['0.5 /s', '–'])
    expect(sampledText(1240, 0.05)).toBe('×20, from 1,240 samples')
    expect(sampledText(1, 0.4)).toBe('×2.5, from 1 sample')
    expect(sampledText(9, 1)).toBeNull()
    expect(sampledText(undefined, null)).toBeNull()
  })

  it('of a group narrow the search, also those that are not there', () => {
    expect(narrowed('boom', 'span.op', 'db')).toBe('boom span.op:db')
    expect(narrowed('', 'cart name', '')).toBe('!has:"cart name"')
    expect(narrowed('!has:release', 'release', null)).toBe('!has:release')
  })
})

describe('equations', () => {
  const shown = ['count()', 'sum(`span.op:"A (B"`,span.duration)', 'equation|count() / 2']

  it('are written with letters and asked with functions', () => {
    const asked = 'equation|sum(`span.op:"A (B"`,span.duration) / (count() - 1.5) * -100'
    expect(expandEquation(' B / (A - 1.5) * -100', shown, 3)).toEqual({ ok: true, text: asked })
    expect(writtenEquation(asked, shown)).toBe('B / (A - 1.5) * -100')
    expect(writtenEquation(asked, ['count()'])).toBe('sum(`span.op:"A (B"`,span.duration) / (A - 1.5) * -100')
    expect(expandEquation('C + A', shown, 3)).toEqual({ ok: true, text: 'equation|(count() / 2) + count()' })
    expect(expandEquation('epm() / A', shown, 3)).toEqual({ ok: true, text: 'equation|epm() / count()' })
  })

  it('say what is wrong with them', () => {
    const problem = (written: string, own = 3) => expandEquation(written, shown, own)
    expect(problem('D * 2')).toEqual({ ok: false, problem: 'There is no function D.' })
    expect(problem('C * 2', 2)).toEqual({ ok: false, problem: 'There is no function C.' })
    for (const written of ['A % 2', 'a / 2', 'AB', 'count(', 'A; drop']) {
      expect([written, problem(written)]).toEqual([
        written,
        { ok: false, problem: expect.stringContaining('is no letter of a function') },
      ])
    }
    expect(problem('1 + 2')).toMatchObject({ ok: false })
    expect(problem('')).toMatchObject({ ok: false })
  })

  it('follow their letters when a function becomes another', () => {
    expect(withReplaced(shown, 0, 'epm()')).toEqual(['epm()', shown[1], 'equation|epm() / 2'])
    expect(withReplaced(shown, 2, 'equation|count() / 3')).toEqual([shown[0], shown[1], 'equation|count() / 3'])
  })
})

describe('the heat map', () => {
  it('is of what each row has, and of errors of the first number that is asked about', () => {
    const of = (dataset: 'spans' | 'errors', ...visualise: string[]) => mappedAttribute({ dataset, visualise })
    expect(of('spans', 'count()')).toBe('span.duration')
    expect(of('errors', 'count()', 'count_unique(user)')).toBeNull()
    expect(of('errors', 'count()', 'p95(cart.size)', 'max(device.free_memory)')).toBe('cart.size')
    // A share of what is true is no number that each row has.
    expect(of('errors', 'avg(error.unhandled)')).toBeNull()
    expect(of('errors', 'avg(tags[paid,boolean])', 'avg(cart.size)')).toBe('cart.size')
  })

  const map = {
    attribute: 'span.duration',
    type: 'duration',
    unit: 'millisecond',
    start: 1_000_000,
    interval: 60_000,
    steps: 10,
    end: 1_600_000,
    levelsPerDoubling: 2,
    cells: [
      [0, 12, 4],
      [3, 12, 1],
      [9, 20, 100],
    ] as [number, number, number][],
  }

  it('has the levels that occur, and never too few to have a shape', () => {
    expect(gridOf(map)).toEqual({
      steps: 10,
      across: 10,
      end: 1_600_000,
      lowest: 12,
      levels: 9,
      most: 100,
      total: 105,
    })
    expect(gridOf({ ...map, cells: [] })).toMatchObject({ levels: 8, total: 0 })
    expect(gridOf({ ...map, cells: [[0, -3, 1]] })).toMatchObject({ lowest: -3, levels: 8 })
    expect(shadeOf(1, 100)).toBeCloseTo(0.12)
    expect(shadeOf(100, 100)).toBeCloseTo(1)
    expect(shadeOf(1, 1)).toBe(1)
  })

  it('ends with its time, not with the last step', () => {
    expect(gridOf({ ...map, end: 1_330_000, cells: [] })).toMatchObject({ steps: 6, across: 5.5, end: 1_330_000 })
    const grid = gridOf({ ...map, end: 1_330_000, cells: [[5, 12, 1]] })
    expect(boxOf(grid, { x: 0.95, y: 1 }, { x: 1, y: 1 })).toMatchObject({ fromStep: 5, toStep: 5 })
    // What a clock that is ahead sent is seen, too.
    expect(gridOf({ ...map, end: 1_330_000, cells: [[7, 12, 1]] })).toMatchObject({ across: 8, end: 1_480_000 })
  })

  it('has a scale of powers of ten, where few 1, 2 and 5 of each', () => {
    const wide = gridOf({
      ...map,
      cells: [
        [0, 2, 1],
        [0, 29, 1],
      ],
    })
    expect(decadesOf(map, wide).map(({ value }) => value)).toEqual([10, 100, 1000, 10_000])
    const narrow = gridOf({ ...map, cells: [[0, 12, 1]] })
    expect(decadesOf(map, narrow).map(({ value }) => value)).toEqual([100, 200, 500, 1000])
    expect(decadesOf(map, narrow).at(-1)?.share).toBeCloseTo((Math.log2(1000) * 2 - 12) / 8)
  })

  it('has a box of whole cells, whichever corner it was begun at', () => {
    const grid = gridOf(map)
    const box = boxOf(grid, { x: 0.45, y: 1 }, { x: 0, y: 0.95 })
    expect(box).toEqual({ fromStep: 0, toStep: 4, fromLevel: 12, toLevel: 12 })
    expect(boxOf(grid, { x: 0, y: 0.95 }, { x: 0.45, y: 1 })).toEqual(box)
    expect(countIn(map, box)).toBe(5)
    expect(rangeOf(map, box)).toEqual({ from: 64, to: 2 ** 6.5, start: 1_000_000, end: 1_300_000 })
    expect(boxOf(grid, { x: -1, y: -1 }, { x: 2, y: 2 })).toEqual({
      fromStep: 0,
      toStep: 9,
      fromLevel: 12,
      toLevel: 20,
    })
    expect(conditionsOf('span.duration', 'duration', 64, 2 ** 6.5)).toEqual([
      'span.duration:>=64ms',
      'span.duration:<90.5097ms',
    ])
  })

  it('has a box that stands in the address by its times and values, wherever the map begins by then', () => {
    const grid = gridOf(map)
    const box = { fromStep: 2, toStep: 4, fromLevel: 13, toLevel: 15 }
    const text = boxText(map, box)
    expect(text).toBe('1120000,1300000,90.5097,256')
    expect(boxFromText(map, grid, text)).toEqual(box)
    const later = { ...map, start: map.start + 2 * map.interval, end: map.end + 2 * map.interval }
    expect(boxFromText(later, gridOf(later), text)).toEqual({ ...box, fromStep: 0, toStep: 2 })
    const muchLater = { ...map, start: map.start + 20 * map.interval, end: map.end + 20 * map.interval }
    for (const none of ['', 'a,b,c,d', '1,2,3', '1120000,1300000,0,-1', `${text},1`]) {
      expect(boxFromText(map, grid, none), none).toBeNull()
    }
    expect(boxFromText(muchLater, gridOf(muchLater), text)).toBeNull()
    const drawn = fromUrl({ box: text })
    expect(toUrl(drawn)).toEqual({ box: text })
    expect(changed(drawn, { query: 'a' }).box).toBe(text)
    expect(changed(drawn, { statsPeriod: '7d' }).box).toBe('')
    expect(changed(fromUrl({ dataset: 'errors', box: text }), { visualise: ['avg(cart.size)'] }).box).toBe('')
  })

  it('has a box that arrow keys draw, move and change in size, within the map', () => {
    const grid = gridOf(map)
    const first = movedBox(grid, null, 'ArrowUp', false)
    expect(first).toEqual({ fromStep: 0, toStep: 9, fromLevel: 16, toLevel: 20 })
    expect(movedBox(grid, first, 'ArrowRight', false)).toEqual(first)
    expect(movedBox(grid, first, 'ArrowDown', false)).toEqual({ ...first, fromLevel: 15, toLevel: 19 })
    const narrow = movedBox(grid, first, 'ArrowLeft', true)
    expect(narrow).toEqual({ ...first, toStep: 8 })
    expect(movedBox(grid, narrow, 'ArrowRight', false)).toMatchObject({ fromStep: 1, toStep: 9 })
    const cell = { fromStep: 0, toStep: 0, fromLevel: 12, toLevel: 12 }
    expect(movedBox(grid, cell, 'ArrowLeft', true)).toEqual(cell)
    expect(movedBox(grid, cell, 'ArrowDown', false)).toEqual(cell)
    expect(movedBox(grid, cell, 'Tab', false)).toBeNull()
  })

  it('says of a box how much was compared, and whether it was a sample', () => {
    const side = { rows: 40, things: 80, looked: 40 }
    const told = (more: object, found = 1) =>
      comparedText({ inside: side, outside: side, attributes: 61, differences: { length: found }, ...more }, 'spans')
    expect(told({})).toBe('80 spans in it, 80 outside. The most telling of 61 attributes first.')
    expect(told({}, 0)).toBe('80 spans in it, 80 outside. None of 61 attributes tells one from the other.')
    expect(told({ outside: { rows: 9000, things: 9000, looked: 4501 } })).toBe(
      '80 spans in it, 9,000 outside. The most telling of 61 attributes first. Looked at a sample: 40 in it, 4,501 outside.',
    )
    expect(told({ inside: { rows: 0, things: 0, looked: 0 } })).toBe('No spans in it.')
    expect(told({ outside: { rows: 0, things: 0, looked: 0 } })).toContain('nothing to compare with')
  })
})
