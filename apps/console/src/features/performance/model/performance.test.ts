import { describe, expect, it } from 'vitest'
import { sortedBy } from '../../../lib/sort.ts'
import {
  changeOf,
  changeOfRow,
  formatApdex,
  formatMisery,
  formatPerMinute,
  formatRate,
  formatShare,
  formatThroughput,
  isFailing,
  timeBeforeText,
  whyNoMisery,
} from './change.ts'
import { compactList, compactTransaction, readPerformanceUrl, readTransactionUrl } from './performance-search.ts'
import { foundCondition, runCondition, traceIdIn } from './found.ts'
import { exactRate, formatRateIn, isTold, rateUnitOf } from './rate-unit.ts'
import { silentSince } from './silence.ts'
import { SMALLEST_FIRST, transactionFromUrl, transactionsFromUrl } from './shown.ts'
import { labelOf, marksOf, placeOn, scaleFor } from './ruler.ts'

describe('the URL of the list', () => {
  it('is read back as it was written', () => {
    const url = { query: 'cart', sort: '-p95', statsPeriod: '7d', project: ['4'], environment: ['production'] } as const
    expect(readPerformanceUrl(url)).toEqual(url)
    expect(compactList(transactionsFromUrl(url))).toEqual(url)
  })

  it('leaves out defaults and what cannot be read', () => {
    expect(readPerformanceUrl({ sort: '-total', statsPeriod: '24h', query: '' })).toEqual({})
    expect(readPerformanceUrl({ sort: 'speed', statsPeriod: 'soon', project: '-1' })).toEqual({})
    expect(readPerformanceUrl({ statsPeriod: '14d' })).toEqual({ statsPeriod: '14d' })
  })

  it('names a transaction whole', () => {
    expect(readTransactionUrl({ transaction: 'GET /a?b=c', op: 'http.server', start: 'x' })).toEqual({
      transaction: 'GET /a?b=c',
      op: 'http.server',
    })
    const ofSome = { transaction: 'GET /a', query: 'release:shop@1.0.0' }
    expect(readTransactionUrl(ofSome)).toEqual(ofSome)
    expect(compactTransaction(transactionFromUrl(ofSome))).toEqual(ofSome)
    expect(readTransactionUrl({})).toEqual({ transaction: '' })
  })
})

it('a search for runs goes with them to the page of a transaction, words of its name do not', () => {
  expect(runCondition('cart release:shop@1.0.0')).toBe('cart release:shop@1.0.0')
  expect([runCondition('cart OR order'), runCondition('')]).toEqual([undefined, undefined])
})

it('the id of a trace that was pasted is one', () => {
  expect(traceIdIn(' 7F3C19E0-b2d8-4f8a-a1c0-de7f3c19e0b2 ')).toBe('7f3c19e0b2d84f8aa1c0de7f3c19e0b2')
  expect([traceIdIn('cart'), traceIdIn(''), traceIdIn('7f3c19e0')]).toEqual([null, null, null])
})

it('a chart whose lines end before its axis says so', () => {
  const steps = (...counts: number[]) => counts.map((count, place) => ({ at: place * 60, count }))
  expect(silentSince(steps(0, 3, 0, 1, 0, 0), 60)).toBe(240)
  // The last step has only begun.
  expect(silentSince(steps(0, 3, 0), 60)).toBeNull()
  expect(silentSince(steps(0, 0, 0), 60)).toBeNull()
  expect(silentSince([], 60)).toBeNull()
})

it('a head of a column sorts by what is worst', () => {
  const pressed = (['p95', 'transaction', 'apdex'] as const).map((column) => sortedBy('-total', column, SMALLEST_FIRST))
  expect(pressed).toEqual(['-p95', 'transaction', 'apdex'])
})

it('a change says how much, and whether that is worth a colour', () => {
  expect(changeOf(129, 100, 20)).toEqual({ text: '+29%', verdict: 'worse' })
  expect(changeOf(110, 100, 500)).toEqual({ text: '+10%', verdict: 'same' })
  expect(changeOf(410, 100, 500)).toEqual({ text: '×4.1', verdict: 'worse' })
  expect(changeOf(36, 100, 500)).toEqual({ text: '−64%', verdict: 'better' })
  expect(changeOf(100.2, 100, 500)).toEqual({ text: '±0%', verdict: 'same' })
  expect(changeOf(100, undefined, 500)).toBeNull()
  expect(changeOf(100, 0, 500)).toBeNull()
})

it('few values are told, and not in colour', () => {
  expect(changeOf(500, 100, 4)).toEqual({ text: '×5.0', verdict: 'same' })
  expect(changeOf(20, 100, 19)).toEqual({ text: '−80%', verdict: 'same' })
  expect([isFailing(1, 4), isFailing(1 / 26, 26), isFailing(2 / 26, 26), isFailing(0.009, 1000)]).toEqual([
    false,
    false,
    true,
    false,
  ])
  expect([isFailing(0, 500), isFailing(null, 0)]).toEqual([false, false])
})

it('T40 one sample that stands for a hundred is told, and not in colour', () => {
  const row = { p95: 4000, samples: 1, before: { p95: 400, samples: 1 } }
  expect(changeOfRow(row)).toEqual({ text: '×10', verdict: 'same' })
  expect(changeOfRow({ ...row, samples: 20, before: { p95: 400, samples: 20 } })?.verdict).toBe('worse')
  expect(changeOfRow({ ...row, before: null })).toBeNull()
})

