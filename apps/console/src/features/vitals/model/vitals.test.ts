import { describe, expect, it } from 'vitest'
import { sortedBy } from '../../../lib/sort.ts'
import { readCard, readDimension, readPage, readSample } from './answers.ts'
import { cardFields, dimensionQuestion, endsOf, goodOf, listQuestion, notPoorOf, samplesQuestion } from './questions.ts'
import { pageFromUrl, SMALLEST_FIRST, vitalsFromUrl } from './shown.ts'
import { FACTS, formatVital, isThin, ratingOf, explainedText, scoreText } from './vitals.ts'
import { compactPage, compactVitals, readPageUrl, readVitalsUrl, VITALS } from './vitals-url.ts'

const MOST_FIELDS = 20

describe('ratings', () => {
  it('T72 both limits belong to the better side: 2500 is good, 2501 is not, 4001 is poor', () => {
    expect([2500, 2501, 4000, 4001].map((value) => ratingOf('lcp', value))).toEqual([
      'good',
      'middling',
      'middling',
      'poor',
    ])
    expect([200, 201, 500, 501].map((value) => ratingOf('inp', value))).toEqual([
      'good',
      'middling',
      'middling',
      'poor',
    ])
    expect([0, 0.1, 0.101, 0.25, 0.26].map((value) => ratingOf('cls', value))).toEqual([
      'good',
      'good',
      'middling',
      'middling',
      'poor',
    ])
    expect(VITALS.map((vital) => [FACTS[vital].good, FACTS[vital].poor])).toEqual([
      [2500, 4000],
      [200, 500],
      [0.1, 0.25],
      [1800, 3000],
      [800, 1800],
    ])
  })

  it('a score says which values make it, and why what is good may score less', () => {
    expect(VITALS.map((vital) => [FACTS[vital].scored.desktop, FACTS[vital].scored.mobile])).toEqual([
      [
        [1200, 2400],
        [2500, 4000],
      ],
      [
        [200, 500],
        [200, 500],
      ],
      [
        [0.1, 0.25],
        [0.1, 0.25],
      ],
      [
        [900, 1600],
        [1800, 3000],
      ],
      [
        [200, 400],
        [800, 1800],
      ],
    ])
    expect(scoreText('ttfb')).toBe(
      'Of 100, averaged over all samples. On a desktop 200 ms scores 90 and 400 ms scores 50, on a phone or tablet 800 ms and 1.8 s. Good is up to 800 ms on any device, so what is good may score less.',
    )
    expect(scoreText('cls')).toBe('Of 100, averaged over all samples. 0.1 scores 90, 0.25 scores 50.')
  })

  it('what a vital is is said with its limits', () => {
    expect(explainedText('lcp')).toBe(
      'When the largest picture or text was painted. Up to 2.5 s is good, more than 4 s poor.',
    )
    expect(explainedText('cls')).toMatch(/Up to 0\.1 is good, more than 0\.25 poor\.$/)
  })

  it('a value has as many digits as its rating needs', () => {
    expect([2720, 2500, 2501, 412, 4003].map((value) => formatVital('lcp', value))).toEqual([
      '2.72 s',
      '2.50 s',
      '2.501 s',
      '412 ms',
      '4.003 s',
    ])
    expect([0, 0.312, 0.1, 0.1004, 0.251].map((value) => formatVital('cls', value))).toEqual([
      '0.00',
      '0.31',
      '0.10',
      '0.1004',
      '0.251',
    ])
    expect(formatVital('inp', 200.3)).toBe('200.3 ms')
    expect(formatVital('inp', null)).toBe('–')
  })

  it('T74 fewer than ten samples are few', () => {
    expect([0, 1, 9, 10, 11].map(isThin)).toEqual([true, true, true, false, false])
  })
})

describe('questions', () => {
  it('have no more columns than an answer may have, and both limits are ends of bars', () => {
    for (const vital of VITALS) {
      expect(cardFields(vital).length).toBeLessThanOrEqual(MOST_FIELDS)
      expect(cardFields(vital)).toContain(goodOf(vital))
      expect(cardFields(vital)).toContain(notPoorOf(vital))
      const page = pageFromUrl({ page: '/', vital })
      expect(samplesQuestion(page).field.length).toBeLessThanOrEqual(MOST_FIELDS)
      expect(dimensionQuestion(page).field.length).toBeLessThanOrEqual(MOST_FIELDS)
    }
    expect(listQuestion(vitalsFromUrl({})).field.length).toBeLessThanOrEqual(MOST_FIELDS)
    expect(endsOf('cls').slice(0, 4)).toEqual([0.025, 0.05, 0.075, 0.1])
  })

  it('what is sorted by is one of the columns', () => {
    for (const sort of ['-lcp', 'score', '-gain', 'page'] as const) {
      const { field, sort: asked } = listQuestion(vitalsFromUrl({ sort }))
      expect(field).toContain(asked[0]?.replace(/^-/, ''))
      expect(asked[0]?.startsWith('-')).toBe(sort.startsWith('-'))
    }
  })

  it('a page is asked for by its name, whatever is in it', () => {
    expect(dimensionQuestion(pageFromUrl({ page: 'say "*"' })).query).toContain(String.raw`transaction:"say \"\*\""`)
  })
})

