import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import { newestRelease } from '../newest-release.ts'

/**
 * Archived ones never count.
 *
 * @param which `seen`: of which an event came; else also those that only a program has named so far
 */
export const newestReleaseOf = async (
  db: Pick<LedgerTransaction, 'selectFrom'>,
  organizationId: number,
  projectId: number,
  which: 'any' | 'seen',
): Promise<string | null> => {
  const rows = await db
    .selectFrom('release_projects')
    .innerJoin('releases', 'releases.id', 'release_projects.release_id')
    .select('releases.version')
    .where('release_projects.project_id', '=', projectId)
    .where('releases.organization_id', '=', organizationId)
    .where('releases.status', '=', 'open')
    .$if(which === 'seen', (query) => query.where('release_projects.is_seen', '=', 1))
    .orderBy('release_projects.first_seen', 'desc')
    .orderBy('releases.id', 'desc')
    .limit(LIMITS.RELEASES_COMPARED)
    .execute()
  return newestRelease(rows.map(({ version }) => version))
}
