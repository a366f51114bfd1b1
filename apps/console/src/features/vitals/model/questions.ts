import { conditionOf } from '../../performance/frame/index.ts'
import { FACTS } from './vitals.ts'
import { type Dimension, type PageSearch, type SortName, type Vital, VITALS, type VitalsSearch } from './vitals-url.ts'
import { formatFilter } from '@firsthand/search-syntax'

/** What is asked of the spans. A vital is an attribute of the page load, or of a span of its own (SDKs 8 to 11 differ). */

const attributeOf = (vital: Vital): string => `measurements.${vital}`
export const p75Of = (vital: Vital): string => `p75(${attributeOf(vital)})`
export const samplesOf = (vital: Vital): string => `count_sample(${attributeOf(vital)})`
export const countOf = (vital: Vital): string => `count(${attributeOf(vital)})`
export const scoreOf = (vital: Vital): string => `performance_score(measurements.score.${vital})`
export const TOTAL_SCORE = 'performance_score(measurements.score.total)'
/** What all loads of a page are short of the best: its share of that of all pages would cost a further look for each vital. */
export const GAIN = `equation|(1 - ${TOTAL_SCORE}) * count()`

const upTo = (vital: Vital, value: number): string => `count_if(${attributeOf(vital)},lessOrEquals,${value})`
export const goodOf = (vital: Vital): string => upTo(vital, FACTS[vital].good)
export const notPoorOf = (vital: Vital): string => upTo(vital, FACTS[vital].poor)

/** The operations of spans that have vitals: looking at no others makes the question ten times as cheap. */
const OPERATIONS = 'span.op:[pageload,ui.webvital.*,ui.interaction.*]'

export const hasVital = (vital: Vital): string => `${OPERATIONS} has:${attributeOf(vital)}`
const HAS_ANY = `${OPERATIONS} (${VITALS.map((vital) => `has:${attributeOf(vital)}`).join(' OR ')})`

export const pageCondition = (page: string): string => formatFilter('transaction', page)

/** Bars of a distribution; what is beyond them is one more. A question has at most 20 columns. */
export const BARS = 16

/** Ends of the bars. */
export const endsOf = (vital: Vital): readonly number[] =>
  Array.from({ length: BARS }, (_, index) => Number(((index + 1) * FACTS[vital].step).toPrecision(6)))

/** One vital: its value, its samples, and how many are within the end of each bar. */
export const cardFields = (vital: Vital): readonly string[] => [
  p75Of(vital),
  samplesOf(vital),
  countOf(vital),
  scoreOf(vital),
  ...endsOf(vital).map((end) => upTo(vital, end)),
]

export const withinOf = (vital: Vital): readonly string[] => endsOf(vital).map((end) => upTo(vital, end))

const SORTED_BY: Readonly<Record<SortName, string>> = {
  lcp: p75Of('lcp'),
  inp: p75Of('inp'),
  cls: p75Of('cls'),
  fcp: p75Of('fcp'),
  ttfb: p75Of('ttfb'),
  score: TOTAL_SCORE,
  gain: GAIN,
  page: 'transaction',
}

export const listQuestion = ({ query, sort }: VitalsSearch) => {
  const descending = sort.startsWith('-')
  return {
    field: [
      'transaction',
      'project',
      'project.id',
      ...VITALS.flatMap((vital) => [p75Of(vital), samplesOf(vital)]),
      TOTAL_SCORE,
      GAIN,
    ],
    query: `${HAS_ANY} ${conditionOf(query, 'transaction')}`.trim(),
    sort: [`${descending ? '-' : ''}${SORTED_BY[(descending ? sort.slice(1) : sort) as SortName]}`],
  }
}

/** The element that a vital is about, where its SDK says it under today's name. */
const ELEMENTS: Readonly<Partial<Record<Vital, string>>> = {
  lcp: 'browser.web_vital.lcp.element',
  cls: 'browser.web_vital.cls.source.1',
  inp: 'browser.web_vital.inp.target',
}

export const hasElement = (vital: Vital): boolean => ELEMENTS[vital] !== undefined

/** A vital that has no element is told apart by browser. */
export const dimensionField = (by: Dimension, vital: Vital): string => {
  switch (by) {
    case 'browser':
      return 'browser.name'
    case 'device':
      return 'device.family'
    case 'system':
      return 'os.name'
    case 'country':
      return 'user.geo.country_code'
    case 'element':
      return ELEMENTS[vital] ?? 'browser.name'
  }
}

export const dimensionQuestion = ({ page, vital, by }: PageSearch) => ({
  field: [dimensionField(by, vital), p75Of(vital), samplesOf(vital), countOf(vital), goodOf(vital), notPoorOf(vital)],
  query: `${hasVital(vital)} ${pageCondition(page)}`,
  sort: [`-${countOf(vital)}`],
})

const OF_ALL_SAMPLES = [
  'id',
  'trace',
  'timestamp',
  'browser.name',
  'device.family',
  'user.geo.country_code',
  'release',
  'span.name',
]

/** What is to blame, by the names of all SDKs. */
const BLAME: Readonly<Record<Vital, readonly string[]>> = {
  lcp: [
    'browser.web_vital.lcp.element',
    'browser.web_vital.lcp.url',
    'browser.web_vital.lcp.resource_load_delay',
    'browser.web_vital.lcp.resource_load_duration',
    'browser.web_vital.lcp.element_render_delay',
  ],
  inp: [
    'browser.web_vital.inp.target',
    'browser.web_vital.inp.input_delay',
    'browser.web_vital.inp.processing_duration',
    'browser.web_vital.inp.presentation_delay',
  ],
  cls: ['browser.web_vital.cls.source.1', 'browser.web_vital.cls.source.2', 'cls.source.1', 'cls.source.2'],
  fcp: ['browser.web_vital.ttfb.value'],
  ttfb: ['browser.web_vital.ttfb.request_time'],
}

export const samplesQuestion = ({ page, vital }: PageSearch) => ({
  field: [...OF_ALL_SAMPLES, attributeOf(vital), ...BLAME[vital]],
  query: `${hasVital(vital)} ${pageCondition(page)}`,
  sort: [`-${attributeOf(vital)}`],
})
