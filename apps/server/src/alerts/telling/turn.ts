import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { keepEvaluations, type Evaluation } from '../ledger/evaluations.ts'
import { oneAtATime } from '../ledger/one-at-a-time.ts'
import type { Outlets } from '../outlets.ts'
import { createRoad, type Road } from './road.ts'

/** What is shared by all that a source of alerts does in one transaction. */
export interface Turn {
  readonly transaction: LedgerTransaction
  readonly now: number
  readonly road: Road
  readonly evaluations: Evaluation[]
  /** When rules fired, by their ids. */
  readonly fired: Map<number, number>
}

/** Many that fired in one moment are one statement. */
const noteFired = async (transaction: LedgerTransaction, fired: ReadonlyMap<number, number>): Promise<void> => {
  for (const [at, rules] of Map.groupBy(fired, ([, at]) => at)) {
    for (const part of chunks(rules, ROWS_PER_STATEMENT)) {
      const ids = part.map(([id]) => id)
      await transaction.updateTable('alert_rules').set({ last_fired_at: at }).where('id', 'in', ids).execute()
    }
  }
}

/** Does something, and keeps what follows at its end, all at once. */
export const inOneTurn = async (
  {
    dialect,
    now,
    outlets,
    transaction,
  }: Pick<Turn, 'transaction' | 'now'> & {
    readonly dialect: Ledger['dialect']
    readonly outlets: Pick<Outlets, 'enqueue' | 'notify'>
  },
  work: (turn: Turn) => Promise<void>,
): Promise<void> => {
  await oneAtATime(transaction, dialect)
  const turn: Turn = { transaction, now, road: createRoad({ transaction, now }), evaluations: [], fired: new Map() }
  await work(turn)
  await keepEvaluations(transaction, turn.evaluations, now)
  await noteFired(transaction, turn.fired)
  await turn.road.finish(outlets)
}
