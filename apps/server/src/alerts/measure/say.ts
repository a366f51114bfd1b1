import { readUnit } from '../../search/index.ts'
import type { Baseline } from './baseline.ts'
import { LIMITS } from '../limits.ts'
import { endOf } from './minute.ts'
import type { Group, MeasuredRule } from './rule.ts'
import type { Shape } from './shape.ts'
import { EMPTY_PAST, type Judged } from './standing.ts'

/** Evaluations in sentences: what was found, what it was held against, and what came of it. */

/** Making one takes longer than using it a hundred times. */
const FORMATS = [0, 1, 2].map((maximumFractionDigits) => new Intl.NumberFormat('en-GB', { maximumFractionDigits }))

const plain = (value: number, digits: 0 | 1 | 2): string => FORMATS[digits]?.format(value) ?? String(value)

const duration = (milliseconds: number): string => {
  if (milliseconds < 1000) return `${plain(milliseconds, 0)} ms`
  if (milliseconds < 60_000) return `${plain(milliseconds / 1000, 2)} s`
  return milliseconds < 3_600_000 ? `${plain(milliseconds / 60_000, 1)} min` : `${plain(milliseconds / 3_600_000, 1)} h`
}

const size = (bytes: number): string => {
  if (bytes < 1000) return `${plain(bytes, 0)} B`
  return bytes < 1e6
    ? `${plain(bytes / 1e3, 1)} kB`
    : bytes < 1e9
      ? `${plain(bytes / 1e6, 1)} MB`
      : `${plain(bytes / 1e9, 1)} GB`
}

/** With one crash it is never 100%. */
const roundedDown = (percent: number): number => Math.floor(percent * 100 + 1e-6) / 100

/** A value with its unit, as people write it. */
export const valueText = (value: number | null, { aggregate }: Pick<Shape, 'aggregate'>): string => {
  if (value === null) return 'nothing'
  const whole = value * (readUnit(aggregate.unit ?? '')?.size ?? 1)
  switch (aggregate.type) {
    case 'duration':
      return duration(whole)
    case 'size':
      return size(whole)
    case 'percentage':
      return `${plain(aggregate.name.startsWith('crash_free_rate') ? roundedDown(whole * 100) : whole * 100, 2)}%`
    case 'rate':
      return `${plain(value, 2)}/${aggregate.unit === '1/second' ? 's' : 'min'}`
    case 'integer':
    case 'number':
    case 'string':
    case 'boolean':
    case 'date':
      return plain(value, 2)
  }
}

export const THINGS: Readonly<Record<string, string>> = {
  errors: 'errors',
  spans: 'spans',
  logs: 'log lines',
  tracemetrics: 'values',
  replays: 'parts of replays',
  sessions: 'sessions',
  feedback: 'reports',
  check_ins: 'check-ins',
}

/** What is counted has a name. */
const CALLED: Readonly<Record<string, string>> = {
  'replays count_unique(replay)': 'replays',
  'replays sum(count_rage_clicks)': 'rage clicks',
  'replays sum(count_dead_clicks)': 'dead clicks',
  'check_ins failure_count()': 'check-ins that failed or never came',
}

/** Values that are no counts, and have a name. */
const MEANT: Readonly<Record<string, string>> = {
  'sessions crash_free_rate(session)': 'sessions without a crash',
  'sessions crash_free_rate(user)': 'people without a crash',
  'check_ins failure_rate()': 'check-ins that failed or never came',
}

/** What is counted, in a word; otherwise the function as it is written. */
const whatOf = ({ aggregate, dataset }: MeasuredRule['trigger']): string => {
  if (aggregate === 'count()') return THINGS[dataset] ?? dataset
  const known = CALLED[`${dataset} ${aggregate}`]
  if (known !== undefined) return known
  return /^count_unique\(user(\.id|\.email)?\)$/.test(aggregate) || aggregate === 'count_unique()' ? 'users' : aggregate
}

