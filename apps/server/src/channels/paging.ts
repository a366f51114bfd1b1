import { chunks, ROWS_PER_STATEMENT } from '../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../storage/index.ts'
import { KINDS } from './kinds/index.ts'

const PAGING = Object.entries(KINDS).flatMap(([name, kind]) => ('pages' in kind ? [name as keyof typeof KINDS] : []))

/**
 * Which of these channels page: each thing that is told them is opened there and closed again by its own thread, so several
 * are never told in one message. Receivers of Sentry's format, too, know one issue at a time, by its id.
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
      .select(['id', 'kind', 'settings'])
      .where('organization_id', '=', organizationId)
      .where('id', 'in', ids)
      .where('kind', 'in', [...PAGING, 'webhook'])
      .execute()
    for (const { id, kind, settings } of rows) {
      const { format } = JSON.parse(settings) as { readonly format?: unknown }
      if (kind !== 'webhook' || format === 'sentry') paging.add(id)
    }
  }
  return paging
}
