import type { Message } from '../../channels/index.ts'
import { endIncidentsOf } from '../ledger/incidents.ts'
import { aboutOf, headlineOf, pathOf, threadOf } from './message.ts'
import type { Happening } from './happening.ts'
import type { Turn } from './take-facts.ts'

const MINUTE_MS = 60_000

const lengthOf = (ms: number): string => {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS))
  if (minutes < 120) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`
}

const CHANNEL = /^channel:(\d+)$/

/**
 * Somebody resolved or archived the issue: its incidents are over, and the channels that heard of it hear that, once. People
 * are told what others do by their subscriptions.
 */
export const sayOver = async (turn: Turn, fact: Happening): Promise<void> => {
  const { transaction } = turn
  if (fact.issueId === null) return
  const ended = await endIncidentsOf(transaction, fact.issueId, fact.receivedAt)
  if (ended.length === 0) return
  const rows = await transaction
    .selectFrom('alert_messages')
    .innerJoin('alert_rules', 'alert_rules.id', 'alert_messages.rule_id')
    .select(['alert_messages.incident_id', 'alert_messages.rule_id', 'alert_messages.receiver'])
    .where(
      'alert_messages.incident_id',
      'in',
      ended.map(({ id }) => id),
    )
    .where('alert_rules.is_muted', '=', 0)
    .where('alert_rules.deleted_at', 'is', null)
    .orderBy('alert_messages.id')
    .execute()
  const told = new Set<string>()
  for (const { incident_id: incidentId, receiver, rule_id: ruleId } of rows) {
    const channelId = CHANNEL.exec(receiver)?.[1]
    const incident = ended.find(({ id }) => id === incidentId)
    if (channelId === undefined || incident === undefined || told.has(receiver)) continue
    told.add(receiver)
    const key = `alert:over:${fact.id}:${receiver}`
    const { organizationId } = fact
    turn.sent.push({ organizationId, ruleId, incidentId, key, receiver, stage: 'over' })
    turn.messages.push({
      organizationId,
      to: { channelId: Number(channelId) },
      key,
      message: overMessage(turn, fact, incident),
      origin: { ruleId, incidentId: incident.id },
    })
  }
  const rules = await transaction
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
      sentence: `The issue was ${fact.kind === 'issue_resolved' ? 'resolved' : 'archived'} after ${lengthOf(fact.receivedAt - startedAt)}.`,
      incidentId: id,
    })
  }
}

const overMessage = (
  { prepared: { surroundings }, snoozePath }: Turn,
  fact: Happening,
  incident: {
    readonly headline: string
    readonly started_at: number
    readonly rule_id: number
    readonly rule_name: string
  },
): Message => ({
  kind: 'over',
  level: 'ok',
  headline: `Over after ${lengthOf(fact.receivedAt - incident.started_at)}. ${headlineOf(fact, surroundings)}`,
  blocks: [{ kind: 'text', text: incident.headline }],
  actions: [
    { label: 'Open', path: pathOf(fact, surroundings) },
    { label: 'Snooze', path: snoozePath(incident.rule_id, fact.organizationId) },
  ],
  thread: threadOf(fact),
  stage: 'over',
  reason: `The alert “${incident.rule_name}” watches this.`,
  about: aboutOf(fact, { id: incident.rule_id, name: incident.rule_name }, surroundings),
})
