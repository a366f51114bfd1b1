import { LIMITS } from '../limits.ts'
import type { Evaluation } from '../ledger/evaluations.ts'
import { lastIncidents, noteIncident, openIncident } from '../ledger/incidents.ts'
import { isWithin } from '../../lib/clock.ts'
import type { AlertRule } from '../rule.ts'
import { conclude, isHeard } from '../telling/conclude.ts'
import { FLAPS } from '../telling/flapping.ts'
import type { Firing } from '../telling/road.ts'
import { suppressionOf } from '../telling/suppression.ts'
import type { Message } from '../../channels/index.ts'
import { issueOf, releaseOf, type Happening } from './happening.ts'
import { headlineOf, lineOf, messageOf, nameOf, projectName, threadOf } from './message.ts'
import type { Judged } from './prepare.ts'
import { goesOn, standingOf, type Standing } from './standing.ts'
import type { Surroundings } from './surroundings.ts'
import type { Turn } from './take-facts.ts'

/** What a broken release brings, many at once. */
const COMES_WITH_A_RELEASE: ReadonlySet<Happening['kind']> = new Set(['issue_opened', 'issue_regressed'])

/** What belongs together: all that comes with new releases of a project, else all of the rule. */
export const topicOf = (fact: Happening, rule: AlertRule, surroundings: Pick<Surroundings, 'firstSeen'>): string => {
  const release = COMES_WITH_A_RELEASE.has(fact.kind) ? releaseOf(fact) : null
  const firstSeen = release ? surroundings.firstSeen(fact.projectId, release) : null
  return firstSeen !== null && isWithin(firstSeen, LIMITS.ALERT_DEPLOY_MS, fact.receivedAt)
    ? `deploy:${fact.projectId}`
    : `rule:${rule.id}`
}

/** What a rule that fires for something that happened hands to the road. */
export const firingOf = (
  { prepared: { surroundings }, snoozePath }: Pick<Turn, 'prepared' | 'snoozePath'>,
  fact: Happening,
  { people, rule }: Pick<Judged, 'people' | 'rule'>,
  { flaps, isWorse, stage, urgency }: Pick<Standing<never>, 'flaps' | 'isWorse' | 'stage' | 'urgency'>,
  /** Its thread is that in which it was told, be that of an issue that was merged since. */
  { incidentId, subject }: { readonly incidentId: number; readonly subject: string },
): Firing => {
  const snooze = snoozePath(rule.id, fact.organizationId)
  const plain = { ...messageOf({ fact, rule, stage, surroundings, snooze }), thread: subject }
  const message = flaps ? flappingMessage(plain) : plain
  const { actorId, issueId, organizationId, projectId, reportId } = fact
  // That somebody closed it wakes nobody.
  const isHigh = issueOf(fact)?.priority === 'high' && message.level !== 'ok'
  return {
    organizationId,
    rule,
    ruleId: rule.id,
    incidentId,
    occasion: `fact:${fact.id}`,
    topic: topicOf(fact, rule, surroundings),
    isWorse,
    urgency,
    message,
    line: flaps ? flapping(lineOf(fact)) : lineOf(fact),
    name: nameOf(fact, surroundings),
    place: projectName(surroundings.project(projectId)),
    people,
    about: {
      issueId,
      reportId,
      actorId,
      projectId,
      cause: threadOf(fact),
      isHigh,
      isUrgent: isWorse || (isHigh && message.level === 'fatal'),
      // Whoever follows the issue hears of the same fact by their subscription.
      noticeKey: `fact:${fact.id}`,
    },
  }
}

/** A rule that matches speaks, unless something keeps it from that. */
export const speak = async (
  turn: Turn,
  fact: Happening,
  judged: Judged,
  evaluation: Evaluation,
): Promise<Evaluation> => {
  const { road, transaction } = turn
  const { rule } = judged
  if (rule.draft.actions.length === 0) {
    turn.fired.set(rule.id, fact.receivedAt)
    return { ...evaluation, ...conclude({ fates: [], saidBy: null }, evaluation) }
  }
  const before = await lastIncidents(transaction, rule.id, threadOf(fact), fact.issueId)
  const standing = standingOf(before, fact)
  const { flaps, isWorse, open, stage } = standing
  const subject = open?.subject ?? threadOf(fact)
  const at = fact.receivedAt
  const suppression = suppressionOf(rule, standing.circumstances, at)
  const isFlapping = flaps && suppression === null
  const incidentId =
    open?.id ??
    (await openIncident(transaction, {
      organizationId: fact.organizationId,
      rule,
      subject,
      issueId: fact.issueId,
      projectId: fact.projectId,
      headline: headlineOf(fact, turn.prepared.surroundings),
      state: goesOn(fact) ? (isFlapping ? 'flapping' : 'firing') : 'over',
      at,
      factId: fact.id,
    }))
  if (suppression !== null) {
    const { reason, sentence, until } = suppression
    await noteIncident(transaction, incidentId, {
      changedAt: at,
      swallowed: 1,
      ...(stage === 'first' ? { dueAt: until } : {}),
    })
    const decision = stage === 'update' ? 'still' : 'held'
    return { ...evaluation, decision, reason, sentence: `${evaluation.sentence} ${sentence}`, incidentId }
  }
  const told = await road.tell(
    firingOf(turn, fact, judged, { ...standing, flaps: isFlapping }, { incidentId, subject }),
  )
  const isTold = told.fates.includes('told')
  await noteIncident(transaction, incidentId, {
    changedAt: at,
    ...(isHeard(told) ? { toldAt: at, dueAt: null } : {}),
    swallowed: isTold ? 0 : 1,
  })
  if (isHeard(told)) turn.fired.set(rule.id, at)
  const decision = isWorse ? ('worse' as const) : stage === 'update' ? ('update' as const) : ('fired' as const)
  const { reason, sentence } = evaluation
  return { ...evaluation, ...conclude(told, { decision, reason, sentence }), incidentId }
}

const flapping = (headline: string): string => `Flapping: ${headline}`

const flappingMessage = (message: Message): Message => ({
  ...message,
  headline: flapping(message.headline),
  blocks: [{ kind: 'text', text: FLAPS }, ...message.blocks],
})
