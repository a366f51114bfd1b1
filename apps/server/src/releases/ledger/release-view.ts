import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { ReleaseTable } from '../../issues/ledger/schema.ts'
import { containing } from '../../storage/ledger/containing.ts'
import { jsonText } from '../../storage/ledger/json-text.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import type { Release, ReleaseAuthor, ReleaseCommit } from '../release.ts'
import type { ToldCommit } from '../suspects.ts'
import { currentDeploys, deployOf } from './deploys.ts'
import type { ReleaseCommitTable, ReleaseStatus } from './schema.ts'

const commitOf = (row: Selectable<Omit<ReleaseCommitTable, 'files'>>): ReleaseCommit => ({
  id: row.commit_id,
  repository: row.repository,
  message: row.message,
  author: authorOf(row),
  committedAt: row.committed_at,
})

const authorOf = ({
  author_name: name,
  author_email: email,
}: Pick<Selectable<ReleaseCommitTable>, 'author_name' | 'author_email'>): ReleaseAuthor | null =>
  name === null && email === null ? null : { name: name ?? email ?? '', email: email ?? '' }

const COMMIT = [
  'release_id',
  'place',
  'commit_id',
  'repository',
  'message',
  'author_name',
  'author_email',
  'committed_at',
] as const

/** What belongs to releases, each with one statement for all of them. */
const partsOf = async (db: Ledger['db'], ids: readonly number[]) => ({
  projects: await db
    .selectFrom('release_projects')
    .innerJoin('projects', 'projects.id', 'release_projects.project_id')
    .select([
      'release_projects.release_id',
      'release_projects.new_issues',
      'projects.id',
      'projects.slug',
      'projects.name',
      'projects.platform',
    ])
    .where('release_projects.release_id', 'in', ids)
    .where('projects.deleted_at', 'is', null)
    .orderBy('projects.slug')
    .execute(),
  commits: await db
    .selectFrom('release_commits')
    .select('release_id')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('release_id', 'in', ids)
    .groupBy('release_id')
    .execute(),
  newest: await db
    .selectFrom('release_commits')
    .select(COMMIT)
    .where('release_id', 'in', ids)
    .where('place', '=', 0)
    .execute(),
  authors: await db
    .selectFrom('release_commits')
    .select(['release_id', 'author_name', 'author_email'])
    .distinct()
    .where('release_id', 'in', ids)
    .orderBy('author_name')
    .execute(),
  deploys: await db
    .selectFrom('release_deploys')
    .select('release_id')
    .select(({ fn }) => [fn.countAll<number | string>().as('count'), fn.max('id').as('newest')])
    .where('release_id', 'in', ids)
    .groupBy('release_id')
    .execute(),
})

/** How many issues came back in each, of one organisation. Said so that the index of regressions is used. */
const regressionsOf = async (
  { db, dialect }: Pick<Ledger, 'db' | 'dialect'>,
  organizationId: number,
  versions: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const version = jsonText('issue_activity.data', 'version', dialect)
  const rows = await db
    .selectFrom('issue_activity')
    .innerJoin('issues', 'issues.id', 'issue_activity.issue_id')
    .select(version.as('version'))
    .select(({ fn }) => fn.count<number | string>('issue_activity.issue_id').distinct().as('issues'))
    .where(sql<boolean>`issue_activity.type = 'set_regression'`)
    .where('issue_activity.project_id', 'in', ({ selectFrom }) =>
      selectFrom('projects').select('projects.id').where('projects.organization_id', '=', organizationId),
    )
    .where('issues.deleted_at', 'is', null)
    .where('issues.merged_into_id', 'is', null)
    .where(version, 'in', versions)
    .groupBy(version)
    .execute()
  return new Map(rows.map((row) => [row.version, Number(row.issues)]))
}

const withParts = async (
  ledger: Pick<Ledger, 'db' | 'dialect'>,
  rows: readonly Selectable<ReleaseTable>[],
): Promise<Release[]> => {
  const [first] = rows
  if (first === undefined) return []
  const { db } = ledger
  const regressions = await regressionsOf(
    ledger,
    first.organization_id,
    rows.map((row) => row.version),
  )
  const parts = await partsOf(
    db,
    rows.map((row) => row.id),
  )
  const newestDeploys =
    parts.deploys.length === 0
      ? []
      : await db
          .selectFrom('release_deploys')
          .selectAll()
          .where(
            'id',
            'in',
            parts.deploys.map(({ newest }) => newest),
          )
          .execute()
  // Nothing runs anywhere of releases without deploys.
  const deployed = parts.deploys.map((one) => one.release_id)
  const current = deployed.length === 0 ? [] : await currentDeploys(db, deployed)
  return rows.map((row) => {
    const own = parts.projects.filter((project) => project.release_id === row.id)
    const newest = parts.newest.find((commit) => commit.release_id === row.id)
    const deploy = newestDeploys.find((one) => one.release_id === row.id)
    return {
      id: row.id,
      version: row.version,
      status: row.status,
      url: row.url,
      ref: row.ref,
      firstSeenAt: row.first_seen,
      lastSeenAt: row.last_seen === 0 ? null : row.last_seen,
      startedAt: row.date_started,
      releasedAt: row.date_released,
      newIssues: own.reduce((sum, project) => sum + project.new_issues, 0),
      regressedIssues: regressions.get(row.version) ?? 0,
      commits: Number(parts.commits.find((one) => one.release_id === row.id)?.count ?? 0),
      lastCommit: newest === undefined ? null : commitOf(newest),
      authors: parts.authors
        .filter((author) => author.release_id === row.id)
        .flatMap((author) => authorOf(author) ?? [])
        .slice(0, LIMITS.RELEASE_AUTHORS),
      deploys: Number(parts.deploys.find((one) => one.release_id === row.id)?.count ?? 0),
      lastDeploy: deploy === undefined ? null : deployOf(deploy),
      currentDeploys: current.filter(({ releaseId }) => releaseId === row.id).map((one) => one.deploy),
      projects: own.map(({ id, slug, name, platform, new_issues: newIssues }) => ({
        id,
        slug,
        name,
        platform,
        newIssues,
      })),
    }
  })
}