export const clockTime = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`

export const minutesText = (minutes: number): string => {
  if (minutes === 1) return 'a minute'
  if (minutes < 60) return `${minutes} minutes`
  if (minutes === 60) return 'an hour'
  if (minutes === 1440) return 'a day'
  return minutes % 1440 === 0
    ? `${minutes / 1440} days`
    : minutes % 60 === 0
      ? `${minutes / 60} hours`
      : `${minutes} minutes`
}

const AGAINST: Readonly<Record<number, string>> = {
  60: 'an hour before',
  1440: 'at the same time the day before',
  10_080: 'at the same time a week before',
}

const WEEKDAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays']

const hour = (of: number): string => String(((of % 24) + 24) % 24).padStart(2, '0')

/** `the last four Tuesdays 13:00 to 16:00 UTC`: hours around the one in which the minute is. */
export const hoursAlike = (minute: number): string => {
  const at = new Date(endOf(minute) - 1)
  const now = at.getUTCHours()
  return `the last four ${WEEKDAYS[at.getUTCDay()] ?? ''} ${hour(now - 1)}:00 to ${hour(now + 2)}:00 UTC`
}

const baselineText = (baseline: Baseline, minute: number, shape: Shape): string => {
  const text = (value: number): string => valueText(value, shape)
  const range = `${text(baseline.lowest)} to ${text(baseline.highest)} (middle ${text(baseline.middle)})`
  return baseline.learning === null
    ? `${hoursAlike(minute)} had ${range}`
    : `learning, ${baseline.learning} of ${LIMITS.BASELINE_LEARNING_DAYS} days: until then it is held against all hours so far, which had ${range}`
}

export interface Said {
  readonly rule: MeasuredRule
  readonly shape: Shape
  readonly minute: number
  readonly judged: Judged
  readonly before: number | null
  readonly baseline: Baseline | null
  /** Null where there are enough. */
  readonly tooFew: TooFew | null
  /** It is over because there was nothing to measure for so many minutes; null otherwise. */
  readonly nothingFor: number | null
}

/** How many there are of what a value is computed from, where that says nothing. */
export interface TooFew {
  readonly sampled: number
  readonly wanted: number
}

/** `; 2 sessions are too few, it takes 100`. */
const tooFewText = ({ sampled, wanted }: TooFew, { trigger }: MeasuredRule, toSay = ''): string => {
  const things = trigger.dataset === 'sessions' ? 'session' : 'row'
  const few = sampled === 1 ? `1 ${things} is` : `${plain(sampled, 0)} ${things}s are`
  return `; ${few} too few${toSay}, it takes ${plain(wanted, 0)}`
}

const sign = (value: number, limit: number): string => (value > limit ? '>' : value < limit ? '<' : '=')

/** `212 > 200 errors in 10 minutes`, `p95(span.duration) 2.4 s > 2 s in 10 minutes`. */
export const evaluationText = (said: Said): string => {
  const { rule, shape, judged } = said
  const meant = MEANT[`${rule.trigger.dataset} ${rule.trigger.aggregate}`]
  const what = meant ?? whatOf(rule.trigger)
  const isCounted = meant === undefined && what !== rule.trigger.aggregate
  const window = minutesText(rule.trigger.windowMinutes)
  const value = valueText(judged.value, shape)
  if (said.nothingFor !== null) {
    return `${what}: nothing was measured for ${minutesText(said.nothingFor)}, so whether it is better is not known`
  }
  const found =
    judged.value === null
      ? `${what}: nothing to measure in ${window}`
      : isCounted
        ? `${value} ${what} in ${window}`
        : `${what} ${value} in ${window}`
  return heldAgainst(said, { found, value, what, window, isCounted })
}

const heldAgainst = (
  { rule, shape, judged, before, baseline, minute, tooFew }: Said,
  text: {
    readonly found: string
    readonly value: string
    readonly what: string
    readonly window: string
    readonly isCounted: boolean
  },
): string => {
  const { comparison } = rule.trigger
  const { limit, value } = judged
  const limitText = limit === null ? '' : valueText(limit, shape)
  switch (comparison.kind) {
    case 'fixed': {
      if (value === null || limit === null) return `${text.found}, limit ${limitText}`
      const held = `${sign(value, limit)} ${limitText}`
      const few = tooFew === null ? '' : tooFewText(tooFew, rule)
      return text.isCounted
        ? `${text.value} ${held} ${text.what} in ${text.window}${few}`
        : `${text.what} ${text.value} ${held} in ${text.window}${few}`
    }
    case 'change': {
      const past = before === null || before === 0 ? 'nothing' : valueText(before, shape)
      const more = comparison.direction === 'above' ? 'more' : 'less'
      const empty = before === null || before < EMPTY_PAST ? `, which counts as ${EMPTY_PAST}` : ''
      const floor = judged.isBelowFloor ? `; not worth a message below ${valueText(comparison.floor, shape)}` : ''
      const few = tooFew === null ? '' : tooFewText(tooFew, rule)
      return `${text.found}; ${AGAINST[comparison.against] ?? ''} ${past}${empty}; limit ${limitText} (${comparison.percent}% ${more})${floor}${few}`
    }
    case 'unusual': {
      if (tooFew !== null) return `${text.found}${tooFewText(tooFew, rule, ' to say what is usual')}`
      if (baseline === null) return `${text.found}; learning: there is not yet a day of hours to say what is usual`
      const floor = judged.isBelowFloor ? `; not worth a message below ${valueText(comparison.floor, shape)}` : ''
      return `${text.found}; ${baselineText(baseline, minute, shape)}, limit ${limitText}${floor}`
    }
  }
}

/** Of an evaluation, not of what is told: devices that were offline send what is old every day. '' where nothing was. */
export const oldText = (old: number): string =>
  old === 0 ? '' : `. ${plain(old, 0)} older ${old === 1 ? 'one, sent late, was' : 'ones, sent late, were'} not counted`

/** `release 1.2.3, environment production`; empty without groups. */
export const groupText = (group: readonly Group[]): string =>
  group.map(({ name, value }) => `${name} ${value === '' ? '(none)' : value}`).join(', ')

export const lateText = (seconds: number): string =>
  `Evaluated ${minutesText(Math.round(seconds / 60))} late: what came waited to be stored.`
