import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import { newestRelease } from '../newest-release.ts'

/** Archived ones never count. */
export const newestReleaseOf = async (
  db: Pick<LedgerTransaction, 'selectFrom'>,
  organizationId: number,
  projectId: number,
): Promise<string | null> => {
  const rows = await db
    .selectFrom('release_projects')
    .innerJoin('releases', 'releases.id', 'release_projects.release_id')
    .select('releases.version')
    .where('release_projects.project_id', '=', projectId)
    .where('releases.organization_id', '=', organizationId)
    .where('releases.status', '=', 'open')
    .orderBy('release_projects.first_seen', 'desc')
    .orderBy('releases.id', 'desc')
    .limit(LIMITS.RELEASES_COMPARED)
    .execute()
  return newestRelease(rows.map(({ version }) => version))
}