describe('answers', () => {
  it('a card has the shares of its zones, and how many are in each bar', () => {
    const row = {
      'p75(measurements.lcp)': 2720,
      'count_sample(measurements.lcp)': 50,
      'count(measurements.lcp)': 100,
      'performance_score(measurements.score.lcp)': 0.61,
      ...Object.fromEntries(
        endsOf('lcp').map((end) => [
          `count_if(measurements.lcp,lessOrEquals,${end})`,
          end < 2000 ? 0 : end < 2500 ? 10 : end < 4000 ? 69 : end < 8000 ? 90 : 96,
        ]),
      ),
    }
    const card = readCard('lcp', row)
    expect(card).toMatchObject({ p75: 2720, samples: 50, score: 0.61, of: '100, ×2.0, from 50 samples' })
    expect(card.shares.good).toBeCloseTo(0.69, 9)
    expect(card.shares.middling).toBeCloseTo(0.21, 9)
    expect(card.shares.poor).toBeCloseTo(0.1, 9)
    expect(card.bars).toEqual([0, 0, 0, 10, 59, 0, 0, 21, 0, 0, 0, 0, 0, 0, 0, 6, 4])
    expect(readCard('cls', undefined)).toMatchObject({ p75: null, samples: 0, of: '0', shares: { good: 0 } })
  })

  it('a page has as many samples as its most frequent vital', () => {
    const page = readPage({
      transaction: '/cart',
      project: 'shop',
      'project.id': 4,
      'p75(measurements.lcp)': 900,
      'count_sample(measurements.lcp)': 12,
      'count_sample(measurements.ttfb)': 40,
      'performance_score(measurements.score.total)': null,
    })
    expect(page).toMatchObject({ page: '/cart', projectId: '4', samples: 40, score: null })
    expect(page.vitals.lcp).toEqual({ p75: 900, samples: 12 })
    expect(page.vitals.inp).toEqual({ p75: null, samples: 0 })
  })

  it('a value of a dimension has its shares', () => {
    const row = {
      'browser.name': 'Firefox',
      'p75(measurements.inp)': 210,
      'count_sample(measurements.inp)': 4,
      'count(measurements.inp)': 4,
      'count_if(measurements.inp,lessOrEquals,200)': 2,
      'count_if(measurements.inp,lessOrEquals,500)': 3,
    }
    expect(readDimension('browser', 'inp', row)).toEqual({
      value: 'Firefox',
      p75: 210,
      samples: 4,
      shares: { good: 0.5, middling: 0.25, poor: 0.25 },
    })
  })

  it('T73 a sample names the element to blame, whichever SDK sent it, and INP its phases', () => {
    const inp = readSample('inp', {
      id: 'a',
      'measurements.inp': 320,
      'span.name': 'INP',
      'browser.web_vital.inp.target': 'button.place',
      'browser.web_vital.inp.input_delay': 20,
      'browser.web_vital.inp.processing_duration': 250,
      'browser.web_vital.inp.presentation_delay': 50,
    })
    expect(inp.blame).toEqual(['button.place'])
    expect(inp.phases).toEqual([
      { label: 'input delay', took: 20 },
      { label: 'processing', took: 250 },
      { label: 'presentation', took: 50 },
    ])
    // SDKs 8 to 10: the span is called after the element, and has no phases.
    const older = readSample('inp', { 'measurements.inp': 320, 'span.name': 'body > button#buy' })
    expect([older.blame, older.phases]).toEqual([['body > button#buy'], []])
    expect(readSample('inp', { 'span.name': 'INP' }).blame).toEqual([])
    const cls = { 'cls.source.1': 'div.banner', 'browser.web_vital.cls.source.2': 'p.voucher', 'span.name': '/cart' }
    expect(readSample('cls', cls).blame).toEqual(['div.banner', 'p.voucher'])
    const lcp = { 'browser.web_vital.lcp.element': 'img.hero', 'browser.web_vital.lcp.url': '/hero.avif' }
    expect(readSample('lcp', lcp)).toMatchObject({ blame: ['img.hero'], url: '/hero.avif', phases: [] })
    expect(readSample('ttfb', { 'browser.web_vital.ttfb.request_time': 30 }).phases).toEqual([
      { label: 'until asked', took: 30 },
    ])
  })
})

describe('addresses', () => {
  it('are read back as they were written, without what cannot be read', () => {
    const list = { query: 'cart', sort: '-inp', statsPeriod: '7d', project: ['4'] } as const
    expect(readVitalsUrl(list)).toEqual(list)
    expect(compactVitals(vitalsFromUrl(list))).toEqual(list)
    expect(readVitalsUrl({ sort: '-speed', query: '' })).toEqual({})
    const page = { page: '/cart', vital: 'cls', by: 'country', environment: ['production'] } as const
    expect(readPageUrl(page)).toEqual(page)
    expect(compactPage(pageFromUrl(page))).toEqual(page)
    expect(readPageUrl({ page: '/', vital: 'fid', by: 'moon' })).toEqual({ page: '/' })
  })

  it('a head of a column sorts by what is worst', () => {
    const pressed = (['lcp', 'score', 'page'] as const).map((column) => sortedBy('-gain', column, SMALLEST_FIRST))
    expect(pressed).toEqual(['-lcp', 'score', 'page'])
  })
})
