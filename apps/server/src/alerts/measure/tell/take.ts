import { createHash } from 'node:crypto'
import type { AlertDecision } from '@firsthand/contract'
import type { Ledger, LedgerTransaction } from '../../../storage/index.ts'
import type { Evaluation } from '../../ledger/evaluations.ts'
import type { Outlets } from '../../outlets.ts'
import { conclude, isHeard, type Told } from '../../telling/conclude.ts'
import type { Urgency } from '../../telling/grouping.ts'
import type { Said } from '../../telling/road.ts'
import { suppressionOf } from '../../telling/suppression.ts'
import { inOneTurn, type Turn } from '../../telling/turn.ts'
import { endOf } from '../minute.ts'
import type { Outcome, Repeated } from '../outcome.ts'
import { lateText, oldText } from '../say.ts'
import { beginIncident, changeIncident, incidentsOf } from './incidents.ts'
import { isEnd, LATE_SECONDS, lineOf, messageOf, threadOf } from './message.ts'
import type { Speaker, Speakers } from './prepare.ts'

/** Keeps what a minute came to, and tells whom it concerns: all in the transaction that says that the minute is done. */

interface MeasuredTurn extends Turn {
  readonly snoozePath: (ruleId: number, organizationId: number) => string
}

const DECISIONS: Readonly<Record<Outcome['step'], AlertDecision>> = {
  fired: 'fired',
  worse: 'worse',
  over: 'over',
  still: 'still',
  pending: 'pending',
  quiet: 'quiet',
  unknown: 'unknown',
  flapping: 'update',
  calm: 'over',
}

