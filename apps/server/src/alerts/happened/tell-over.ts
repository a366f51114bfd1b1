import { factsById } from '../../facts/index.ts'
import type { Ledger } from '../../storage/index.ts'
import type { Incident } from '../ledger/incidents.ts'
import { claimEnds, dueEnds, settleEnds, untoldEndsOf } from '../ledger/taken-back.ts'
import { leaveUntold } from '../ledger/untold-ends.ts'
import type { Outlets } from '../outlets.ts'
import { inOneTurn } from '../telling/turn.ts'
import { isHappening, isMove, type Happening, type Noted } from './happening.ts'
import type { Judged } from './prepare.ts'
import { sayOver } from './say-over.ts'
import { goesOn } from './standing.ts'
import { readSurroundings } from './surroundings.ts'
import type { Turn } from './take-facts.ts'

/** That somebody ended incidents is told when nobody took it back in time, or when something is told that comes after it. */

type Telling = Pick<Turn, 'road' | 'snoozePath' | 'transaction'>

const AT_ONCE = 200

const tell = async (turn: Telling, ends: readonly Incident[]): Promise<void> => {
  const { transaction } = turn
  const mine = await claimEnds(transaction, ends)
  if (mine.length === 0) return
  const known = await factsById(transaction, [...new Set(mine.flatMap(({ over_by: id }) => id ?? []))])
  const facts = known.filter((fact): fact is Noted => isHappening(fact) || isMove(fact))
  const surroundings = await readSurroundings({ db: transaction }, facts)
  for (const fact of facts) {
    const own = mine.filter(({ over_by: id }) => id === fact.id)
    await sayOver({ ...turn, prepared: { surroundings } }, fact, own)
  }
  const told = new Set(facts.map(({ id }) => id))
  // A server that was away for so long that nobody knows any more what was done says that much.
  const gone = mine.filter(({ over_by: id }) => !told.has(id ?? 0))
  await leaveUntold(transaction, gone, 'its issue was closed')
}

const COMES_BACK: ReadonlySet<Happening['kind']> = new Set(['issue_regressed', 'issue_escalating', 'issue_unarchived'])

/**
 * The issue came back by itself, or a rule opens something of it in the same thread: its ends are told before that, so that
 * they close nothing that was opened after them.
 */
export const tellOverBefore = async (turn: Turn, fact: Happening, judged: readonly Judged[]): Promise<void> => {
  const { issueId, kind } = fact
  // A new issue has no end.
  if (issueId === null || kind === 'issue_opened') return
  const comesBack = COMES_BACK.has(kind)
  if (!comesBack && !(goesOn(fact) && judged.some(({ judgement }) => judgement.decision === 'fired'))) return
  await tell(turn, await untoldEndsOf(turn.transaction, issueId))
  if (comesBack) await settleEnds(turn.transaction, issueId)
}

export const createTellOver = ({
  ledger,
  outlets,
  snoozePath,
}: {
  readonly ledger: Ledger
  readonly outlets: Pick<Outlets, 'enqueue' | 'notify'>
  readonly snoozePath: Turn['snoozePath']
}) => {
  const tellNext = async (now: number): Promise<boolean> => {
    const ends = await dueEnds(ledger.db, now, AT_ONCE)
    if (ends.length === 0) return false
    await ledger.transaction((transaction) =>
      inOneTurn({ transaction, dialect: ledger.dialect, now, outlets }, (turn) => tell({ ...turn, snoozePath }, ends)),
    )
    return ends.length === AT_ONCE
  }

  return async (now: number): Promise<void> => {
    while (await tellNext(now));
  }
}
