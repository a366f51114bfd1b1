import type { MeasuredRule } from '../../apps/server/src/alerts/measure/rule.ts'

export interface Size {
  readonly rules: number
  readonly projects: number
  readonly perSecond: number
}

const SKETCHES: readonly Partial<MeasuredRule['trigger']>[] = [
  { aggregate: 'count()', windowMinutes: 1 },
  { aggregate: 'count()', windowMinutes: 5 },
  { aggregate: 'count_unique(user)', windowMinutes: 5 },
  { aggregate: 'failure_rate()', windowMinutes: 10 },
  {
    aggregate: 'count()',
    windowMinutes: 5,
    comparison: { kind: 'change', direction: 'above', percent: 100_000, against: 60, floor: 1_000_000 },
  },
]

/** Of all sorts, in turn; none of them ever fires. */
export const triggerOf = (turn: number): MeasuredRule['trigger'] => ({
  source: 'measured',
  dataset: 'errors',
  aggregate: 'count()',
  windowMinutes: 5,
  groupBy: [],
  comparison: { kind: 'fixed', direction: 'above', limit: 1_000_000, worseLimit: null },
  least: 0,
  recovery: { limit: null, minutes: 15 },
  ...SKETCHES[turn % SKETCHES.length],
})
