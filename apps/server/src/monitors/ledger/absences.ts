import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import type { Absence } from '../environment-state.ts'

/** Times of which nobody knows what would have come, as far as they reach beyond an instant. */
export const absencesSince = async (transaction: LedgerTransaction, since: number): Promise<readonly Absence[]> => {
  const rows = await transaction
    .selectFrom('server_absences')
    .select(['from_at', 'until_at'])
    .where('until_at', '>=', since)
    .execute()
  return rows.map(({ from_at, until_at }) => ({ from: from_at, until: until_at }))
}
