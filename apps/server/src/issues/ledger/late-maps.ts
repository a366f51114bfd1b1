import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'

/** An upload whose earlier events are looked at, up to which issue that was done. */
export interface LateUpload {
  readonly id: number
  readonly organizationId: number
  readonly projectId: number
  /** '' for none. */
  readonly release: string
  readonly afterIssueId: number
}

export const noteLateUploads = async (
  transaction: LedgerTransaction,
  uploads: readonly (Omit<LateUpload, 'id' | 'afterIssueId'> & { readonly bundleId: number })[],
  now: number,
): Promise<void> => {
  if (uploads.length === 0) return
  // Files that come one by one are a bundle that grows: its events are looked at once more, from the first on, and not once
  // for each file.
  const last = new Map(uploads.map((upload) => [`${upload.projectId} ${upload.bundleId}`, upload]))
  for (const { bundleId, projectId } of last.values()) {
    await transaction
      .deleteFrom('late_maps')
      .where('project_id', '=', projectId)
      .where('bundle_id', '=', bundleId)
      .execute()
  }
  await transaction
    .insertInto('late_maps')
    .values(
      [...last.values()].map(({ bundleId, organizationId, projectId, release }) => ({
        organization_id: organizationId,
        project_id: projectId,
        bundle_id: bundleId,
        release_version: release,
        after_issue_id: 0,
        created_at: now,
      })),
    )
    .execute()
}

/** The oldest of those whose maps are ready, or of which nothing is left. */
export const readyUploads = async ({ db }: Pick<Ledger, 'db'>, limit: number): Promise<readonly LateUpload[]> => {
  const rows = await db
    .selectFrom('late_maps')
    .select(['id', 'organization_id', 'project_id', 'release_version', 'after_issue_id'])
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('artifact_files')
            .select('artifact_files.id')
            .whereRef('artifact_files.bundle_id', '=', 'late_maps.bundle_id')
            .where('artifact_files.kind', '=', 'source_map')
            .where('artifact_files.prepared_form', 'is', null),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    release: row.release_version,
    afterIssueId: row.after_issue_id,
  }))
}

/** @param afterIssueId up to which issue it is done; null when it is done with */
export const advanceUpload = async (
  { db }: Pick<Ledger, 'db'>,
  id: number,
  afterIssueId: number | null,
): Promise<void> => {
  if (afterIssueId === null) await db.deleteFrom('late_maps').where('id', '=', id).execute()
  else await db.updateTable('late_maps').set({ after_issue_id: afterIssueId }).where('id', '=', id).execute()
}
