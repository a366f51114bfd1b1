import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'

/** An upload whose earlier events are looked at, up to which issue that was done. */
export interface LateUpload {
  readonly id: number
  readonly organizationId: number
  readonly projectId: number
  /** '' for none. */
  readonly release: string
  readonly afterIssueId: number
}

/** A mapping is of no bundle and names no release: it is ready when it is there, and events of any release may name it. */
export const NO_BUNDLE = 0

/**
 * Files that come one by one are a bundle that grows: its events are looked at once more, and not once for each file. What is
 * looked at already goes on to its end, and what came meanwhile is another look that waits for that.
 */
export const noteLateUploads = async (
  transaction: LedgerTransaction,
  uploads: readonly (Omit<LateUpload, 'id' | 'afterIssueId'> & { readonly bundleId: number })[],
  now: number,
): Promise<void> => {
  if (uploads.length === 0) return
  const last = new Map(uploads.map((upload) => [`${upload.projectId} ${upload.bundleId}`, upload]))
  for (const { bundleId, organizationId, projectId, release } of last.values()) {
    // One that has not come beyond any issue begins anew: it may be looking at the first ones without this upload.
    const waiting = await transaction
      .deleteFrom('late_maps')
      .where('project_id', '=', projectId)
      .where('bundle_id', '=', bundleId)
      .where('after_issue_id', '=', 0)
      .returning('created_at')
      .execute()
    await transaction
      .insertInto('late_maps')
      .values({
        organization_id: organizationId,
        project_id: projectId,
        bundle_id: bundleId,
        release_version: release,
        after_issue_id: 0,
        // However many come, it waits no longer for the next one than from the first on.
        created_at: Math.min(now, ...waiting.map((row) => row.created_at)),
      })
      .execute()
  }
}

/**
 * The oldest of those whose maps are ready, or of which nothing is left. Mappings wait a moment for those that are uploaded
 * with them.
 */
export const readyUploads = async (
  { db }: Pick<Ledger, 'db'>,
  limit: number,
  now: number,
): Promise<readonly LateUpload[]> => {
  const rows = await db
    .selectFrom('late_maps')
    .select([
      'late_maps.id',
      'late_maps.organization_id',
      'late_maps.project_id',
      'late_maps.release_version',
      'late_maps.after_issue_id',
    ])
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
    .where(({ eb, or }) =>
      or([
        eb('late_maps.bundle_id', '!=', NO_BUNDLE),
        eb('late_maps.created_at', '<=', now - LIMITS.LATE_MAPS_TOGETHER_MS),
      ]),
    )
    // One that began before goes on to its end.
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('late_maps as before')
            .select('before.id')
            .whereRef('before.project_id', '=', 'late_maps.project_id')
            .whereRef('before.bundle_id', '=', 'late_maps.bundle_id')
            .whereRef('before.id', '<', 'late_maps.id'),
        ),
      ),
    )
    .orderBy('late_maps.id')
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
