import type { AlertComparison, AlertTrigger } from '@firsthand/contract'
import type { Baseline } from './baseline.ts'
import type { CourseRules, Standing } from './course.ts'
import { LIMITS } from '../limits.ts'

/** A value against what it is held against: the limit of this minute, and whether the value is beyond it. */

export type MeasuredTrigger = Extract<AlertTrigger, { readonly source: 'measured' }>

/** What was found for a minute. */
export interface Found {
  /** Null of nothing: a percentile, or a share, of no rows. */
  readonly value: number | null
  /** The same time before, for a change. */
  readonly before?: number | null
  /** For what is unusual; null while too little is known. */
  readonly baseline?: Baseline | null
}

export interface Judged extends Standing {
  /** Above or below which a value is beyond. Null while nothing is known that it could be held against. */
  readonly limit: number | null
  /** The side on which it is. */
  readonly direction: 'above' | 'below'
  /** It would be beyond, but is smaller than what is worth a message. */
  readonly isBelowFloor: boolean
}

/** A past without anything counts as so much when something is compared with it: twice nothing would be nothing. */
export const EMPTY_PAST = 0.5

/** Of nothing it is not known whether it is better: what fires goes on. */
const NOTHING = { isBeyond: false, isFar: false, isBack: false, isBelowFloor: false } as const

const isOver = (value: number, limit: number, direction: 'above' | 'below'): boolean =>
  direction === 'above' ? value > limit : value < limit

/** @param recovery limit of the recovery; null for the limit itself */
export const judge = (comparison: AlertComparison, recovery: number | null, found: Found): Judged => {
  const { value } = found
  switch (comparison.kind) {
    case 'fixed': {
      const { direction, limit, worseLimit } = comparison
      if (value === null) return { ...NOTHING, value, limit, direction }
      return {
        value,
        limit,
        direction,
        isBeyond: isOver(value, limit, direction),
        isFar: worseLimit !== null && isOver(value, worseLimit, direction),
        isBack: !isOver(value, recovery ?? limit, direction),
        isBelowFloor: false,
      }
    }
    case 'change': {
      const { direction, percent, floor } = comparison
      const past = Math.max(found.before ?? 0, EMPTY_PAST)
      const share = percent / 100
      const limit = direction === 'above' ? past * (1 + share) : past * Math.max(0, 1 - share)
      return withFloor({ value, limit, direction, recovery, floor: direction === 'above' ? floor : 0 })
    }
    case 'unusual': {
      const { floor } = comparison
      const { baseline = null } = found
      const side = comparison.direction === 'both' ? sideOf(value, baseline) : comparison.direction
      if (baseline === null || value === null) {
        const limit = baseline === null ? null : limitOf(baseline, side)
        return { ...NOTHING, isBack: value !== null, value, limit, direction: side }
      }
      const limit = limitOf(baseline, side)
      return withFloor({ value, limit, direction: side, recovery, floor: side === 'above' ? floor : 0 })
    }
  }
}

const sideOf = (value: number | null, baseline: Baseline | null): 'above' | 'below' =>
  value !== null && baseline !== null && value < baseline.middle ? 'below' : 'above'

const limitOf = ({ lower, upper }: Baseline, side: 'above' | 'below'): number => (side === 'above' ? upper : lower)

const withFloor = ({
  value,
  limit,
  direction,
  recovery,
  floor,
}: {
  readonly value: number | null
  readonly limit: number
  readonly direction: 'above' | 'below'
  readonly recovery: number | null
  readonly floor: number
}): Judged => {
  if (value === null) return { ...NOTHING, value, limit, direction }
  const isPast = isOver(value, limit, direction)
  const isBelowFloor = isPast && value < floor
  return {
    value,
    limit,
    direction,
    isBeyond: isPast && !isBelowFloor,
    isFar: false,
    isBack: !isOver(value, recovery ?? limit, direction) || isBelowFloor,
    isBelowFloor,
  }
}

/** How a rule of this kind goes from minute to minute. */
export const courseRulesOf = (
  { comparison, recovery }: Pick<MeasuredTrigger, 'comparison' | 'recovery'>,
  direction: 'above' | 'below',
): CourseRules => ({
  needed: comparison.kind === 'unusual' ? LIMITS.UNUSUAL_MINUTES : 1,
  of: comparison.kind === 'unusual' ? LIMITS.UNUSUAL_OF_MINUTES : 1,
  recoveryMinutes: recovery.minutes,
  direction,
  hasSecondLimit: comparison.kind === 'fixed' && comparison.worseLimit !== null,
})
