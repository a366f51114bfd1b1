import { lengthInMinutes } from '../../lib/length-text.ts'
import type { Incident } from '../ledger/incidents.ts'
import { endUntilTold } from '../ledger/taken-back.ts'
import type { Noted } from './happening.ts'
import { whyOver } from './say-over.ts'
import type { Turn } from './take-facts.ts'

/**
 * Somebody closed the issue, or it is gone: its incidents are over. That is told a little later (`tell-over.ts`): whoever
 * takes it back by then has nothing told to anybody.
 */
export const closeIncidents = async (
  turn: Turn,
  fact: Noted,
  { isGone }: { readonly isGone: boolean },
): Promise<void> => {
  const { id: factId, issueId, receivedAt: at } = fact
  if (issueId === null) return
  const ended = await endUntilTold(turn.transaction, issueId, { at, factId, isGone })
  const why = whyOver(fact, turn.prepared.surroundings)
  await evaluate(turn, fact, ended, ({ started_at: startedAt }) => ({
    occasion: `over:${factId}`,
    decision: 'over',
    sentence: `The issue was ${why} after ${lengthInMinutes(at - startedAt)}.`,
  }))
}

/** Rules of these incidents came to something, by what somebody did to their issue. */
export const evaluate = async (
  turn: Turn,
  fact: Noted,
  incidents: readonly Incident[],
  found: (incident: Incident) => {
    readonly occasion: string
    readonly decision: 'over' | 'still' | 'update'
    readonly sentence: string
  },
): Promise<void> => {
  if (incidents.length === 0) return
  const rules = await turn.transaction
    .selectFrom('alert_rules')
    .select(['id', 'version'])
    .where(
      'id',
      'in',
      incidents.map(({ rule_id: id }) => id),
    )
    .execute()
  const versions = new Map(rules.map(({ id, version }) => [id, version]))
  for (const incident of incidents) {
    const { id: incidentId, rule_id: ruleId } = incident
    const ruleVersion = versions.get(ruleId)
    if (ruleVersion === undefined) continue
    turn.evaluations.push({
      organizationId: fact.organizationId,
      ruleId,
      ruleVersion,
      at: fact.receivedAt,
      issueId: fact.issueId,
      reason: 'matched',
      incidentId,
      ...found(incident),
    })
  }
}
