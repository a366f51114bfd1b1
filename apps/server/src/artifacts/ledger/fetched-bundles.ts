import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import { beginBundle, findBundle, putFiles, type BundleKey, type NewFile } from './bundles.ts'

/** Keeps what a site gave as if it had been uploaded. What is there already stays as old as it is. */
export const keepFetched = (
  ledger: Ledger,
  key: BundleKey,
  { files, now, projectId }: { readonly files: readonly NewFile[]; readonly now: number; readonly projectId: number },
): Promise<void> =>
  ledger.transaction(async (transaction) => {
    if ((await findBundle(transaction, key)) !== null) return
    const id = await beginBundle(transaction, key, { pieces: [], projectIds: [projectId], now })
    await transaction.updateTable('artifact_bundles').set({ from_site: 1 }).where('id', '=', id).execute()
    await putFiles(transaction, { id, organization_id: key.organizationId }, files, now)
  })

/** Bundles of a project from its sites that are more than are kept: the oldest. */
export const fetchedBeyond = async ({ db }: Pick<Ledger, 'db'>, projectId: number): Promise<readonly number[]> => {
  const rows = await db
    .selectFrom('artifact_bundles')
    .innerJoin('artifact_bundle_projects', 'artifact_bundle_projects.bundle_id', 'artifact_bundles.id')
    .select('artifact_bundles.id')
    .where('artifact_bundle_projects.project_id', '=', projectId)
    .where('artifact_bundles.from_site', '=', 1)
    .orderBy('artifact_bundles.id', 'desc')
    .limit(LIMITS.SITE_FILES_WAITING)
    .offset(LIMITS.SITE_BUNDLES)
    .execute()
  return rows.map(({ id }) => id)
}
