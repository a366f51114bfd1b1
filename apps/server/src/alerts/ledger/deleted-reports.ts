import type { LedgerTransaction } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { withdrawLines } from './groups.ts'

/** Stands for the first words of a report that is gone. */
const GONE = 'Feedback that was deleted'

/** What visitors said in reports that are gone for good is in no incident, and waits to be told to nobody. */
export const forgetReports = async (
  transaction: LedgerTransaction,
  organizationId: number,
  reportIds: readonly number[],
): Promise<void> => {
  for (const part of chunks(reportIds, ROWS_PER_STATEMENT)) {
    const subjects = part.map((id) => `report:${id}`)
    const incidents = await transaction
      .updateTable('alert_incidents')
      .set({ headline: GONE })
      .where('organization_id', '=', organizationId)
      .where('subject', 'in', subjects)
      .returning(['id', 'rule_id'])
      .execute()
    await withdrawLines(
      transaction,
      incidents.map(({ id }) => id),
    )
    // Which of several it was that was held back as the worst is not known: none is said.
    for (const rules of chunks([...new Set(incidents.map(({ rule_id: id }) => id))], ROWS_PER_STATEMENT)) {
      await transaction.updateTable('alert_held_back').set({ headline: GONE }).where('rule_id', 'in', rules).execute()
    }
  }
}
