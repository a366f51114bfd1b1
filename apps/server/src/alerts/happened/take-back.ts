import { takeBackEnds } from '../ledger/taken-back.ts'
import { evaluate } from './close-incidents.ts'
import { issueOf, type Noted } from './happening.ts'
import { sayNotOver } from './say-over.ts'
import type { Turn } from './take-facts.ts'

/** How the issue stands again, in the sentence of the evaluation. */
const AGAIN: Partial<Readonly<Record<Noted['kind'], string>>> = {
  issue_restored: 'restored',
  issue_unmerged: 'taken apart from the other one',
}

/**
 * Somebody takes back what ended incidents of an issue: they go on. Where their end was not told yet nobody hears of either,
 * else those who were told.
 */
export const takeBack = async (turn: Turn, fact: Noted): Promise<void> => {
  const { id, issueId, kind, receivedAt } = fact
  // One that was closed before it was deleted or merged is closed again.
  if (issueId === null || issueOf(fact)?.status !== 'unresolved') return
  const { incidents, untold } = await takeBackEnds(turn.transaction, issueId, receivedAt)
  const how = `The issue was ${AGAIN[kind] ?? 'opened again'}, and the incident goes on.`
  await evaluate(turn, fact, incidents, (incident) => {
    const isTold = !untold.has(incident.id)
    const said = isTold ? 'Whoever was told that it is over is told so.' : 'That it was over had not been told yet.'
    return { occasion: `again:${id}`, decision: isTold ? 'update' : 'still', sentence: `${how} ${said}` }
  })
  await sayNotOver(
    turn,
    fact,
    incidents.filter((incident) => !untold.has(incident.id)),
  )
}
