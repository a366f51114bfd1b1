import type { Message } from '../../channels/index.ts'
import type { Incident } from '../ledger/incidents.ts'
import { lengthInMinutes } from '../../lib/length-text.ts'
import { aboutOf, headlineOf, nameOf, pathOf, threadOf } from './message.ts'
import { isMove, type Noted } from './happening.ts'
import type { Turn } from './take-facts.ts'

/** Incidents of an issue are over: whoever heard of them hears that. @param why what was done with the issue: `resolved` */
export const sayOver = async (turn: Turn, fact: Noted, ended: readonly Incident[], why: string): Promise<void> => {
  if (ended.length === 0) return
  const { road } = turn
  const { actorId, issueId, organizationId, projectId, reportId } = fact
  const { surroundings } = turn.prepared
  await road.end(
    ended.map((incident) => ({
      organizationId,
      ruleId: incident.rule_id,
      incidentId: incident.id,
      occasion: `fact:${fact.id}`,
      message: overMessage(turn, fact, incident, why),
      name: nameOf(fact, surroundings),
      place: surroundings.project(projectId)?.slug ?? '',
      about: {
        issueId,
        reportId,
        actorId,
        projectId,
        cause: threadOf(fact),
        isHigh: false,
        noticeKey: `fact:${fact.id}`,
      },
    })),
  )
  await evaluate(turn, fact, ended, why)
}

const evaluate = async (turn: Turn, fact: Noted, ended: readonly Incident[], why: string): Promise<void> => {
  const rules = await turn.transaction
    .selectFrom('alert_rules')
    .select(['id', 'version'])
    .where(
      'id',
      'in',
      ended.map(({ rule_id: id }) => id),
    )
    .execute()
  const versions = new Map(rules.map(({ id, version }) => [id, version]))
  for (const { id, rule_id: ruleId, started_at: startedAt } of ended) {
    const ruleVersion = versions.get(ruleId)
    if (ruleVersion === undefined) continue
    turn.evaluations.push({
      organizationId: fact.organizationId,
      ruleId,
      ruleVersion,
      occasion: `over:${fact.id}`,
      at: fact.receivedAt,
      issueId: fact.issueId,
      decision: 'over',
      reason: 'matched',
      sentence: `The issue was ${why} after ${lengthInMinutes(fact.receivedAt - startedAt)}.`,
      incidentId: id,
    })
  }
}

const overMessage = (
  { prepared: { surroundings }, snoozePath }: Turn,
  fact: Noted,
  incident: Pick<Incident, 'headline' | 'started_at' | 'rule_id' | 'rule_name' | 'subject'>,
  why: string,
): Message => ({
  kind: 'over',
  level: 'ok',
  headline: `Over after ${lengthInMinutes(fact.receivedAt - incident.started_at)}. ${headlineOf(fact, surroundings)}`,
  blocks: [
    { kind: 'text', text: incident.headline },
    ...(isMove(fact) ? [{ kind: 'text' as const, text: `The issue was ${why}.` }] : []),
  ],
  actions: [
    { label: 'Open', path: pathOf(fact, surroundings) },
    { label: 'Snooze', path: snoozePath(incident.rule_id, fact.organizationId) },
  ],
  thread: incident.subject,
  stage: 'over',
  reason: `The alert “${incident.rule_name}” watches this.`,
  about: aboutOf(fact, { id: incident.rule_id, name: incident.rule_name }, surroundings),
})
