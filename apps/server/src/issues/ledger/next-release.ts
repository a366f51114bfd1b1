import { sql } from 'kysely'
import { isObject } from '@firsthand/protocol'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
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
 * then do so as before: anybody can name a release, and one that nobody meant must hide nothing. Archived releases, and those
 * of other packages, are not the next one.
 *
 * Of very many issues, those beyond `NEXT_RELEASE_ISSUES` wait for the release after: they are judged in the same way.
 *
 * @param projects those that a release came to
 */
export const bindNextRelease = async (
  transaction: LedgerTransaction,
  projects: readonly { readonly organizationId: number; readonly projectId: number }[],
  now: number,
): Promise<readonly BoundIssue[]> => {
  const bound: BoundIssue[] = []
  const byProject = Map.groupBy(projects, (one) => one.projectId)
  // In their order, as everybody takes rows, so that two never wait for each other.
  for (const [projectId, [project]] of [...byProject].toSorted(([one], [other]) => one - other)) {
    if (project === undefined) continue
    const issues = await awaiting(transaction, projectId)
    if (issues.length === 0) continue
    const releases = await releasesOf(transaction, project.organizationId, projectId)
    const came = new Map<string, string>()
    for (const before of new Set(issues.map((issue) => issue.status_details))) {
      const { inNextRelease: _, ...kept } = readStatusDetails(before)
      const version = nextOf(releases, kept.currentRelease)
      if (version === undefined) continue
      came.set(before, JSON.stringify({ ...kept, inRelease: version } satisfies StatusDetails))
    }
    bound.push(...(await rewrite(transaction, issues, came, now)))
  }
  return bound
}

/**
 * What is resolved in a release because that came as the next one waits for the next one again: for a release that goes or
 * is archived. Whoever does that asks `bindNextRelease` afterwards, as another one may have come meanwhile.
 *
 * @returns the projects of the release
 */
export const unbindRelease = async (
  transaction: LedgerTransaction,
  releaseId: number,
  now: number,
): Promise<readonly { readonly organizationId: number; readonly projectId: number }[]> => {
  const projects = await transaction
    .selectFrom('release_projects')
    .innerJoin('releases', 'releases.id', 'release_projects.release_id')
    .select([
      'release_projects.project_id as projectId',
      'releases.organization_id as organizationId',
      'releases.version',
    ])
    .where('releases.id', '=', releaseId)
    .orderBy('release_projects.project_id')
    .execute()
  for (const { projectId, version } of projects) {
    const pattern = JSON.stringify({ inRelease: version })
      .slice(1, -1)
      .replaceAll(/[\\%_]/g, '\\$&')
    const issues = await transaction
      .selectFrom('issues')
      .select(['id', 'status_details'])
      .where('project_id', '=', projectId)
      .where('status', '=', 'resolved')
      .where(sql<boolean>`status_details LIKE ${`%${pattern}%`} ESCAPE '\\'`)
      .where('status_details', 'like', '%"currentRelease":%')
      .where('deleted_at', 'is', null)
      .where('merged_into_id', 'is', null)
      .orderBy('id')
      .limit(LIMITS.NEXT_RELEASE_ISSUES)
      .execute()
    const again = new Map<string, string>()
    for (const before of new Set(issues.map((issue) => issue.status_details))) {
      const { inRelease, ...kept } = readStatusDetails(before)
      // Not one that is called alike.
      if (inRelease !== version) continue
      again.set(before, JSON.stringify({ ...kept, inNextRelease: true } satisfies StatusDetails))
    }
    await rewrite(transaction, issues, again, now)
  }
  return projects
}

/** Word for word as the index has it: only then is it used. */
const isAwaiting = sql<boolean>`status = 'resolved' AND status_details LIKE '%"inNextRelease":true%'`

const awaiting = (transaction: LedgerTransaction, projectId: number) =>
  transaction
    .selectFrom('issues')
    .select(['id', 'status_details'])
    .where('project_id', '=', projectId)
    .where(isAwaiting)
    .where('deleted_at', 'is', null)
    .where('merged_into_id', 'is', null)
    .orderBy('id')
    .limit(LIMITS.NEXT_RELEASE_ISSUES)
    .execute()

/**
 * Puts other details in the place of these. All that one click resolved have the same, so that a statement has few of them.
 *
 * @param details what becomes of which; issues with others stay as they are
 */
const rewrite = async (
  transaction: LedgerTransaction,
  issues: readonly { readonly id: number; readonly status_details: string }[],
  details: ReadonlyMap<string, string>,
  now: number,
): Promise<readonly BoundIssue[]> => {
  const rewritten: BoundIssue[] = []
  const own = issues.filter((issue) => details.has(issue.status_details))
  for (const part of chunks(own, ROWS_PER_STATEMENT)) {
    const texts = [...new Set(part.map((issue) => issue.status_details))]
    const cases = texts.map((before) => sql`WHEN ${before} THEN ${details.get(before) ?? before}`)
    const rows = await transaction
      .updateTable('issues')
      .set({
        status_details: sql<string>`CASE status_details ${sql.join(cases, sql` `)} ELSE status_details END`,
        changed_at: now,
      })
      .where(
        'id',
        'in',
        part.map(({ id }) => id),
      )
      // Somebody may have changed it meanwhile.
      .where('status', '=', 'resolved')
      .where('status_details', 'in', texts)
      .returning(['id', 'status_details as statusDetails'])
      .execute()
    await tellOfRelease(transaction, rows)
    rewritten.push(...rows)
  }
  return rewritten
}

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
const tellOfRelease = async (transaction: LedgerTransaction, bound: readonly BoundIssue[]): Promise<void> => {
  if (bound.length === 0) return
  const noted = await transaction
    .selectFrom('issue_activity')
    .select(['id', 'issue_id', 'data'])
    .where('id', 'in', (newest) =>
      newest
        .selectFrom('issue_activity')
        .select(({ fn }) => fn.max('id').as('id'))
        .where(
          'issue_id',
          'in',
          bound.map(({ id }) => id),
        )
        .where('type', '=', 'set_resolved_in_release')
        .groupBy('issue_id'),
    )
    .orderBy('id')
    .execute()
  if (noted.length === 0) return
  const versions = new Map(bound.map(({ id, statusDetails }) => [id, readStatusDetails(statusDetails).inRelease]))
  const told = noted.map(({ id, issue_id: issueId, data }) => {
    const known: unknown = JSON.parse(data)
    return sql`WHEN ${id} THEN ${JSON.stringify({ ...(isObject(known) ? known : {}), version: versions.get(issueId) ?? '' })}`
  })
  await transaction
    .updateTable('issue_activity')
    .set({ data: sql<string>`CASE id ${sql.join(told, sql` `)} ELSE data END` })
    .where(
      'id',
      'in',
      noted.map(({ id }) => id),
    )
    .execute()
}