/** The newest commit of each repository that the commits of a release name, newest first; null where they name none. */
const headsOf = async (
  db: Ledger['db'],
  organizationId: number,
  version: string,
): Promise<ReadonlyMap<string | null, string>> => {
  const rows = await db
    .selectFrom('release_commits')
    .innerJoin('releases', 'releases.id', 'release_commits.release_id')
    .select(['release_commits.repository', 'release_commits.commit_id'])
    .where('releases.organization_id', '=', organizationId)
    .where('releases.version', '=', version)
    .orderBy('release_commits.place')
    .execute()
  const heads = new Map<string | null, string>()
  for (const { commit_id: commit, repository } of rows) if (!heads.has(repository)) heads.set(repository, commit)
  return heads
}

/** All of a release, newest first, with what each added or changed. */
const commitsWithFiles = async (db: Ledger['db'], releaseId: number): Promise<readonly ToldCommit[]> => {
  const rows = await db
    .selectFrom('release_commits')
    .selectAll()
    .where('release_id', '=', releaseId)
    .orderBy('place')
    .execute()
  return rows.map((row) => ({
    ...commitOf(row),
    files: (JSON.parse(row.files) as readonly (readonly [path: string, type: string])[]).flatMap(([path, type]) =>
      type === 'D' ? [] : [path],
    ),
  }))
}

export type ReleaseView = ReturnType<typeof createLedgerReleaseView>

/** What is read of releases. */
export const createLedgerReleaseView = ({
  ledger,
  ledger: { db, dialect },
}: {
  readonly ledger: Pick<Ledger, 'db' | 'dialect'>
}) => ({
  /** Newest first. */
  releases: async (
    organizationId: number,
    {
      query,
      projectIds,
      status,
    }: {
      readonly query: string
      readonly projectIds: readonly number[] | null
      readonly status: ReleaseStatus | null
    },
    page: { readonly offset: number; readonly limit: number },
  ): Promise<Release[]> => {
    if (projectIds?.length === 0) return []
    let rows = db.selectFrom('releases').selectAll('releases').where('releases.organization_id', '=', organizationId)
    if (query !== '') rows = rows.where(containing(dialect, 'releases.version', query))
    if (status !== null) rows = rows.where('releases.status', '=', status)
    if (projectIds !== null) {
      rows = rows.where((expression) =>
        expression.exists(
          expression
            .selectFrom('release_projects')
            .select('release_projects.release_id')
            .whereRef('release_projects.release_id', '=', 'releases.id')
            .where('release_projects.project_id', 'in', projectIds),
        ),
      )
    }
    return withParts(
      ledger,
      await rows
        .orderBy('releases.first_seen', 'desc')
        .orderBy('releases.id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute(),
    )
  },
  release: async (organizationId: number, version: string): Promise<Release | null> => {
    const row = await db
      .selectFrom('releases')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('version', '=', version)
      .executeTakeFirst()
    return row === undefined ? null : ((await withParts(ledger, [row]))[0] ?? null)
  },

  /** The newest one before it that has commits. */
  previousWithCommits: async (release: Release): Promise<Release | null> => {
    const at = release.releasedAt ?? release.firstSeenAt
    const row = await db
      .selectFrom('releases')
      .selectAll('releases')
      .where('organization_id', '=', (eb) =>
        eb.selectFrom('releases as own').select('own.organization_id').where('own.id', '=', release.id),
      )
      .where('id', '<>', release.id)
      .where(sql<number>`coalesce(date_released, first_seen)`, '<=', at)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('release_commits')
            .select('release_commits.place')
            .whereRef('release_commits.release_id', '=', 'releases.id'),
        ),
      )
      .orderBy(sql`coalesce(date_released, first_seen)`, 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirst()
    return row === undefined ? null : ((await withParts(ledger, [row]))[0] ?? null)
  },

  commitsWithFiles: (releaseId: number) => commitsWithFiles(db, releaseId),

  commits: async (
    releaseId: number,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<readonly ReleaseCommit[]> => {
    const rows = await db
      .selectFrom('release_commits')
      .select(COMMIT)
      .where('release_id', '=', releaseId)
      .orderBy('place')
      .limit(page.limit)
      .offset(page.offset)
      .execute()
    return rows.map(commitOf)
  },

  heads: (organizationId: number, version: string) => headsOf(db, organizationId, version),
})
