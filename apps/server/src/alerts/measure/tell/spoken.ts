import type { AlertReason } from '@firsthand/contract'
import { isWithin } from '../../../lib/clock.ts'
import { isMuted, type AlertRule } from '../../rule.ts'
import { hoursSentence, isInHours } from '../../working-hours.ts'

/** Why a rule that fires says nothing all the same. Pure: a dry run asks it as well. */
export interface Silence {
  readonly reason: AlertReason
  readonly sentence: string
}

const MINUTE_MS = 60_000

/**
 * @param toldAt when the same group was told of last; null for never
 * @param at the end of the minute in which it fires
 */
export const silenceOf = (
  rule: Pick<AlertRule, 'draft' | 'mutedUntil'>,
  toldAt: number | null,
  at: number,
): Silence | null => {
  const { conditions, frequencyMinutes } = rule.draft
  if (isMuted(rule, at)) return { reason: 'muted', sentence: 'The alert is muted.' }
  if (conditions.hours !== null && !isInHours(conditions.hours, at)) {
    return { reason: 'hours', sentence: `It speaks only within its hours (${hoursSentence(conditions.hours)}).` }
  }
  if (toldAt !== null && frequencyMinutes > 0 && isWithin(toldAt, frequencyMinutes * MINUTE_MS, at)) {
    return {
      reason: 'frequency',
      sentence: `The same was told ${Math.round((at - toldAt) / MINUTE_MS)} minutes ago, and is told every ${frequencyMinutes} minutes at most.`,
    }
  }
  return null
}
