import { moveIncidents, returnIncidents } from '../ledger/incidents.ts'
import { closeIncidents } from './close-incidents.ts'
import type { Move } from './happening.ts'
import { threadOf } from './message.ts'
import { takeBack } from './take-back.ts'
import type { Turn } from './take-facts.ts'

/**
 * Incidents go on with the issue into which theirs was merged, in the thread in which they were told, and come back with it.
 * They end where a rule has one of that issue already, where that issue is closed, and when theirs is deleted.
 */
export const followMove = async (turn: Turn, fact: Move): Promise<void> => {
  const { transaction } = turn
  const { issueId } = fact
  if (issueId === null) return
  switch (fact.kind) {
    case 'issue_unmerged':
      await returnIncidents(transaction, { from: fact.data.parentId, to: issueId, subject: threadOf(fact) })
      return takeBack(turn, fact)
    case 'issue_restored':
      return takeBack(turn, fact)
    case 'issue_merged':
      if (fact.data.parent.status === 'unresolved') {
        await moveIncidents(transaction, { from: issueId, to: fact.data.parentId })
      }
      return closeIncidents(turn, fact, { isGone: true })
    case 'issue_deleted':
      return closeIncidents(turn, fact, { isGone: true })
  }
}
