import type { Insertable } from 'kysely'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import type { IssueHashTable } from './schema.ts'

/** Lets hashes lead to issues. What led to an issue that is gone is taken over. */
export const attachHashes = async (
  transaction: LedgerTransaction,
  rows: readonly Insertable<IssueHashTable>[],
): Promise<void> => {
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('issue_hashes')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'hash']).doUpdateSet((expression) => ({
          issue_id: expression.ref('excluded.issue_id'),
          grouping_version: expression.ref('excluded.grouping_version'),
          created_at: expression.ref('excluded.created_at'),
        })),
      )
      .execute()
  }
}
