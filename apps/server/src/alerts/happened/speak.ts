import type { AlertAction, AlertReason } from '@firsthand/contract'
import type { Message } from '../../channels/index.ts'
import { isWithin } from '../../lib/clock.ts'
import type { Notice } from '../../notices/index.ts'
import type { Evaluation } from '../ledger/evaluations.ts'
import { gather, PEOPLE } from '../ledger/gatherings.ts'
import { changesLately, lastIncidents, noteIncident, openIncident, type Incident } from '../ledger/incidents.ts'
import { holdBack, sentLately } from '../ledger/sent-messages.ts'
import { LIMITS } from '../limits.ts'
import type { AlertRule } from '../rule.ts'
import { issueOf, releaseOf, type Happening } from './happening.ts'
import { headlineOf, messageOf, pathOf, threadOf } from './message.ts'
import type { Judged } from './prepare.ts'
import type { Turn } from './take-facts.ts'

const MINUTE_MS = 60_000

/** After these an incident goes on until somebody resolves or archives the issue; of all else it is over at once. */
export const GOES_ON: ReadonlySet<Happening['kind']> = new Set([
  'issue_opened',
  'issue_regressed',
  'issue_escalating',
  'issue_unarchived',
  'issue_priority_raised',
])

/** What a broken release brings, many at once. */
const COMES_WITH_A_RELEASE: ReadonlySet<Happening['kind']> = new Set(['issue_opened', 'issue_regressed'])

/** Of an incident that is known already. */
const IS_WORSE: ReadonlySet<Happening['kind']> = new Set(['issue_escalating', 'issue_priority_raised'])

/** Owners hear of what is theirs; whoever else a rule names hears of it as of an alert. */
const kindOf = ({ target }: Extract<AlertAction, { readonly kind: 'people' }>): Notice['kind'] =>
  target === 'owners' ? 'owner' : 'alert'

/** What became of one action. */
type Outcome = 'told' | 'gathered' | 'same_channel' | 'cap' | 'no_receiver' | 'not_worse'

/** Why a rule that matches is silent all the same; null when it is not. */
interface Silence {
  readonly reason: AlertReason
  readonly sentence: string
}

