import { columnTypes } from '../../../storage/ledger/column-types.ts'
import type { LedgerDialect } from '../../../storage/ledger/dialect.ts'

/** Which job deletes a replay: whoever goes on with it after a kill knows for which one its bytes are freed. */
export const jobsOfDeletions = (dialect: LedgerDialect): readonly string[] => [
  `ALTER TABLE replay_deletions ADD COLUMN job_id ${columnTypes(dialect).int}`,
]
