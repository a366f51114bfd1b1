import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import type { ReleaseRank } from './issue-transitions.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'

/** What a batch says about one release of an organisation. */
export interface SeenRelease {
  readonly organizationId: number
  readonly version: string
  readonly firstSeen: number
  readonly lastSeen: number
}

/** That a release was seen in a project. */
export interface ReleaseProject {
  readonly releaseId: number
  readonly version: string
  readonly organizationId: number
  readonly projectId: number
  /** Of the first of its events that came. */
  readonly environment: string | null
  readonly firstSeen: number
  readonly newIssues: number
  /** False when a program says that the release is of the project, and no event has. */
  readonly isSeen: boolean
}

/** The last sighting is kept this coarse, so that busy releases are not written with every batch. */
const SIGHTING_MS = 60_000

export const releaseKey = (organizationId: number, version: string): string => `${organizationId}:${version}`

export interface KnownRelease {
  readonly id: number
  readonly first_seen: number
  readonly last_seen: number
  readonly date_released: number | null
}

const findReleases = async (
  transaction: LedgerTransaction,
  wanted: readonly { organizationId: number; version: string }[],
  into: Map<string, KnownRelease>,
): Promise<void> => {
  for (const [organizationId, releases] of Map.groupBy(wanted, (release) => release.organizationId)) {
    for (const part of chunks(releases, ROWS_PER_STATEMENT)) {
      const rows = await transaction
        .selectFrom('releases')
        .select(['id', 'version', 'first_seen', 'last_seen', 'date_released'])
        .where('organization_id', '=', organizationId)
        .where(
          'version',
          'in',
          part.map((release) => release.version),
        )
        .execute()
      for (const row of rows) into.set(releaseKey(organizationId, row.version), row)
    }
  }
}

/**
 * Notes the releases of a batch and answers what is known of them and of `others`.
 */
export const noteReleases = async (
  transaction: LedgerTransaction,
  seen: readonly SeenRelease[],
  others: readonly { organizationId: number; version: string }[],
): Promise<ReadonlyMap<string, KnownRelease>> => {
  const known = new Map<string, KnownRelease>()
  if (seen.length + others.length === 0) return known
  await findReleases(transaction, [...seen, ...others], known)
  const fresh = seen
    .filter((release) => !known.has(releaseKey(release.organizationId, release.version)))
    .toSorted((a, b) => a.firstSeen - b.firstSeen)
  for (const part of chunks(fresh, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('releases')
      .values(
        part.map((release) => ({
          organization_id: release.organizationId,
          version: release.version,
          first_seen: release.firstSeen,
          last_seen: release.lastSeen,
          date_released: null,
        })),
      )
      .onConflict((conflict) => conflict.columns(['organization_id', 'version']).doNothing())
      .execute()
  }
  if (fresh.length > 0) await findReleases(transaction, fresh, known)
  for (const release of seen) {
    const row = known.get(releaseKey(release.organizationId, release.version))
    if (row === undefined || release.lastSeen < row.last_seen + SIGHTING_MS) continue
    await transaction.updateTable('releases').set({ last_seen: release.lastSeen }).where('id', '=', row.id).execute()
  }
  return known
}

export const rankOf =
  (organizationId: number, releases: ReadonlyMap<string, KnownRelease>): ReleaseRank =>
  (version) => {
    const release = releases.get(releaseKey(organizationId, version))
    return release === undefined ? null : [release.date_released ?? release.first_seen, release.id]
  }

/** Those that were not seen in their project before. */
const unseen = async (
  transaction: LedgerTransaction,
  rows: readonly ReleaseProject[],
): Promise<readonly ReleaseProject[]> => {
  const known = new Set<string>()
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    const found = await transaction
      .selectFrom('release_projects')
      .select(['release_id', 'project_id'])
      .where('release_id', 'in', [...new Set(part.map(({ releaseId }) => releaseId))])
      .where('project_id', 'in', [...new Set(part.map(({ projectId }) => projectId))])
      // Those that a program added to the project are seen with their first event.
      .where('is_seen', '=', 1)
      .execute()
    for (const row of found) known.add(`${row.release_id}:${row.project_id}`)
  }
  return rows.filter(({ releaseId, projectId }) => !known.has(`${releaseId}:${projectId}`))
}

/**
 * Notes which projects the releases were seen in, and how many issues they brought.
 *
 * @returns those that were not seen in their project before
 */
export const noteReleaseProjects = async (
  transaction: LedgerTransaction,
  rows: readonly ReleaseProject[],
): Promise<readonly ReleaseProject[]> => {
  const fresh = await unseen(transaction, rows)
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('release_projects')
      .values(
        part.map((row) => ({
          release_id: row.releaseId,
          project_id: row.projectId,
          first_seen: row.firstSeen,
          new_issues: row.newIssues,
          is_seen: row.isSeen ? 1 : 0,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['release_id', 'project_id'])
          .doUpdateSet((expression) => ({
            new_issues: expression('release_projects.new_issues', '+', expression.ref('excluded.new_issues')),
            is_seen: 1,
          }))
          .where(({ and, eb, or }) =>
            or([
              eb('excluded.new_issues', '>', 0),
              and([eb('release_projects.is_seen', '=', 0), eb('excluded.is_seen', '=', 1)]),
            ]),
          ),
      )
      .execute()
  }
  return fresh
}
