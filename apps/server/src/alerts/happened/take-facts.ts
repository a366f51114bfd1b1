import type { StoredFact } from '../../facts/index.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import type { Evaluation } from '../ledger/evaluations.ts'
import { oneAtATime } from '../ledger/one-at-a-time.ts'
import { forgetReports } from '../ledger/deleted-reports.ts'
import { LIMITS } from '../limits.ts'
import type { Outlets } from '../outlets.ts'
import { inOneTurn, type Turn as TellingTurn } from '../telling/turn.ts'
import { followMove } from './follow-move.ts'
import { isHappening, isMove, type Happening } from './happening.ts'
import { endsIncidents, type Judged, type Prepared } from './prepare.ts'
import { closeIncidents } from './close-incidents.ts'
import { speak } from './speak.ts'
import { takeBack } from './take-back.ts'
import { tellOverBefore } from './tell-over.ts'

/** With what is known of what happened. */
export interface Turn extends TellingTurn {
  readonly prepared: Pick<Prepared, 'surroundings'>
  readonly snoozePath: (ruleId: number, organizationId: number) => string
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

const isOfDeletedReports = (fact: StoredFact): fact is StoredFact<'reports_deleted'> => fact.kind === 'reports_deleted'

/** All that follows from what happened, in the transaction in which it is taken. */
export const createTakeFacts = (parts: {
  readonly dialect: Ledger['dialect']
  readonly outlets: Pick<Outlets, 'enqueue' | 'notify'>
  readonly now: () => number
  readonly snoozePath: (ruleId: number, organizationId: number) => string
}) => {
  const { dialect, now, outlets, snoozePath } = parts
  return async (transaction: LedgerTransaction, facts: readonly StoredFact[], prepared: Prepared): Promise<void> => {
    const deleted = facts.filter(isOfDeletedReports)
    if (deleted.length > 0) await oneAtATime(transaction, dialect)
    for (const { data, organizationId } of deleted) await forgetReports(transaction, organizationId, data.reportIds)
    const happened = facts.filter((fact) => isHappening(fact) || isMove(fact))
    if (happened.length === 0) return
    await inOneTurn({ transaction, dialect, now: now(), outlets }, async (telling) => {
      const turn: Turn = { ...telling, prepared, snoozePath }
      for (const fact of happened) {
        if (isMove(fact)) {
          await followMove(turn, fact)
          continue
        }
        const asked = prepared.judged.get(fact.id) ?? []
        await tellOverBefore(turn, fact, asked)
        let quiet = 0
        for (const judged of asked) {
          const { decision } = judged.judgement
          if (decision === 'fired') turn.evaluations.push(await speak(turn, fact, judged, evaluationOf(fact, judged)))
          else if (decision !== 'quiet' || (quiet += 1) <= LIMITS.ALERT_QUIET_EVALUATIONS) {
            turn.evaluations.push(evaluationOf(fact, judged))
          }
        }
        if (endsIncidents(fact.kind)) await closeIncidents(turn, fact, { isGone: false })
        if (fact.kind === 'issue_reopened') await takeBack(turn, fact)
      }
    })
  }
}
