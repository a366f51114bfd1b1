import type { Member } from './batch.ts'
import { LIMITS } from '../limits.ts'

/** Of fewer a value says nothing about what is usual, then or now. */
export const leastSampled = ({ rule, shape }: Member): number =>
  Math.max(shape.isCount ? 0 : LIMITS.BASELINE_LEAST_ROWS, rule.trigger.least)
