import { formatSpent } from '../../../lib/spent-time.ts'
import type { Vital } from './vitals-url.ts'

/** What web vitals are and how they are judged (web.dev/articles/vitals). Milliseconds; CLS has no unit. */
export interface VitalFacts {
  readonly label: string
  /** In two words. */
  readonly means: string
  readonly explained: string
  /** Up to it, itself included, a value is good. */
  readonly good: number
  /** Beyond it a value is poor. */
  readonly poor: number
  /** Width of a bar of its distribution; both limits are ends of bars. */
  readonly step: number
  /** Which values score 90 and 50 of 100. Desktops are measured by faster ones than the rating is. */
  readonly scored: { readonly desktop: Points; readonly mobile: Points }
}

type Points = readonly [ninety: number, fifty: number]

export const FACTS: Readonly<Record<Vital, VitalFacts>> = {
  lcp: {
    label: 'LCP',
    means: 'largest paint',
    explained: 'When the largest picture or text was painted',
    good: 2500,
    poor: 4000,
    step: 500,
    scored: { desktop: [1200, 2400], mobile: [2500, 4000] },
  },
  inp: {
    label: 'INP',
    means: 'next paint',
    explained: 'How long the page took to answer a click, tap or key',
    good: 200,
    poor: 500,
    step: 50,
    scored: { desktop: [200, 500], mobile: [200, 500] },
  },
  cls: {
    label: 'CLS',
    means: 'layout shift',
    explained: 'How much of the page moved without being asked to',
    good: 0.1,
    poor: 0.25,
    step: 0.025,
    scored: { desktop: [0.1, 0.25], mobile: [0.1, 0.25] },
  },
  fcp: {
    label: 'FCP',
    means: 'first paint',
    explained: 'When the first text or picture was painted',
    good: 1800,
    poor: 3000,
    step: 300,
    scored: { desktop: [900, 1600], mobile: [1800, 3000] },
  },
  ttfb: {
    label: 'TTFB',
    means: 'first byte',
    explained: 'When the first byte of the page arrived',
    good: 800,
    poor: 1800,
    step: 200,
    scored: { desktop: [200, 400], mobile: [800, 1800] },
  },
}

export type Rating = 'good' | 'middling' | 'poor'

export const RATING_WORDS: Readonly<Record<Rating, string>> = { good: 'Good', middling: 'Needs work', poor: 'Poor' }
export const RATING_TONES = { good: 'ok', middling: 'warning', poor: 'error' } as const

export function ratingOf(vital: Vital, value: number): Rating {
  const { good, poor } = FACTS[vital]
  return value <= good ? 'good' : value <= poor ? 'middling' : 'poor'
}

/** With three digits, and more where fewer would be of another rating: `2.72 s`, `2.501 s`, `0.31`. */
export function formatVital(vital: Vital, value: number | null): string {
  if (value === null) return '–'
  const rating = ratingOf(vital, value)
  if (vital === 'cls') {
    const short = value.toFixed(2)
    return ratingOf(vital, Number(short)) === rating ? short : value.toFixed(4).replace(/0$/, '')
  }
  if (ratingOf(vital, Number(value.toPrecision(3))) === rating) return formatSpent(value)
  return value >= 1000 ? `${(value / 1000).toFixed(3)} s` : `${value.toFixed(1)} ms`
}

/** `2.5 s`, `0.1`: as short as it can be said. */
export const formatLimit = (vital: Vital, limit: number): string =>
  formatVital(vital, limit)
    .replace(/(\.\d*?)0+(?=\D|$)/, '$1')
    .replace(/\.(?=\D|$)/, '')

/** What a vital is, and which of its values are good and poor. */
export function explainedText(vital: Vital): string {
  const { explained, good, poor } = FACTS[vital]
  return `${explained}. Up to ${formatLimit(vital, good)} is good, more than ${formatLimit(vital, poor)} poor.`
}

/** How the score of a page is made. */
export const PAGE_SCORE_TEXT =
  'Of 100: the scores of its vitals, LCP and INP 30% each, FCP and CLS 15%, TTFB 10%. They measure desktops by faster limits than the ratings do.'

/** Why a vital that is good may score less than that sounds like. */
export function scoreText(vital: Vital): string {
  const { desktop, mobile } = FACTS[vital].scored
  const limits = (points: Points) => points.map((point) => formatLimit(vital, point)) as [string, string]
  const [[fast, slow], [fastPhone, slowPhone]] = [limits(desktop), limits(mobile)]
  const isSame = fast === fastPhone && slow === slowPhone
  const good = formatLimit(vital, FACTS[vital].good)
  return [
    'Of 100, averaged over all samples.',
    isSame
      ? `${fast} scores 90, ${slow} scores 50.`
      : `On a desktop ${fast} scores 90 and ${slow} scores 50, on a phone or tablet ${fastPhone} and ${slowPhone}. Good is up to ${good} on any device, so what is good may score less.`,
  ].join(' ')
}

/** Fewer say little about what is typical. */
export const ENOUGH_SAMPLES = 10

export const isThin = (samples: number): boolean => samples < ENOUGH_SAMPLES
