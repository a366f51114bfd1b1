import type { Message } from '../../../channels/index.ts'
import type { AlertRule } from '../../rule.ts'
import { endOf } from '../minute.ts'
import type { Outcome } from '../outcome.ts'
import { clockTime, groupText, lateText, minutesText } from '../say.ts'

/** What a rule about how much, or about nothing, says. */

/** All messages of one group are one thread. */
export const threadOf = ({ key, rule }: Outcome): string => `measured:${rule.id}:${key}`

export interface Saying {
  readonly outcome: Outcome
  readonly rule: AlertRule
  readonly stage: Message['stage']
  readonly slug: string
  readonly snooze: string
  /** When the incident began; milliseconds since the epoch. */
  readonly startedAt: number
}

/** Lateness below it is what the digest and the minute take. */
export const LATE_SECONDS = 120

const whereOf = ({ group }: Outcome): string => (group.length === 0 ? '' : `, ${groupText(group)}`)

const lengthOf = (ms: number): string => {
  const minutes = Math.max(1, Math.round(ms / 60_000))
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

/** What flapped and is calm may still fire. */
export const isEnd = ({ course, step }: Outcome): boolean =>
  step === 'over' || (step === 'calm' && course.phase === 'ok')

export const headlineOf = (saying: Pick<Saying, 'outcome' | 'rule' | 'startedAt'>): string => {
  const { outcome, rule, startedAt } = saying
  const { minute, step } = outcome
  const where = whereOf(outcome)
  if (isEnd(outcome)) {
    return `Over after ${lengthOf(endOf(minute) - startedAt)}: ${rule.draft.name}${where}`
  }
  const what = step === 'worse' ? 'Worse: ' : step === 'flapping' ? 'Flapping: ' : ''
  return `${what}${rule.draft.name}: ${outcome.sentence()}${where}`
}

const levelOf = (outcome: Outcome): Message['level'] =>
  isEnd(outcome) ? 'ok' : outcome.step === 'worse' ? 'fatal' : 'error'

const FLAPS =
  'It was over and back again so often that each time says nothing: you hear of it again when it was calm for a while.'

export const messageOf = (saying: Saying): Message => {
  const { outcome, rule, slug, snooze, stage, startedAt } = saying
  const isOver = isEnd(outcome)
  const path = `/organizations/${slug}/alerts/${rule.id}`
  const late = outcome.lateSeconds >= LATE_SECONDS ? [lateText(outcome.lateSeconds)] : []
  const flapping = outcome.step === 'flapping' ? [FLAPS] : []
  const { limit, value, windowMinutes } = outcome
  return {
    kind: isOver ? 'over' : 'spike',
    level: levelOf(outcome),
    headline: headlineOf(saying),
    blocks: [
      ...[outcome.sentence(), ...late, ...flapping].map((text) => ({ kind: 'text' as const, text })),
      {
        kind: 'facts',
        rows: [
          { name: 'Alert', value: rule.draft.name },
          { name: 'Window', value: minutesText(windowMinutes) },
          { name: isOver ? 'Began' : 'Since', value: clockTime(startedAt) },
          ...outcome.group.map(({ name, value: text }) => ({ name, value: text === '' ? '(none)' : text })),
        ],
      },
    ],
    actions: [
      { label: 'Open', path },
      { label: 'Snooze', path: snooze },
    ],
    thread: threadOf(outcome),
    stage,
    reason: `The alert “${rule.draft.name}” watches this.`,
    about: {
      rule: { id: rule.id, name: rule.draft.name },
      ...(value !== null && limit !== null
        ? { measured: { value, limit, window: minutesText(windowMinutes), query: rule.draft.query } }
        : {}),
    },
  }
}
