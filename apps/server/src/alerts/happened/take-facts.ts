import type { StoredFact } from '../../facts/index.ts'
import type { Outgoing } from '../../channels/index.ts'
import type { Notice } from '../../notices/index.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { keepEvaluations, type Evaluation } from '../ledger/evaluations.ts'
import { noteSent, type SentMessage } from '../ledger/sent-messages.ts'
import { LIMITS } from '../limits.ts'
import type { Outlets } from '../outlets.ts'
import { isHappening, type Happening } from './happening.ts'
import { endsIncidents, type Judged, type Prepared } from './prepare.ts'
import { sayOver } from './say-over.ts'
import { createSpeaking } from './speak.ts'

/** What is written at the end of a turn, all at once. */
export interface Turn {
  readonly transaction: LedgerTransaction
  readonly now: number
  readonly prepared: Prepared
  readonly snoozePath: (ruleId: number, organizationId: number) => string
  readonly evaluations: Evaluation[]
  readonly messages: Outgoing[]
  readonly told: Notice[]
  readonly sent: SentMessage[]
  /** Rules that fired. */
  readonly fired: Map<number, number>
}

const evaluationOf = (fact: Happening, { judgement, rule }: Judged): Evaluation => ({
  organizationId: fact.organizationId,
  ruleId: rule.id,
  ruleVersion: rule.version,
  occasion: `fact:${fact.id}`,
  at: fact.receivedAt,
  issueId: fact.issueId,
  ...judgement,
  incidentId: null,
})

/** All that follows from what happened, in the transaction in which it is taken. */
export const createTakeFacts = (parts: {
  readonly outlets: Pick<Outlets, 'enqueue' | 'notify'>
  readonly now: () => number
  readonly snoozePath: (ruleId: number, organizationId: number) => string
}) => {
  const { outlets } = parts
  return async (transaction: LedgerTransaction, facts: readonly StoredFact[], prepared: Prepared): Promise<void> => {
    const happened = facts.filter(isHappening)
    if (happened.length === 0) return
    const turn: Turn = {
      transaction,
      now: parts.now(),
      prepared,
      snoozePath: parts.snoozePath,
      evaluations: [],
      messages: [],
      told: [],
      sent: [],
      fired: new Map(),
    }
    const speak = createSpeaking(turn)
    for (const fact of happened) {
      let quiet = 0
      for (const judged of prepared.judged.get(fact.id) ?? []) {
        const { decision } = judged.judgement
        if (decision === 'fired') turn.evaluations.push(await speak(fact, judged, evaluationOf(fact, judged)))
        else if (decision !== 'quiet' || (quiet += 1) <= LIMITS.ALERT_QUIET_EVALUATIONS) {
          turn.evaluations.push(evaluationOf(fact, judged))
        }
      }
      if (endsIncidents(fact.kind)) await sayOver(turn, fact)
    }
    await keepEvaluations(transaction, turn.evaluations, turn.now)
    await noteSent(transaction, turn.sent, turn.now)
    for (const [ruleId, at] of turn.fired) {
      await transaction.updateTable('alert_rules').set({ last_fired_at: at }).where('id', '=', ruleId).execute()
    }
    if (turn.messages.length > 0) await outlets.enqueue(transaction, turn.messages, turn.now)
    if (turn.told.length > 0) await outlets.notify(transaction, turn.told, turn.now)
  }
}
