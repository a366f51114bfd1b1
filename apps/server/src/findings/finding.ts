import type { SpanSums } from '../traces/index.ts'
import type { Segment, SegmentSpan } from './segment.ts'

/** A number by which a detector decides, and that a project can change. */
export interface Threshold {
  readonly name: string
  /** As it is asked for: "Queries alike". */
  readonly label: string
  readonly unit: 'ms' | 'bytes' | 'percent' | 'count'
  readonly default: number
  readonly min: number
  readonly max: number
}

/** What a detector found in a segment. Spans are told by their places in it. */
export interface Candidate {
  readonly offenders: readonly number[]
  /** Span below which they are. */
  readonly parent?: number
  /** Span that led to them. */
  readonly cause?: number
  /** What they have in common, as it is shown; the subtitle of the issue. */
  readonly text: string
  /** Of the detector's own: what makes it the same problem. Never an id or a number of one time. */
  readonly key: readonly string[]
  readonly sentence: string
  /** Milliseconds that could be saved. */
  readonly saved: number
  /** How that is reckoned. */
  readonly formula: string
}

export type Thresholds = Readonly<Record<string, number>>

/** The least that spans of a kind must sum up to in a trace for a rule to find something there. */
export interface Need {
  /** As news of spans call it: a category, or `LONG_FRAME`. */
  readonly kind: string
  /** By this alone traces are chosen, when they come and for a trial: what is not named may be anything. */
  readonly least: (thresholds: Thresholds) => Partial<SpanSums>
}

/** What people see of a rule, and change. */
export interface Rule {
  readonly id: string
  /** Sentry's word and number of the issues. */
  readonly type: string
  readonly typeId: number
  readonly title: string
  /** The rule in a sentence. */
  readonly rule: string
  readonly thresholds: readonly Threshold[]
  /** How often it is seen within a day before an issue appears. */
  readonly seen: number
}

/** One rule over the spans of a segment, and all that the rest must know of it. */
export interface Detector extends Rule {
  readonly needs: Need
  /** Attributes that it looks at: spans are read again with no others. */
  readonly facts: readonly string[]
  /** Whether what was found must be worth a part of the segment. */
  readonly needsShare: boolean
  /** Whether the same in another transaction is another problem. */
  readonly perTransaction: boolean
  find(segment: Segment, thresholds: Thresholds): Candidate[]
}

/** How long at least one of the spans ran, in milliseconds. */
export const unionMs = (spans: readonly SegmentSpan[]): number => {
  let covered = 0
  let until = -Infinity
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    if (end <= until) continue
    covered += end - Math.max(start, until)
    until = end
  }
  return covered / 1000
}

export const sumMs = (spans: readonly SegmentSpan[]): number =>
  spans.reduce((sum, { duration }) => sum + duration, 0) / 1000

export const longestMs = (spans: readonly SegmentSpan[]): number =>
  spans.reduce((most, { duration }) => Math.max(most, duration), 0) / 1000

/** Spans with their places, gathered below the span above them; in the order of the list, so siblings by their start. */
export const siblingsOf = (segment: Segment): Map<number, number[]> => {
  const groups = new Map<number, number[]>()
  segment.spans.forEach(({ parent }, place) => {
    const group = groups.get(parent)
    if (group === undefined) groups.set(parent, [place])
    else group.push(place)
  })
  return groups
}

export const isBrowser = ({ sdkName, op }: Segment): boolean =>
  /\bbrowser\b|\.javascript\.(?:react|vue|angular|svelte|ember|gatsby)$/.test(sdkName) ||
  op === 'pageload' ||
  op === 'navigation'

/** `17` → `17 ms`, `1700` → `1.7 s`. */
export const shownMs = (value: number): string =>
  value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} s`

export const shownBytes = (value: number): string =>
  value < 1_000_000 ? `${Math.round(value / 1000)} kB` : `${(value / 1_000_000).toFixed(1)} MB`

export const numberFact = ({ facts }: SegmentSpan, ...names: readonly string[]): number | null => {
  for (const name of names) {
    const value = Number(facts[name] ?? Number.NaN)
    if (Number.isFinite(value)) return value
  }
  return null
}

export const textFact = ({ facts }: SegmentSpan, name: string): string => {
  const value = facts[name]
  return typeof value === 'string' ? value : ''
}
