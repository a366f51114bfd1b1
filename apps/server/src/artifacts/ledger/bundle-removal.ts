import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { releaseHolders } from '../../storage/ledger/release-blobs.ts'
import { bundleHolder, mapHolder } from './keeping.ts'

/** Which bundles of a project. */
export type Removed = { readonly bundleId: number } | { readonly release: string }

/**
 * Takes bundles away from a project; one that no project has any more goes, and releases its blobs.
 *
 * @returns how many were taken away
 */
export const removeBundles = (
  ledger: Ledger,
  { organizationId, projectId }: { readonly organizationId: number; readonly projectId: number },
  which: Removed,
): Promise<number> =>
  ledger.transaction(async (transaction) => {
    let query = transaction
      .selectFrom('artifact_bundles')
      .innerJoin('artifact_bundle_projects', 'artifact_bundle_projects.bundle_id', 'artifact_bundles.id')
      .select('artifact_bundles.id')
      .where('artifact_bundles.organization_id', '=', organizationId)
      .where('artifact_bundle_projects.project_id', '=', projectId)
    if ('bundleId' in which) query = query.where('artifact_bundles.id', '=', which.bundleId)
    else query = query.where('artifact_bundles.release_version', '=', which.release)
    const rows = await query.execute()
    await takeAway(
      transaction,
      projectId,
      rows.map(({ id }) => id),
    )
    return rows.length
  })

/** Some bundles of a project that is deleted. @returns how many */
export const removeBundlesOfProject = (ledger: Ledger, projectId: number): Promise<number> =>
  ledger.transaction(async (transaction) => {
    const rows = await transaction
      .selectFrom('artifact_bundle_projects')
      .select('bundle_id')
      .where('project_id', '=', projectId)
      .limit(ROWS_PER_STATEMENT)
      .execute()
    await takeAway(
      transaction,
      projectId,
      rows.map((row) => row.bundle_id),
    )
    return rows.length
  })

const takeAway = async (
  transaction: LedgerTransaction,
  projectId: number,
  bundleIds: readonly number[],
): Promise<void> => {
  for (const part of chunks(bundleIds, ROWS_PER_STATEMENT)) {
    await transaction
      .deleteFrom('artifact_bundle_projects')
      .where('project_id', '=', projectId)
      .where('bundle_id', 'in', part)
      .execute()
    const others = await transaction
      .selectFrom('artifact_bundle_projects')
      .select('bundle_id')
      .where('bundle_id', 'in', part)
      .execute()
    const shared = new Set(others.map((row) => row.bundle_id))
    const gone = part.filter((id) => !shared.has(id))
    if (gone.length === 0) continue
    await releaseHolders(transaction, gone.map(bundleHolder))
    const maps = await transaction
      .selectFrom('artifact_files')
      .select('id')
      .where('bundle_id', 'in', gone)
      .where('prepared_key', 'is not', null)
      .execute()
    await releaseHolders(
      transaction,
      maps.map(({ id }) => mapHolder(id)),
    )
    await transaction.deleteFrom('artifact_bundles').where('id', 'in', gone).execute()
  }
}
