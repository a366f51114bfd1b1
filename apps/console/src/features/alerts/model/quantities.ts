import type { AlertDataset, AlertTrigger } from '@firsthand/contract'

import { formatCount, formatDuration } from '../../../lib/format.ts'

/** What can be measured, in words: an aggregate of Explore, how its values read and what a limit of it is called. */

export type AlertDatasetName = AlertDataset

export interface Quantity {
  readonly dataset: AlertDatasetName
  readonly aggregate: string
  /** In a list of choices: "Users". */
  readonly label: string
  /** What so many are: "users"; or the name of a value: "the p95 of durations". */
  readonly noun: string
  /** `count`: more than 60 users · others: the p95 of durations is above 2 s. */
  readonly form: 'count' | 'duration' | 'share' | 'number'
  /** What those do that the search finds: "run into". */
  readonly verb?: string
  /** Where it begins: what is usual to watch of it. */
  readonly begin?: Pick<Extract<AlertTrigger, { source: 'measured' }>, 'comparison' | 'least' | 'windowMinutes'>
}

const ofSpans = (aggregate: string, label: string, noun: string, form: Quantity['form']): Quantity => ({
  dataset: 'spans',
  aggregate,
  label,
  noun,
  form,
})

const ofReplays = (aggregate: string, label: string, noun: string): Quantity => ({
  dataset: 'replays',
  aggregate,
  label,
  noun,
  form: 'count',
})

/** One crash of two sessions at night is no half of all: it takes enough of them. */
const ofSessions = (of: 'session' | 'user', label: string, noun: string): Quantity => ({
  dataset: 'sessions',
  aggregate: `crash_free_rate(${of})`,
  label,
  noun,
  form: 'share',
  begin: {
    windowMinutes: 60,
    comparison: { kind: 'fixed', direction: 'below', limit: 0.99, worseLimit: null },
    least: 100,
  },
})

/** Few are many: of most pages nobody writes in a day. */
const ofReports = (aggregate: string, label: string, noun: string): Quantity => ({
  dataset: 'feedback',
  aggregate,
  label,
  noun,
  form: 'count',
  begin: {
    windowMinutes: 60,
    comparison: { kind: 'fixed', direction: 'above', limit: 5, worseLimit: null },
    least: 0,
  },
})

/** A run that never came is known of minutes after it was due: less than five would see none of it. */
const ofCheckIns = (aggregate: string, label: string, noun: string, limit: number | null): Quantity => ({
  dataset: 'check_ins',
  aggregate,
  label,
  noun,
  form: limit === null ? 'share' : 'count',
  begin: {
    windowMinutes: 60,
    comparison: { kind: 'fixed', direction: 'above', limit: limit ?? 0.05, worseLimit: null },
    least: limit === null ? 20 : 0,
  },
})

export const QUANTITIES: readonly Quantity[] = [
  {
    dataset: 'errors',
    aggregate: 'count_unique(user)',
    label: 'Users with errors',
    noun: 'users',
    form: 'count',
    verb: 'run into',
  },
  { dataset: 'errors', aggregate: 'count()', label: 'Errors', noun: 'errors', form: 'count' },
  ofSpans('failure_rate()', 'Share that failed', 'the failure rate', 'share'),
  ofSpans('p95(span.duration)', 'Duration, p95', 'the p95 of durations', 'duration'),
  ofSpans('p50(span.duration)', 'Duration, p50', 'the p50 of durations', 'duration'),
  ofSpans('p99(span.duration)', 'Duration, p99', 'the p99 of durations', 'duration'),
  ofSpans('count()', 'Spans', 'spans', 'count'),
  ofSpans('count_unique(user)', 'Users who waited', 'users', 'count'),
  ofSpans('p75(measurements.lcp)', 'Largest contentful paint, p75', 'the p75 of LCP', 'duration'),
  ofSpans('p75(measurements.inp)', 'Interaction to next paint, p75', 'the p75 of INP', 'duration'),
  ofSpans('p75(measurements.cls)', 'Layout shift, p75', 'the p75 of CLS', 'number'),
  ofSpans('apdex()', 'Apdex', 'the apdex', 'number'),
  { dataset: 'logs', aggregate: 'count()', label: 'Log lines', noun: 'log lines', form: 'count' },
  ofSessions('session', 'Sessions without a crash', 'the share of sessions without a crash'),
  ofSessions('user', 'People without a crash', 'the share of people without a crash'),
  ofReplays('count_unique(replay)', 'Replays', 'replays'),
  ofReplays('sum(count_rage_clicks)', 'Rage clicks', 'rage clicks'),
  ofReplays('sum(count_dead_clicks)', 'Dead clicks', 'dead clicks'),
  ofReplays('count_unique(user)', 'Visitors who were recorded', 'visitors'),
  ofReports('count()', 'Reports of visitors', 'reports'),
  ofReports('count_unique(user)', 'Visitors who reported something', 'visitors'),
  ofCheckIns('failure_count()', 'Check-ins that failed or never came', 'failed or missing check-ins', 2),
  ofCheckIns('failure_rate()', 'Share of check-ins that failed or never came', 'the share of failed check-ins', null),
  ofCheckIns('count()', 'Check-ins', 'check-ins', 100),
]

/** Any other aggregate of Explore is called by what it is written as. */
export function quantityOf(dataset: AlertDatasetName, aggregate: string): Quantity {
  const known = QUANTITIES.find((one) => one.dataset === dataset && one.aggregate === aggregate)
  if (known !== undefined) return known
  const form = /duration/.test(aggregate)
    ? 'duration'
    : aggregate === 'failure_rate()'
      ? 'share'
      : aggregate.startsWith('count')
        ? 'count'
        : 'number'
  return { dataset, aggregate, label: aggregate, noun: form === 'count' ? 'matches' : aggregate, form }
}

const fewDigits = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })

/** A value of it as it is read: `60`, `2.0 s`, `5%`. */
export function valueText({ form }: Pick<Quantity, 'form'>, value: number): string {
  if (form === 'duration') return formatDuration(value)
  if (form === 'share') return `${fewDigits.format(value * 100)}%`
  return Number.isInteger(value) ? formatCount(value) : fewDigits.format(value)
}

/** `60 users`, and of what is no count the value alone. */
export const amountText = (quantity: Quantity, value: number): string =>
  quantity.form === 'count' ? `${valueText(quantity, value)} ${quantity.noun}` : valueText(quantity, value)

/** What is typed is percent and milliseconds; a share is kept as a part of one. */
export const typedOf = ({ form }: Quantity, value: number): number =>
  form === 'share' ? Math.round(value * 100_000) / 1000 : value
export const fromTyped = ({ form }: Quantity, typed: number): number => (form === 'share' ? typed / 100 : typed)
export const typedUnit = ({ form, noun }: Quantity): string =>
  form === 'share' ? '%' : form === 'duration' ? 'ms' : form === 'count' ? noun : ''

/** What comes, or does not, of a table. */
export const THINGS: Readonly<Record<AlertDatasetName, string>> = {
  errors: 'errors',
  spans: 'spans',
  logs: 'log lines',
  tracemetrics: 'metrics',
  replays: 'replays',
  sessions: 'sessions',
  feedback: 'reports',
  check_ins: 'check-ins',
}
