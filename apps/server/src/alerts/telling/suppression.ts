import type { AlertReason } from '@firsthand/contract'
import { isWithin } from '../../lib/clock.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { isMuted, type AlertRule } from '../rule.ts'
import { hoursSentence, isInHours, nextInHours } from '../working-hours.ts'

/** Why a rule that fires says nothing all the same. */
export interface Suppression {
  readonly reason: Extract<AlertReason, 'age' | 'hours' | 'muted' | 'frequency' | 'flapping'>
  readonly sentence: string
  /** When it may speak of what goes on; null when no time is known. */
  readonly until: number | null
}

/** What is known of the thing that it fires for. */
export interface Circumstances {
  /** When the issue was seen first; null for what is no issue. */
  readonly firstSeen: number | null
  /** When the same was told last, where this would be telling it again; null where it would not. */
  readonly lastToldAt: number | null
  /** It began and was over so often that it waits until it is calm. */
  readonly isFlapping: boolean
}

/** The first thing that keeps it silent; null when nothing does. @param at when it fires */
export const suppressionOf = (
  rule: Pick<AlertRule, 'draft' | 'mutedUntil'>,
  { firstSeen, isFlapping, lastToldAt }: Circumstances,
  at: number,
): Suppression | null => {
  const { conditions, frequencyMinutes } = rule.draft
  const oldEnoughAt = firstSeen === null ? -Infinity : firstSeen + conditions.minimumAgeMinutes * MINUTE_MS
  if (firstSeen !== null && at < oldEnoughAt) {
    const minutes = Math.max(0, Math.floor((at - firstSeen) / MINUTE_MS))
    return {
      reason: 'age',
      sentence: `The issue was ${minutes} minutes old, and has to be ${conditions.minimumAgeMinutes}.`,
      until: oldEnoughAt,
    }
  }
  if (conditions.hours !== null && !isInHours(conditions.hours, at)) {
    return {
      reason: 'hours',
      sentence: `It speaks only within its hours (${hoursSentence(conditions.hours)}).`,
      until: nextInHours(conditions.hours, at),
    }
  }
  if (isMuted(rule, at)) return { reason: 'muted', ...mutedUntil(rule) }
  const nextAt = lastToldAt === null ? -Infinity : lastToldAt + frequencyMinutes * MINUTE_MS
  if (lastToldAt !== null && isWithin(lastToldAt, frequencyMinutes * MINUTE_MS, at)) {
    return {
      reason: 'frequency',
      sentence: `It was told ${ago(lastToldAt, at)}, and is told every ${frequencyMinutes} minutes at most.`,
      until: nextAt,
    }
  }
  return isFlapping
    ? {
        reason: 'flapping',
        sentence: 'It began and was over so often that each time says nothing; it waits until it is calm.',
        until: null,
      }
    : null
}

const mutedUntil = ({ mutedUntil: until }: Pick<AlertRule, 'mutedUntil'>): Pick<Suppression, 'sentence' | 'until'> =>
  until === null || until === Infinity
    ? { sentence: 'The alert is muted.', until: null }
    : {
        sentence: `The alert is muted until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
        until,
      }

const ago = (from: number, at: number): string => {
  const minutes = Math.round((at - from) / MINUTE_MS)
  return minutes < 1 ? 'less than a minute ago' : minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`
}
