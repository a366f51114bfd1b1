import { createHash } from 'node:crypto'
import type { AlertAction, AlertDecision } from '@firsthand/contract'
import type { Message, Outgoing } from '../../../channels/index.ts'
import type { Notice } from '../../../notices/index.ts'
import type { LedgerTransaction } from '../../../storage/index.ts'
import { keepEvaluations, type Evaluation } from '../../ledger/evaluations.ts'
import { gather, PEOPLE } from '../../ledger/gatherings.ts'
import { holdBack, noteSent, sentLately, type SentMessage } from '../../ledger/sent-messages.ts'
import type { Outlets } from '../../outlets.ts'
import { endOf } from '../minute.ts'
import type { Outcome } from '../outcome.ts'
import { lateText, oldText } from '../say.ts'
import { beginIncident, changeIncident, incidentsOf } from './incidents.ts'
import { isEnd, LATE_SECONDS, messageOf, threadOf } from './message.ts'
import type { Speaker, Speakers } from './prepare.ts'
import { silenceOf } from './spoken.ts'

/** Keeps what a minute came to, and tells whom it concerns: all in the transaction that says that the minute is done. */

interface Turn {
  readonly transaction: LedgerTransaction
  readonly now: number
  readonly evaluations: Evaluation[]
  readonly messages: Outgoing[]
  readonly notices: Notice[]
  readonly sent: SentMessage[]
  readonly fired: Map<number, number>
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
const occasionOf = ({ key, minute, rule }: Outcome): string => {
  const group = key === '[]' ? '' : `:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
  return `minute:${minute}:${rule.version}${group}`
}

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

/** What became of the actions. */
type Told = 'told' | 'gathered' | 'cap' | 'nobody'

const receiverOf = (channelId: number): string => (channelId === PEOPLE ? 'people' : `channel:${channelId}`)

interface Telling {
  readonly outcome: Outcome
  readonly speaker: Speaker
  readonly incidentId: number
  readonly message: Message
}

const send = async (
  turn: Turn,
  { incidentId, message, outcome, speaker }: Telling,
  channelId: number,
  people: readonly number[] | null,
): Promise<Told> => {
  const { now, transaction } = turn
  const { rule, slug } = speaker
  const { organizationId } = rule
  const receiver = receiverOf(channelId)
  if (message.stage === 'first') {
    const isFirst = await gather(
      transaction,
      {
        organizationId,
        ruleId: rule.id,
        channelId,
        subject: `rule:${rule.id}`,
        thread: message.thread,
        item: { level: message.level, text: message.headline, path: `/organizations/${slug}/alerts/${rule.id}` },
        people,
      },
      now,
    )
    if (!isFirst) return 'gathered'
  }
  const before = await sentLately(transaction, rule.id, receiver, now)
  const inThisTurn = turn.sent.filter((one) => one.ruleId === rule.id && one.receiver === receiver).length
  if (before + inThisTurn >= rule.draft.maxMessagesPerHour) {
    await holdBack(transaction, { organizationId, ruleId: rule.id, channelId }, now)
    return 'cap'
  }
  const key = `alert:${incidentId}:${outcome.minute}:${receiver}`
  turn.sent.push({ organizationId, ruleId: rule.id, incidentId, key, receiver, stage: message.stage })
  if (people === null) {
    const origin = { ruleId: rule.id, incidentId }
    turn.messages.push({ organizationId, to: { channelId }, key, message, origin })
  } else {
    const about = { issueId: null, reportId: null, actorId: null, isHigh: false }
    turn.notices.push({
      ...about,
      organizationId,
      userIds: people,
      kind: 'alert',
      key,
      cause: threadOf(outcome),
      message,
    })
  }
  return 'told'
}

const act = (turn: Turn, telling: Telling, action: AlertAction, place: number): Promise<Told> => {
  if (action.from === 'worse' && telling.outcome.step === 'fired' && !telling.outcome.course.isWorse) {
    return Promise.resolve('nobody')
  }
  if (action.kind === 'channel') return send(turn, telling, Number(action.channelId), null)
  const people = telling.speaker.people.get(place) ?? []
  return people.length === 0 ? Promise.resolve('nobody') : send(turn, telling, PEOPLE, people)
}

const tell = async (turn: Turn, telling: Telling): Promise<readonly Told[]> => {
  const told: Told[] = []
  const seen = new Set<string>()
  for (const [place, action] of telling.speaker.rule.draft.actions.entries()) {
    // Two actions for one channel are one message.
    const receiver = action.kind === 'channel' ? action.channelId : `people ${place}`
    if (seen.has(receiver)) continue
    seen.add(receiver)
    told.push(await act(turn, telling, action, place))
  }
  return told
}

/** What the evaluation says of what became of the actions; nothing where somebody was told. */
const conclude = (told: readonly Told[]): Partial<Pick<Evaluation, 'decision' | 'reason'>> => {
  if (told.length === 0 || told.includes('told')) return {}
  if (told.includes('gathered')) return { reason: 'grouped' }
  return { decision: 'held', reason: told.includes('cap') ? 'cap' : 'no_receiver' }
}

/** A rule that fires, is worse, or is over speaks, unless something keeps it from that. */
const speak = async (turn: Turn, outcome: Outcome, speaker: Speaker, evaluation: Evaluation): Promise<Evaluation> => {
  const { transaction } = turn
  const at = endOf(outcome.minute)
  const before = await incidentsOf(transaction, outcome)
  const open = before.find(({ ended_at: ended }) => ended === null)
  if (open === undefined && outcome.course.phase === 'ok') return evaluation
  const incidentId = open?.id ?? (await beginIncident(transaction, outcome, speaker.rule))
  const wasTold = open !== undefined && open.told_at !== null
  const { step } = outcome
  if (outcome.course.isFlapping && step !== 'flapping') {
    await changeIncident(transaction, incidentId, outcome, null)
    return { ...evaluation, decision: step === 'still' ? 'still' : 'held', reason: 'flapping', incidentId }
  }
  // One that could not be told when it began is told as soon as it may be.
  const stage = isEnd(outcome) ? 'over' : wasTold ? 'update' : 'first'
  if ((isEnd(outcome) && !wasTold) || ((step === 'still' || step === 'unknown') && wasTold)) {
    await changeIncident(transaction, incidentId, outcome, null)
    return { ...evaluation, incidentId }
  }
  const toldAt = Math.max(...before.map(({ told_at: told }) => told ?? -Infinity))
  const silence = silenceOf(speaker.rule, stage === 'first' && Number.isFinite(toldAt) ? toldAt : null, at)
  if (silence !== null) {
    await changeIncident(transaction, incidentId, outcome, null)
    const sentence = `${evaluation.sentence}. ${silence.sentence}`
    return { ...evaluation, decision: 'held', reason: silence.reason, sentence, incidentId }
  }
  const snooze = turn.snoozePath(speaker.rule.id, speaker.rule.organizationId)
  const startedAt = open?.started_at ?? at
  const message = messageOf({
    outcome,
    rule: speaker.rule,
    stage,
    slug: speaker.slug,
    snooze,
    startedAt,
    behind: speaker.behind.get(outcome.key) ?? [],
  })
  const told = await tell(turn, { outcome, speaker, incidentId, message })
  const isTold = told.some((one) => one === 'told' || one === 'gathered')
  await changeIncident(transaction, incidentId, outcome, isTold ? at : null)
  if (stage === 'first') turn.fired.set(speaker.rule.id, at)
  return { ...evaluation, ...conclude(told), incidentId }
}

export const createTakeOutcomes = (parts: {
  readonly outlets: Pick<Outlets, 'enqueue' | 'notify'>
  readonly now: () => number
  readonly snoozePath: (ruleId: number, organizationId: number) => string
}) => {
  const { outlets, snoozePath } = parts
  return async (transaction: LedgerTransaction, outcomes: readonly Outcome[], speakers: Speakers): Promise<void> => {
    const empty = { evaluations: [], messages: [], notices: [], sent: [], fired: new Map<number, number>() }
    const turn: Turn = { ...empty, transaction, now: parts.now(), snoozePath }
    for (const outcome of outcomes) {
      const evaluation = evaluationOf(outcome)
      const speaker = speakers.get(outcome.rule.id)
      turn.evaluations.push(speaker === undefined ? evaluation : await speak(turn, outcome, speaker, evaluation))
    }
    await keepEvaluations(transaction, turn.evaluations, turn.now)
    await noteSent(transaction, turn.sent, turn.now)
    for (const [ruleId, at] of turn.fired) {
      await transaction.updateTable('alert_rules').set({ last_fired_at: at }).where('id', '=', ruleId).execute()
    }
    if (turn.messages.length > 0) await outlets.enqueue(transaction, turn.messages, turn.now)
    if (turn.notices.length > 0) await outlets.notify(transaction, turn.notices, turn.now)
  }
}
