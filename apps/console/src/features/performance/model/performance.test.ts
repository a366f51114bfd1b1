import { describe, expect, it } from 'vitest'
import { changeOf, formatApdex, formatRate, formatShare } from './change.ts'
import { compactList, readPerformanceUrl, readTransactionUrl } from './performance-search.ts'
import { directionOf, listFromUrl, sortedBy } from './shown.ts'
import { marksOf, placeOn, scaleFor } from './ruler.ts'

describe('the URL of the list', () => {
  it('is read back as it was written', () => {
    const url = { query: 'cart', sort: '-p95', statsPeriod: '7d', project: ['4'], environment: ['production'] } as const
    expect(readPerformanceUrl(url)).toEqual(url)
    expect(compactList(listFromUrl(url))).toEqual(url)
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
    expect(readTransactionUrl({})).toEqual({ transaction: '' })
  })
})

it('a head of a column sorts by what is worst, then turns round', () => {
  expect(sortedBy('-total', 'p95')).toBe('-p95')
  expect(sortedBy('-p95', 'p95')).toBe('p95')
  expect(sortedBy('p95', 'p95')).toBe('-p95')
  expect(sortedBy('-total', 'transaction')).toBe('transaction')
  expect(sortedBy('-total', 'apdex')).toBe('apdex')
  expect([directionOf('-p95', 'p95'), directionOf('p95', 'p95'), directionOf('-p95', 'p50')]).toEqual([
    'descending',
    'ascending',
    'none',
  ])
})

it('a change says how much, and whether that is worth a colour', () => {
  expect(changeOf(129, 100)).toEqual({ text: '+29%', verdict: 'worse' })
  expect(changeOf(110, 100)).toEqual({ text: '+10%', verdict: 'same' })
  expect(changeOf(410, 100)).toEqual({ text: '×4.1', verdict: 'worse' })
  expect(changeOf(36, 100)).toEqual({ text: '−64%', verdict: 'better' })
  expect(changeOf(100.2, 100)).toEqual({ text: '±0%', verdict: 'same' })
  expect(changeOf(100, undefined)).toBeNull()
  expect(changeOf(100, 0)).toBeNull()
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
