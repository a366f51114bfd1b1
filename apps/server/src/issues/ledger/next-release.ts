import { sql } from 'kysely'
import { isObject } from '@firsthand/protocol'
import { LIMITS } from '../limits.ts'
import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import type { StatusDetails } from '../workflow/status.ts'
import { compareReleases, type ReleaseRank } from './issue-transitions.ts'
import { readStatusDetails } from './status-details.ts'

/** An issue that is resolved in the release that came. */
export interface BoundIssue {
  readonly id: number
  readonly statusDetails: string
}

interface CameRelease {
  readonly version: string
  readonly id: number
  readonly at: number
}

/**
 * "Resolved in the next release" becomes "resolved in 1.2.0" when 1.2.0 comes, be it with an event, an upload or a call: from
 * then on searches find the issue by it, and events of it bring the issue back. Events of what is newer than the newest of
 * then do so as before: anybody can name a release, and one that nobody meant must hide nothing. Archived releases, and those of other packages, are
 * not the next one.
 *
 * @param projects those that a release came to
 */
export const bindNextRelease = async (
  transaction: LedgerTransaction,
  projects: readonly { readonly organizationId: number; readonly projectId: number }[],
  now: number,
): Promise<readonly BoundIssue[]> => {
  const bound: BoundIssue[] = []
  for (const [projectId, [project]] of Map.groupBy(projects, (one) => one.projectId)) {
    if (project === undefined) continue
    const issues = await awaiting(transaction, projectId)
    if (issues.length === 0) continue
    const releases = await releasesOf(transaction, project.organizationId, projectId)
    for (const { id, status_details: before } of issues) {
      const { inNextRelease: _, ...kept } = readStatusDetails(before)
      const version = nextOf(releases, kept.currentRelease)
      if (version === undefined) continue
      const statusDetails = JSON.stringify({ ...kept, inRelease: version } satisfies StatusDetails)
      const { numUpdatedRows } = await transaction
        .updateTable('issues')
        .set({ status_details: statusDetails, changed_at: now })
        .where('id', '=', id)
        // Somebody may have changed it meanwhile.
        .where('status', '=', 'resolved')
        .where('status_details', '=', before)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) continue
      await tellOfRelease(transaction, id, version)
      bound.push({ id, statusDetails })
    }
  }
  return bound
}

/** Word for word as the index has it: only then is it used. */
const awaiting = (transaction: LedgerTransaction, projectId: number) =>
  transaction
    .selectFrom('issues')
    .select(['id', 'status_details'])
    .where('project_id', '=', projectId)
    .where(sql<boolean>`status = 'resolved' AND status_details LIKE '%"inNextRelease":true%'`)
    .where('deleted_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .orderBy('id')
    .execute()

/** Those that came last, in the order in which they came. */
const releasesOf = async (
  transaction: LedgerTransaction,
  organizationId: number,
  projectId: number,
): Promise<readonly CameRelease[]> => {
  const rows = await transaction
    .selectFrom('release_projects')
    .innerJoin('releases', 'releases.id', 'release_projects.release_id')
    .select(['releases.id', 'releases.version', 'releases.first_seen', 'releases.date_released'])
    .where('release_projects.project_id', '=', projectId)
    .where('releases.organization_id', '=', organizationId)
    .where('releases.status', '=', 'open')
    .orderBy('release_projects.first_seen', 'desc')
    .orderBy('releases.id', 'desc')
    .limit(LIMITS.RELEASES_COMPARED)
    .execute()
  return rows
    .map(({ id, version, first_seen: firstSeen, date_released: released }) => ({
      id,
      version,
      at: released ?? firstSeen,
    }))
    .toReversed()
}

/** The first that is newer than the newest of then; without one, any is. */
const nextOf = (releases: readonly CameRelease[], current: string | undefined): string | undefined => {
  if (current === undefined) return releases[0]?.version
  const rank: ReleaseRank = (version) => {
    const release = releases.find((one) => one.version === version)
    return release === undefined ? null : [release.at, release.id]
  }
  return releases.find(({ version }) => compareReleases(version, current, rank).order === 1)?.version
}

/** What was noted as "in the next release" says which one that was. */
const tellOfRelease = async (transaction: LedgerTransaction, issueId: number, version: string): Promise<void> => {
  const noted = await transaction
    .selectFrom('issue_activity')
    .select(['id', 'data'])
    .where('issue_id', '=', issueId)
    .where('type', '=', 'set_resolved_in_release')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (noted === undefined) return
  const data: unknown = JSON.parse(noted.data)
  await transaction
    .updateTable('issue_activity')
    .set({ data: JSON.stringify({ ...(isObject(data) ? data : {}), version }) })
    .where('id', '=', noted.id)
    .execute()
}
