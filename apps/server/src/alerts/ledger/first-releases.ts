import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'

/** In which release the issues of these incidents were seen first, where that is known. */
export const readFirstReleases = async (
  transaction: LedgerTransaction,
  incidentIds: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  const releases = new Map<number, string>()
  for (const part of chunks([...new Set(incidentIds)], ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('alert_incidents')
      .innerJoin('issues', 'issues.id', 'alert_incidents.issue_id')
      .select(['alert_incidents.id', 'issues.first_release'])
      .where('alert_incidents.id', 'in', part)
      .where('issues.first_release', 'is not', null)
      .execute()
    for (const { first_release: release, id } of rows) if (release) releases.set(id, release)
  }
  return releases
}