it('the misery of nobody is a dash that says why', () => {
  const miseryOf = (miserable: number, users: number): number => (miserable + 5.8875) / (users + 117.75)
  expect([formatMisery(miseryOf(0, 1), 1), formatMisery(miseryOf(0, 9000), 9000)]).toEqual(['–', '–'])
  expect(formatMisery(miseryOf(1, 3), 3)).toBe('5.7%')
  expect(whyNoMisery(miseryOf(0, 1), 1)).toContain('four times the threshold')
  expect(whyNoMisery(miseryOf(0, 0), 0)).toContain('no users')
  expect(whyNoMisery(miseryOf(2, 3), 3)).toBeUndefined()
})

it('what is rare is told by the hour or the day', () => {
  expect([0, 0.2, 18.42, 1204.7].map(formatPerMinute)).toEqual(['0.0', '0.2', '18.4', '1,205'])
  expect([0.08, 1 / 60, 3 / 1440].map(formatPerMinute)).toEqual(['4.8 /h', '1.0 /h', '3.0 /d'])
  expect([0.2, 0.08].map(formatThroughput)).toEqual(['0.2 /min', '4.8 /h'])
})

it('rates of a list are in one unit, in which half of them are 1 or more', () => {
  const columnOf = (...perMinute: number[]) => {
    const unit = rateUnitOf(perMinute)
    return [unit.text, ...perMinute.map((rate) => formatRateIn(rate, unit))]
  }
  expect(columnOf(0.2, 18.42, 1204.7)).toEqual(['/min', '0.2', '18.4', '1,205'])
  expect(columnOf(0.08, 0.02, 30)).toEqual(['/h', '4.8', '1.2', '1,800'])
  expect(columnOf(1 / 1440, 3 / 1440, 40)).toEqual(['/d', '1.0', '3.0', '57.6K'])
  expect([columnOf(), columnOf(0)]).toEqual([['/min'], ['/min', '0.0']])
  // By the day, of a day: that is how many there were.
  expect([isTold(rateUnitOf([1 / 1440]), 86_400), isTold(rateUnitOf([1 / 1440]), 7 * 86_400)]).toEqual([false, true])
  expect(exactRate(5 / 1440)).toBe('0.00347222 /min, 0.208333 /h, 5 /d')
})

describe('a search for transactions', () => {
  it('is asked of spans: its words are parts of a name', () => {
    expect(foundCondition('')).toBe('')
    expect(foundCondition(' GET /cart ')).toBe('transaction:"*GET*" transaction:"*/cart*"')
    expect(foundCondition('"GET /cart" release:[a,b]')).toBe('transaction:"*GET /cart*" release:[a,b]')
    expect(foundCondition('cart*buy !span.op:db')).toBe('transaction:"*cart*buy*" !span.op:db')
    expect(foundCondition(String.raw`50\% "say \"hi\""`)).toContain(String.raw`say \"hi\"`)
  })

  it('stands beside other conditions as a whole', () => {
    expect(foundCondition('span.status:error OR /cart')).toBe('(span.status:error OR transaction:"*/cart*")')
    expect(foundCondition('"a OR b"')).toBe('transaction:"*a OR b*"')
  })
})

it('what is compared with is named', () => {
  expect([{ statsPeriod: '24h' }, { statsPeriod: '7d' }, { statsPeriod: '1h' }].map(timeBeforeText)).toEqual([
    'the 24 h before',
    'the 7 days before',
    'the hour before',
  ])
  expect(timeBeforeText({ statsPeriod: '24h', start: '2026-11-01T00:00:00.000Z' })).toBe('the equally long time before')
})

it('numbers are short', () => {
  expect([0, 0.008, 0.0412, 0.324, 1, null].map(formatShare)).toEqual(['0%', '0.8%', '4.1%', '32%', '100%', '–'])
  expect([0.934, null].map(formatApdex)).toEqual(['0.93', '–'])
  expect([0, 0.01, 18.42, 1204.7].map(formatRate)).toEqual(['0.0', '<0.1', '18.4', '1,205'])
})

describe('the ruler', () => {
  it('has one scale for all rows, from a power of ten to a power of ten', () => {
    const scale = scaleFor([
      { p50: 21, p99: 190 },
      { p50: 312, p99: 4620 },
    ])
    expect(scale).toEqual({ from: 10, to: 10_000 })
    expect(marksOf(scale)).toEqual([10, 100, 1000, 10_000])
    expect([1, 10, 100, 10_000, 99_999].map((value) => placeOn(scale, value))).toEqual([0, 0, 1 / 3, 1, 1])
  })

  it('holds for nothing and for no time at all', () => {
    expect(scaleFor([])).toEqual({ from: 1, to: 10 })
    expect(scaleFor([{ p50: 0, p99: 0 }])).toEqual({ from: 1, to: 10 })
  })
})

it('the marks of the ruler name their unit where it begins', () => {
  const labels = (from: number, to: number) => marksOf({ from, to }).map((mark) => labelOf(mark, { from, to }))
  expect(labels(10, 10_000)).toEqual(['10 ms', '100', '1 s', '10'])
  expect(labels(1000, 10_000)).toEqual(['1 s', '10'])
  // They stand apart.
  expect(labels(10, 100_000)).toEqual(['10 ms', '1 s', '100'])
  expect(labels(1, 100_000)).toEqual(['1 ms', '100', '10 s'])
})
