import type { AlertDecision, AlertReason } from '@firsthand/contract'
import { LIMITS as ALERT_LIMITS } from '../limits.ts'
import { silenceOf } from '../measure/tell/spoken.ts'
import type { AlertRule } from '../rule.ts'

/** What would have been told of what fired, by the rules by which it is told: mutes, hours, pauses, gathering, caps. */

/** Something that a rule would have said, in the order of time. */
export interface Spoken {
  readonly at: number
  /** What it is about: an issue or a group. */
  readonly subject: string
  readonly step: 'first' | 'update' | 'over' | 'single' | 'still'
  readonly isWorse: boolean
}

/** What became of it. */
export interface Telling {
  readonly decision: AlertDecision
  readonly reason: AlertReason
  readonly sentence: string | null
  /** Number of the message; null where there was none of its own. */
  readonly number: number | null
  /** It is in the summary of those that fired at the same time. */
  readonly isGathered: boolean
}

const HOUR_MS = 3_600_000

interface Subject {
  toldAt: number | null
  isOpen: boolean
  isTold: boolean
}

/** Messages that are told of what was gathered: one when its minute is over. */
interface Gathering {
  readonly until: number
  waiting: number
}

export const createTelling = (rule: Pick<AlertRule, 'draft' | 'mutedUntil'>) => {
  const subjects = new Map<string, Subject>()
  let sentAt: number[] = []
  let gathering: Gathering | null = null
  let messages = 0
  let held = 0

  const mayTell = (at: number): boolean => {
    sentAt = sentAt.filter((sent) => sent > at - HOUR_MS)
    if (sentAt.length >= rule.draft.maxMessagesPerHour) return false
    sentAt.push(at)
    messages += 1
    return true
  }

  const endGathering = (at: number): void => {
    if (gathering === null || at < gathering.until) return
    if (gathering.waiting > 0) {
      messages += 1
      sentAt.push(gathering.until)
    }
    gathering = null
  }

  const none = (decision: AlertDecision, reason: AlertReason, sentence: string | null = null): Telling => ({
    decision,
    reason,
    sentence,
    number: null,
    isGathered: false,
  })

  const decisionOf = ({ isWorse, step }: Spoken): AlertDecision =>
    step === 'over' ? 'over' : isWorse ? 'worse' : step === 'update' ? 'update' : 'fired'

  return {
    hear: (spoken: Spoken): Telling => {
      const { at, step, subject: name } = spoken
      endGathering(at)
      const subject = subjects.get(name) ?? { toldAt: null, isOpen: false, isTold: false }
      subjects.set(name, subject)
      const wasTold = subject.isOpen && subject.isTold
      subject.isOpen = step === 'first' || step === 'update' || step === 'still'
      if (step === 'still' && wasTold) return none('still', 'limit')
      if (step === 'over' && !wasTold) return none('over', 'other')
      const isFirst = !wasTold && step !== 'over'
      if (isFirst) subject.isTold = false
      const silence = silenceOf(rule, isFirst ? subject.toldAt : null, at)
      if (silence !== null) return none('held', silence.reason, silence.sentence)
      if (isFirst && gathering !== null) {
        gathering.waiting += 1
        subject.isTold = true
        subject.toldAt = at
        return { ...none(decisionOf(spoken), 'grouped'), isGathered: true }
      }
      if (isFirst) gathering = { until: at + ALERT_LIMITS.ALERT_GATHER_MS, waiting: 0 }
      if (!mayTell(at)) {
        held += 1
        return none('held', 'cap', 'The rule had said as much as it may in an hour.')
      }
      subject.isTold = step !== 'over'
      subject.toldAt = at
      return { ...none(decisionOf(spoken), 'matched'), number: messages }
    },
    /** How many messages there were, when all is over. */
    end: (at: number): { readonly messages: number; readonly held: number } => {
      endGathering(at + ALERT_LIMITS.ALERT_GATHER_MS)
      return { messages, held }
    },
  }
}