/** A version of a rule evaluates a group once in a minute. */
const occasionOf = ({ key, minute, rule }: Repeated['kept']): string => {
  const group = key === '[]' ? '' : `:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
  return `minute:${minute}:${rule.version}${group}`
}

/** The evaluation that is kept, and how often it was so since. */
export const repeatedEvaluation = ({ kept, times }: Repeated) => ({
  ruleId: kept.rule.id,
  occasion: occasionOf(kept),
  times,
})

const evaluationOf = (outcome: Outcome): Evaluation => {
  const { group, lateSeconds, limit, milliseconds, minute, rows, rule, unit, value, windowMinutes } = outcome
  const late = lateSeconds >= LATE_SECONDS ? `. ${lateText(lateSeconds)}` : ''
  return {
    organizationId: rule.organizationId,
    ruleId: rule.id,
    ruleVersion: rule.version,
    occasion: occasionOf(outcome),
    at: endOf(minute),
    issueId: null,
    decision: DECISIONS[outcome.step],
    reason: outcome.reason,
    sentence: `${outcome.sentence()}${oldText(outcome.old)}${late}`,
    incidentId: null,
    measured: { group, value, limit, unit, windowMinutes, rows: Math.round(rows), milliseconds },
  }
}

/** How the outcome stands to what was told of the group before. */
interface Spoken {
  readonly outcome: Outcome
  readonly speaker: Speaker
  readonly incidentId: number
  readonly startedAt: number
}

/** What is said of it, as all that alerts say. */
const saidOf = (
  { snoozePath }: MeasuredTurn,
  { incidentId, outcome, speaker: { behind, rule, slug }, startedAt }: Spoken,
  stage: 'first' | 'update' | 'over',
): Said => {
  const snooze = snoozePath(rule.id, rule.organizationId)
  const occasion = `rule:${rule.id}:${occasionOf(outcome)}`
  const group = outcome.group.map(({ value }) => (value === '' ? '(none)' : value)).join(', ')
  // Far beyond its limit, as for what is told together.
  const isFarBeyond = stage !== 'over' && urgencyOf(outcome) > 0
  return {
    organizationId: rule.organizationId,
    ruleId: rule.id,
    incidentId,
    occasion,
    message: messageOf({
      outcome,
      rule,
      stage,
      slug,
      snooze,
      startedAt,
      behind: behind.get(outcome.key) ?? [],
    }),
    line: lineOf({ outcome, startedAt }),
    name: group === '' ? rule.draft.name : group,
    place: '',
    about: {
      issueId: null,
      reportId: null,
      actorId: null,
      projectId: outcome.projectId,
      cause: threadOf(outcome),
      isHigh: isFarBeyond,
      isUrgent: isFarBeyond,
      noticeKey: `alert:${occasion}`,
    },
  }
}

/** Twice as bad, or beyond the second limit. */
export const urgencyOf = ({ course, step }: Outcome): Urgency => (step === 'worse' ? 2 : course.isWorse ? 1 : 0)

const tell = (turn: MeasuredTurn, spoken: Spoken, stage: 'first' | 'update', isLate: boolean): Promise<Told> => {
  const { outcome, speaker } = spoken
  const { people, rule } = speaker
  return turn.road.tell({
    ...saidOf(turn, spoken, stage),
    rule,
    topic: `rule:${rule.id}`,
    isWorse: outcome.step === 'worse' || outcome.course.isWorse,
    urgency: urgencyOf(outcome),
    people,
    isLate,
  })
}

/** A rule that fires, is worse, or is over speaks, unless something keeps it from that. */
const speak = async (
  turn: MeasuredTurn,
  outcome: Outcome,
  speaker: Speaker,
  evaluation: Evaluation,
): Promise<Evaluation> => {
  const { transaction } = turn
  const { rule } = speaker
  const at = endOf(outcome.minute)
  const before = await incidentsOf(transaction, outcome)
  const open = before.find(({ ended_at: ended }) => ended === null)
  if (open === undefined && outcome.course.phase === 'ok') return evaluation
  const incidentId = open?.id ?? (await beginIncident(transaction, outcome, rule))
  const spoken: Spoken = { outcome, speaker, incidentId, startedAt: open?.started_at ?? at }
  const change = (more: { readonly toldAt?: number; readonly dueAt?: number | null } = {}): Promise<void> =>
    changeIncident(transaction, incidentId, outcome, more)
  const { step } = outcome
  const isSilent = outcome.course.isFlapping && step !== 'flapping'
  if (isEnd(outcome) && !isSilent) {
    await change()
    await turn.road.end([saidOf(turn, spoken, 'over')])
    return { ...evaluation, incidentId }
  }
  const wasTold = open !== undefined && open.told_at !== null
  // Some were told when it began, and others may be now.
  const isDue = open !== undefined && open.due_at !== null && open.due_at <= at
  if (!isSilent && wasTold && !isDue && (step === 'still' || step === 'unknown')) {
    await change()
    return { ...evaluation, incidentId }
  }
  // One that could not be told when it began is told as soon as it may be.
  const stage = wasTold && !isDue ? 'update' : 'first'
  const told = before.flatMap(({ told_at: one }) => one ?? [])
  const lastToldAt = stage === 'update' || told.length === 0 ? null : Math.max(...told)
  const suppression = suppressionOf(rule, { firstSeen: null, lastToldAt, isFlapping: isSilent }, at)
  if (suppression !== null) {
    await change(stage === 'first' ? { dueAt: suppression.until } : {})
    const decision = step === 'still' && wasTold ? ('still' as const) : ('held' as const)
    const sentence = `${evaluation.sentence}. ${suppression.sentence}`
    return { ...evaluation, decision, reason: suppression.reason, sentence, incidentId }
  }
  const heard = await tell(turn, spoken, stage, wasTold && isDue)
  if (heard.fates.length === 0 && isDue) {
    await change({ dueAt: null })
    return { ...evaluation, incidentId }
  }
  await change(isHeard(heard) ? { toldAt: at, dueAt: null } : {})
  if (stage === 'first') turn.fired.set(rule.id, at)
  const { decision, reason } = evaluation
  const concluded = conclude(heard, { decision, reason, sentence: `${evaluation.sentence}.` })
  return { ...evaluation, ...concluded, ...(isPlain(heard) ? { sentence: evaluation.sentence } : {}), incidentId }
}

/** Somebody was told: there is no more to say than what was found. */
const isPlain = ({ fates }: Told): boolean => fates.includes('told')

export const createTakeOutcomes = (parts: {
  readonly dialect: Ledger['dialect']
  readonly outlets: Pick<Outlets, 'enqueue' | 'notify'>
  readonly now: () => number
  readonly snoozePath: (ruleId: number, organizationId: number) => string
}) => {
  const { dialect, now, outlets, snoozePath } = parts
  return (transaction: LedgerTransaction, outcomes: readonly Outcome[], speakers: Speakers): Promise<void> =>
    inOneTurn({ transaction, dialect, now: now(), outlets }, async (telling) => {
      const turn: MeasuredTurn = { ...telling, snoozePath }
      for (const outcome of outcomes) {
        const evaluation = evaluationOf(outcome)
        const speaker = speakers.get(outcome.rule.id)
        turn.evaluations.push(speaker === undefined ? evaluation : await speak(turn, outcome, speaker, evaluation))
      }
    })
}