const agoSentence = (from: number, at: number): string => {
  const minutes = Math.round((at - from) / MINUTE_MS)
  return minutes < 1 ? 'less than a minute ago' : minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`
}

const silenceOf = (rule: AlertRule, before: readonly Incident[], fact: Happening): Silence | null => {
  if (before[0]?.state === 'flapping') {
    return {
      reason: 'flapping',
      sentence: 'It was over and back again so often that each time says nothing; it waits until it is calm.',
    }
  }
  const { frequencyMinutes } = rule.draft
  const toldAt = Math.max(...before.map(({ told_at: at }) => at ?? -Infinity))
  if (frequencyMinutes > 0 && isWithin(toldAt, frequencyMinutes * MINUTE_MS, fact.receivedAt)) {
    const ago = agoSentence(toldAt, fact.receivedAt)
    return {
      reason: 'frequency',
      sentence: `It was told ${ago}, and is told every ${frequencyMinutes} minutes at most.`,
    }
  }
  return null
}

/** Where something that happened was told of. */
const placeOf = (fact: Happening, receiver: string): string => `${fact.id} ${receiver}`

/** Rules speak within one turn: what one said to a receiver, another does not say again. */
// long: the steps share what was said and counted in this turn, and are named functions
export const createSpeaking = (turn: Turn) => {
  const { now, prepared, transaction } = turn
  const { surroundings } = prepared
  /** Rule by what it told to whom. */
  const said = new Map<string, AlertRule>()
  const counts = new Map<string, number>()

  /** Whether one more message of the rule is within its most in an hour; if so, it is counted. */
  const mayTell = async (rule: AlertRule, receiver: string): Promise<boolean> => {
    const key = `${rule.id} ${receiver}`
    const before = counts.get(key) ?? (await sentLately(transaction, rule.id, receiver, now))
    if (before >= rule.draft.maxMessagesPerHour) return false
    counts.set(key, before + 1)
    return true
  }

  /** What belongs together: all that comes with a release that is new, else all of the rule. */
  const subjectOf = (fact: Happening, rule: AlertRule): string => {
    const release = COMES_WITH_A_RELEASE.has(fact.kind) ? releaseOf(fact) : null
    const firstSeen = release ? surroundings.firstSeen(fact.projectId, release) : null
    return release && firstSeen !== null && isWithin(firstSeen, LIMITS.ALERT_DEPLOY_MS, fact.receivedAt)
      ? `release:${fact.projectId}:${release}`
      : `rule:${rule.id}`
  }

  interface Telling {
    readonly fact: Happening
    readonly rule: AlertRule
    readonly incidentId: number
    readonly message: Message
  }

  /** Now, or together with others. */
  const send = async (
    { fact, incidentId, message, rule }: Telling,
    channelId: number,
    people: { readonly userIds: readonly number[]; readonly kind: Notice['kind'] } | null,
  ): Promise<Outcome> => {
    const receiver = channelId === PEOPLE ? 'people' : `channel:${channelId}`
    const isFirst = await gather(
      transaction,
      {
        organizationId: fact.organizationId,
        ruleId: rule.id,
        channelId,
        subject: subjectOf(fact, rule),
        thread: message.thread,
        item: { level: message.level, text: message.headline, path: pathOf(fact, surroundings) },
        people: people?.userIds ?? null,
      },
      now,
    )
    if (!isFirst) return 'gathered'
    if (!(await mayTell(rule, receiver))) {
      await holdBack(transaction, { organizationId: fact.organizationId, ruleId: rule.id, channelId }, now)
      return 'cap'
    }
    const { organizationId } = fact
    const key = `alert:${fact.id}:${receiver}`
    const { stage } = message
    turn.sent.push({ organizationId, ruleId: rule.id, incidentId, key, receiver, stage })
    if (people === null) {
      turn.messages.push({ organizationId, to: { channelId }, key, message, origin: { ruleId: rule.id, incidentId } })
    } else {
      turn.told.push({
        organizationId,
        ...people,
        issueId: fact.issueId,
        reportId: fact.reportId,
        actorId: fact.actorId,
        key,
        cause: threadOf(fact),
        message,
        isHigh: issueOf(fact)?.priority === 'high' && message.level === 'fatal',
      })
    }
    return 'told'
  }

  const act = async (
    telling: Telling,
    action: AlertAction,
    people: readonly number[] | undefined,
    isWorse: boolean,
  ): Promise<Outcome> => {
    const { fact, rule } = telling
    if (action.from === 'worse' && !isWorse) return 'not_worse'
    if (action.kind === 'people') {
      if (people === undefined || people.length === 0) return 'no_receiver'
      const others = people.filter((userId) => !said.has(placeOf(fact, `user:${userId}`)))
      if (others.length === 0) return 'same_channel'
      for (const userId of others) said.set(placeOf(fact, `user:${userId}`), rule)
      return send(telling, PEOPLE, { userIds: others, kind: kindOf(action) })
    }
    const place = placeOf(fact, `channel:${action.channelId}`)
    if (said.has(place)) return 'same_channel'
    said.set(place, rule)
    return send(telling, Number(action.channelId), null)
  }

  /** Name of the rule that said the same to a receiver of this one. */
  const saidBy = (fact: Happening, { people, rule }: Judged): string => {
    const receivers = rule.draft.actions.flatMap((action, place) =>
      action.kind === 'channel'
        ? [`channel:${action.channelId}`]
        : (people.get(place) ?? []).map((userId) => `user:${userId}`),
    )
    const others = receivers.map((receiver) => said.get(placeOf(fact, receiver)))
    return others.find((other) => other !== undefined && other.id !== rule.id)?.draft.name ?? ''
  }

  /** A rule that matches speaks, unless something that was said before keeps it from that. */
  return async (fact: Happening, judged: Judged, evaluation: Evaluation): Promise<Evaluation> => {
    const { people, rule } = judged
    const subject = threadOf(fact)
    const before = await lastIncidents(transaction, rule.id, subject)
    const open = before.find(({ ended_at: endedAt }) => endedAt === null)
    const silence = silenceOf(rule, before, fact)
    const goesOn = GOES_ON.has(fact.kind)
    const flaps =
      silence === null &&
      goesOn &&
      open === undefined &&
      changesLately(before, fact.receivedAt) + 1 >= LIMITS.ALERT_FLAPPING_CHANGES
    const headline = headlineOf(fact, surroundings)
    const incidentId =
      open?.id ??
      (await openIncident(transaction, {
        organizationId: fact.organizationId,
        rule,
        subject,
        issueId: fact.issueId,
        projectId: fact.projectId,
        headline,
        state: goesOn ? (flaps ? 'flapping' : 'firing') : 'over',
        at: fact.receivedAt,
      }))
    if (silence !== null) {
      await noteIncident(transaction, incidentId, { changedAt: fact.receivedAt, swallowed: 1 })
      return { ...evaluation, decision: open === undefined ? 'held' : 'still', ...silence, incidentId }
    }
    const isWorse = open !== undefined && IS_WORSE.has(fact.kind)
    const stage = goesOn ? (open === undefined ? 'first' : 'update') : 'single'
    const plain = messageOf({ fact, rule, stage, surroundings, snooze: turn.snoozePath(rule.id, fact.organizationId) })
    const message = flaps ? flapping(plain) : plain
    const telling: Telling = { fact, rule, incidentId, message }
    const outcomes: Outcome[] = []
    for (const [place, action] of rule.draft.actions.entries()) {
      outcomes.push(await act(telling, action, people.get(place), isWorse))
    }
    const isTold = outcomes.some((outcome) => outcome === 'told' || outcome === 'gathered')
    await noteIncident(transaction, incidentId, {
      changedAt: fact.receivedAt,
      ...(isTold ? { toldAt: fact.receivedAt } : {}),
      swallowed: outcomes.includes('told') ? 0 : 1,
    })
    if (isTold || rule.draft.actions.length === 0) turn.fired.set(rule.id, fact.receivedAt)
    return {
      ...evaluation,
      ...conclude(outcomes, evaluation, { stage, isWorse, said: saidBy(fact, judged) }),
      incidentId,
    }
  }
}

const flapping = (message: Message): Message => ({
  ...message,
  headline: `Flapping: ${message.headline}`,
  blocks: [
    {
      kind: 'text',
      text: 'It was over and back again so often that each time says nothing: you hear of it again when it was calm for a while.',
    },
    ...message.blocks,
  ],
})

/** What the evaluation says of all that became of the actions. */
const conclude = (
  outcomes: readonly Outcome[],
  { sentence }: Evaluation,
  told: { readonly stage: Message['stage']; readonly isWorse: boolean; readonly said: string },
): Pick<Evaluation, 'decision' | 'reason' | 'sentence'> => {
  const decision = told.isWorse ? 'worse' : told.stage === 'update' ? 'update' : 'fired'
  if (outcomes.length === 0) {
    return { decision, reason: 'matched', sentence: `${sentence} It tells nobody: it has no actions.` }
  }
  if (outcomes.includes('told')) return { decision, reason: 'matched', sentence }
  if (outcomes.includes('gathered')) {
    return {
      decision,
      reason: 'grouped',
      sentence: `${sentence} It is told together with others that came at the same time.`,
    }
  }
  if (outcomes.includes('cap')) {
    return {
      decision: 'held',
      reason: 'cap',
      sentence: 'The rule had said as much as it may in an hour. One line says how many were held back.',
    }
  }
  if (outcomes.includes('same_channel')) {
    return {
      decision: 'held',
      reason: 'same_channel',
      sentence: `The alert “${told.said}” said the same to the same receivers.`,
    }
  }
  return outcomes.includes('not_worse')
    ? { decision: 'held', reason: 'other', sentence: 'It tells only of what becomes worse.' }
    : { decision: 'held', reason: 'no_receiver', sentence: 'Nobody owns the issue, and the rule tells nobody else.' }
}
