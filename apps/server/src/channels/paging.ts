import { chunks, ROWS_PER_STATEMENT } from '../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../storage/index.ts'
import { KINDS } from './kinds/index.ts'

const PAGING = Object.entries(KINDS).flatMap(([name, kind]) => ('pages' in kind ? [name as keyof typeof KINDS] : []))

/**
 * Which of these channels page: each thing that is told them is opened there and closed again by its own thread, so several
 * are never told in one message.
 */
export const channelsThatPage = async (
  transaction: LedgerTransaction,
  organizationId: number,
  channelIds: readonly number[],
): Promise<ReadonlySet<number>> => {
  const paging = new Set<number>()
  for (const ids of chunks([...new Set(channelIds)], ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('channels')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', ids)
      .where('kind', 'in', PAGING)
      .execute()
    for (const { id } of rows) paging.add(id)
  }
  return paging
}
