import { formatCount } from '../../../lib/format.ts'
import { sampledText } from '../../../lib/sampled-text.ts'
import {
  BARS,
  countOf,
  dimensionField,
  GAIN,
  goodOf,
  notPoorOf,
  p75Of,
  samplesOf,
  scoreOf,
  TOTAL_SCORE,
  withinOf,
} from './questions.ts'
import { FACTS } from './vitals.ts'
import { type Dimension, type Vital, VITALS } from './vitals-url.ts'

/** What the answers say, as the screens show it. */

export type Row = Readonly<Record<string, unknown>>

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** How many are good, need work, are poor: from 0 to 1. */
export interface Shares {
  readonly good: number
  readonly middling: number
  readonly poor: number
}

const sharesOf = (count: number, good: number, notPoor: number): Shares =>
  count === 0
    ? { good: 0, middling: 0, poor: 0 }
    : { good: good / count, middling: (notPoor - good) / count, poor: (count - notPoor) / count }

export interface VitalCard {
  readonly p75: number | null
  readonly samples: number
  readonly score: number | null
  readonly shares: Shares
  /** Of how many the shares are: `2,300`, and where these are estimated, from how many samples. */
  readonly of: string
  /** How many are in each bar; the last has all beyond. */
  readonly bars: readonly number[]
}

export function readCard(vital: Vital, row: Row | undefined): VitalCard {
  const count = numberOf(row?.[countOf(vital)])
  const within = withinOf(vital).map((field) => numberOf(row?.[field]))
  const { good, poor, step } = FACTS[vital]
  const samples = numberOf(row?.[samplesOf(vital)])
  const estimate = count === 0 ? null : sampledText(samples, samples / count)
  return {
    p75: numberOrNull(row?.[p75Of(vital)]),
    samples,
    of: estimate === null ? formatCount(count) : `${formatCount(count)}, ${estimate}`,
    score: numberOrNull(row?.[scoreOf(vital)]),
    shares: sharesOf(count, within[Math.round(good / step) - 1] ?? 0, within[Math.round(poor / step) - 1] ?? 0),
    bars: Array.from({ length: BARS + 1 }, (_, index) => (within[index] ?? count) - (within[index - 1] ?? 0)),
  }
}

export interface PageRow {
  readonly page: string
  readonly project: string
  readonly projectId: string
  readonly vitals: Readonly<Record<Vital, { readonly p75: number | null; readonly samples: number }>>
  /** From 0 to 1. */
  readonly score: number | null
  readonly gain: number
  /** Of the vital that has most. */
  readonly samples: number
}

export function readPage(row: Row): PageRow {
  const vitals = Object.fromEntries(
    VITALS.map((vital) => [vital, { p75: numberOrNull(row[p75Of(vital)]), samples: numberOf(row[samplesOf(vital)]) }]),
  ) as PageRow['vitals']
  return {
    page: textOf(row['transaction']),
    project: textOf(row['project']),
    projectId: typeof row['project.id'] === 'number' ? `${row['project.id']}` : textOf(row['project.id']),
    vitals,
    score: numberOrNull(row[TOTAL_SCORE]),
    gain: numberOf(row[GAIN]),
    samples: Math.max(...VITALS.map((vital) => vitals[vital].samples)),
  }
}

export interface DimensionRow {
  readonly value: string
  readonly p75: number | null
  readonly samples: number
  readonly shares: Shares
}

export function readDimension(by: Dimension, vital: Vital, row: Row): DimensionRow {
  const count = numberOf(row[countOf(vital)])
  return {
    value: textOf(row[dimensionField(by, vital)]),
    p75: numberOrNull(row[p75Of(vital)]),
    samples: numberOf(row[samplesOf(vital)]),
    shares: sharesOf(count, numberOf(row[goodOf(vital)]), numberOf(row[notPoorOf(vital)])),
  }
}

/** A part of the time that a sample took. */
export interface Phase {
  readonly label: string
  /** Milliseconds. */
  readonly took: number
}

export interface Sample {
  readonly id: string
  readonly trace: string
  readonly timestamp: string
  readonly value: number
  /** Elements, the most to blame first. */
  readonly blame: readonly string[]
  /** Address of the picture that was painted; '' for none. */
  readonly url: string
  /** In their order; none when the SDK does not say. */
  readonly phases: readonly Phase[]
  readonly browser: string
  readonly device: string
  readonly country: string
  readonly release: string
}

const PHASES: Readonly<Record<Vital, readonly (readonly [label: string, field: string])[]>> = {
  inp: [
    ['input delay', 'browser.web_vital.inp.input_delay'],
    ['processing', 'browser.web_vital.inp.processing_duration'],
    ['presentation', 'browser.web_vital.inp.presentation_delay'],
  ],
  lcp: [
    ['load delay', 'browser.web_vital.lcp.resource_load_delay'],
    ['loading', 'browser.web_vital.lcp.resource_load_duration'],
    ['render delay', 'browser.web_vital.lcp.element_render_delay'],
  ],
  cls: [],
  fcp: [['first byte', 'browser.web_vital.ttfb.value']],
  ttfb: [['until asked', 'browser.web_vital.ttfb.request_time']],
}

/** The first name that has a text. */
const firstOf = (row: Row, ...names: readonly string[]): string => {
  for (const name of names) if (textOf(row[name]) !== '') return textOf(row[name])
  return ''
}

/** Names of spans that say which vital it is, and not which element. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(['INP', 'LCP', 'CLS'])

const blameOf = (vital: Vital, row: Row): readonly string[] => {
  const elements =
    vital === 'inp'
      ? // SDKs 8 to 11 name the span after the element.
        [
          firstOf(
            row,
            'browser.web_vital.inp.target',
            ...(PLAIN_NAMES.has(textOf(row['span.name'])) ? [] : ['span.name']),
          ),
        ]
      : vital === 'lcp'
        ? [textOf(row['browser.web_vital.lcp.element'])]
        : vital === 'cls'
          ? [1, 2].map((place) => firstOf(row, `browser.web_vital.cls.source.${place}`, `cls.source.${place}`))
          : []
  return elements.filter((element) => element !== '')
}

export function readSample(vital: Vital, row: Row): Sample {
  return {
    id: textOf(row['id']),
    trace: textOf(row['trace']),
    timestamp: textOf(row['timestamp']),
    value: numberOf(row[`measurements.${vital}`]),
    blame: blameOf(vital, row),
    url: vital === 'lcp' ? textOf(row['browser.web_vital.lcp.url']) : '',
    phases: PHASES[vital].flatMap(([label, field]) => {
      const took = numberOrNull(row[field])
      return took === null ? [] : [{ label, took }]
    }),
    browser: textOf(row['browser.name']),
    device: textOf(row['device.family']),
    country: textOf(row['user.geo.country_code']),
    release: textOf(row['release']),
  }
}
