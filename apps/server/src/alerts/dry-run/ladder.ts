import type { AlertComparison } from '@firsthand/contract'
import type { MeasuredRule } from '../measure/rule.ts'

/** Other limits that the same rule could have, and what each of them is called. */
export interface Rung {
  readonly limit: number
  readonly rule: MeasuredRule
}

/** Two digits are as exact as a limit is thought of. */
const rounded = (value: number): number => {
  if (value === 0) return 0
  const size = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 1)
  return Math.round(value / size) * size
}

const SHARES = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5]
const PERCENTS = [25, 50, 100, 200, 400]
/** Of what is unusual: how many spreads from the middle. */
const SPREADS = { sensitive: 3, normal: 4, calm: 6 } as const

const withComparison = (rule: MeasuredRule, comparison: AlertComparison): MeasuredRule => ({
  ...rule,
  trigger: { ...rule.trigger, comparison, recovery: { ...rule.trigger.recovery, limit: null } },
})

/** Of a share that is to be nearly all, what is left is what one thinks of. */
const limitAt = (
  { direction, limit }: Extract<AlertComparison, { readonly kind: 'fixed' }>,
  share: number,
  isShare: boolean,
): number =>
  isShare && direction === 'below' && limit > 0.5 && limit < 1
    ? Number((1 - rounded((1 - limit) * share)).toFixed(6))
    : rounded(limit * share)

const byLimit = (rungs: readonly Rung[]): Rung[] =>
  [...new Map(rungs.map((rung) => [rung.limit, rung])).values()].toSorted((left, right) => left.limit - right.limit)

/** @param isShare values are parts of one */
export const rungsOf = (rule: MeasuredRule, isShare: boolean): readonly Rung[] => {
  const { comparison } = rule.trigger
  switch (comparison.kind) {
    case 'fixed':
      return byLimit(
        SHARES.map((share) => {
          const limit = share === 1 ? comparison.limit : limitAt(comparison, share, isShare)
          if (share === 1) return { limit, rule }
          return { limit, rule: withComparison(rule, { ...comparison, limit, worseLimit: null }) }
        }),
      )
    case 'change':
      return byLimit(
        [...PERCENTS, comparison.percent].map((percent) => {
          if (percent === comparison.percent) return { limit: percent, rule }
          return { limit: percent, rule: withComparison(rule, { ...comparison, percent }) }
        }),
      )
    case 'unusual':
      return (['sensitive', 'normal', 'calm'] as const).map((sensitivity) => ({
        limit: SPREADS[sensitivity],
        rule: withComparison(rule, { ...comparison, sensitivity }),
      }))
  }
}
