import type { AlertDecision, AlertReason } from '@firsthand/contract'
import type { Silent } from './audience.ts'

/** What became of a firing for one receiver, or why an action had none. */
export type Fate = 'told' | 'gathered' | 'cap' | 'same_channel' | Silent

export interface Told {
  readonly fates: readonly Fate[]
  /** Name of the rule that said the same to the same receivers before. */
  readonly saidBy: string | null
}

export interface Conclusion {
  readonly decision: AlertDecision
  readonly reason: AlertReason
  readonly sentence: string
}

/** Whether anybody hears of it, be it by another rule or in a line that says how much was held back. */
export const isHeard = ({ fates }: Told): boolean =>
  fates.some((fate) => fate === 'told' || fate === 'gathered' || fate === 'cap' || fate === 'same_channel')

/** What the evaluation says of all that became of a firing. @param found what it came to before anybody was told */
export const conclude = ({ fates, saidBy }: Told, found: Conclusion): Conclusion => {
  const { sentence } = found
  if (fates.length === 0) return { ...found, sentence: `${sentence} It tells nobody: it has no actions.` }
  if (fates.includes('told')) return found
  if (fates.includes('gathered')) {
    const together = `${sentence} It is told together with others that came at the same time.`
    return { ...found, reason: 'grouped', sentence: together }
  }
  const held = (reason: AlertReason, why: string): Conclusion => ({
    decision: 'held',
    reason,
    sentence: `${sentence} ${why}`,
  })
  if (fates.includes('cap')) {
    return held('cap', 'It had said as much as it may in an hour. One line says how many were held back.')
  }
  if (fates.includes('same_channel')) {
    return held('same_channel', `The alert “${saidBy ?? ''}” said the same to the same receivers.`)
  }
  return fates.includes('not_worse')
    ? held('other', 'It tells only of what becomes worse.')
    : held('no_receiver', 'Nobody owns it, or nobody but whoever did it, and the alert tells nobody else.')
}
