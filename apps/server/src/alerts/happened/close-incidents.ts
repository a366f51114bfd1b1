import { endIncidentsOf } from '../ledger/incidents.ts'
import type { Happening } from './happening.ts'
import { sayOver } from './say-over.ts'
import type { Turn } from './take-facts.ts'

/** Somebody closed the issue: its incidents are over. */
export const closeIncidents = async (turn: Turn, fact: Happening): Promise<void> => {
  if (fact.issueId === null) return
  const ended = await endIncidentsOf(turn.transaction, fact.issueId, fact.receivedAt)
  await sayOver(turn, fact, ended, fact.kind === 'issue_resolved' ? 'resolved' : 'archived')
}
