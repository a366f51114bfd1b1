import { formatShortId } from '../../issues/index.ts'
import { endAllIncidentsOf, moveIncidents, returnIncidents, type Incident } from '../ledger/incidents.ts'
import type { Move } from './happening.ts'
import { threadOf } from './message.ts'
import { sayOver } from './say-over.ts'
import type { Turn } from './take-facts.ts'

/**
 * Incidents go on with the issue into which theirs was merged, in the thread in which they were told, and come back with it.
 * They end where a rule has one of that issue already, where that issue is closed, and when theirs is deleted.
 */
export const followMove = async (turn: Turn, fact: Move): Promise<void> => {
  const { issueId, receivedAt: at } = fact
  if (issueId === null) return
  if (fact.kind === 'issue_unmerged') {
    await returnIncidents(turn.transaction, { from: fact.data.parentId, to: issueId, subject: threadOf(fact) })
    return
  }
  const { ended, why } = await leave(turn, fact, issueId, at)
  await sayOver(turn, fact, ended, why)
}

const leave = async (
  { prepared, transaction }: Turn,
  fact: Exclude<Move, { readonly kind: 'issue_unmerged' }>,
  issueId: number,
  at: number,
): Promise<{ readonly ended: readonly Incident[]; readonly why: string }> => {
  if (fact.kind === 'issue_deleted') return { ended: await endAllIncidentsOf(transaction, issueId, at), why: 'deleted' }
  const { parent, parentId } = fact.data
  const why = `merged into ${formatShortId(prepared.surroundings.project(fact.projectId)?.slug ?? '', parent.number)}`
  if (parent.status === 'unresolved') {
    return { ended: await moveIncidents(transaction, { from: issueId, to: parentId, at }), why }
  }
  const how = parent.status === 'resolved' ? 'resolved' : 'archived'
  return { ended: await endAllIncidentsOf(transaction, issueId, at), why: `${why}, which is ${how},` }
}
