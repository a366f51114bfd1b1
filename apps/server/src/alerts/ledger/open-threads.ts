import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { threadOfSubject } from '../telling/thread.ts'

/** Threads of those of these incidents that go on. */
export const openThreads = async (
  transaction: LedgerTransaction,
  incidentIds: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  const threads = new Map<number, string>()
  for (const part of chunks([...new Set(incidentIds)], ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('alert_incidents')
      .select(['id', 'rule_id', 'subject'])
      .where('id', 'in', part)
      .where('ended_at', 'is', null)
      .execute()
    for (const { id, rule_id: ruleId, subject } of rows) threads.set(id, threadOfSubject(ruleId, subject))
  }
  return threads
}
