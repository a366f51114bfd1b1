import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { Release } from '../releases/releases.view.ts'
import { containing } from '../../storage/ledger/containing.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import type { ReleaseTable } from './schema.ts'

const withProjects = async (db: Ledger['db'], rows: readonly Selectable<ReleaseTable>[]): Promise<Release[]> => {
  if (rows.length === 0) return []
  const projects = await db
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
    .where(
      'release_projects.release_id',
      'in',
      rows.map((row) => row.id),
    )
    .where('projects.deleted_at', 'is', null)
    .orderBy('projects.slug')
    .execute()
  return rows.map((row) => {
    const own = projects.filter((project) => project.release_id === row.id)
    return {
      id: row.id,
      version: row.version,
      firstSeenAt: row.first_seen,
      lastSeenAt: row.last_seen,
      releasedAt: row.date_released,
      newIssues: own.reduce((sum, project) => sum + project.new_issues, 0),
      projects: own.map(({ id, slug, name, platform }) => ({ id, slug, name, platform })),
    }
  })
}

export type ReleaseView = ReturnType<typeof createLedgerReleaseView>

/** What screens read of releases and environments. */
export const createLedgerReleaseView = ({ ledger: { db } }: { readonly ledger: Pick<Ledger, 'db'> }) => ({
  /** Names, in order. Null for all projects of the organisation. */
  environments: async (organizationId: number, projectIds: readonly number[] | null): Promise<string[]> => {
    if (projectIds?.length === 0) return []
    const query = db
      .selectFrom('environments')
      .innerJoin('projects', 'projects.id', 'environments.project_id')
      .select('environments.name')
      .distinct()
      .where('projects.organization_id', '=', organizationId)
      .where('projects.deleted_at', 'is', null)
    const rows = await (projectIds === null ? query : query.where('environments.project_id', 'in', projectIds))
      .orderBy('environments.name')
      .limit(1000)
      .execute()
    return rows.map((row) => row.name)
  },
  /** By project, in the order of the names: the first `limit` of each. */
  environmentsOf: async (
    projectIds: readonly number[],
    limit: number,
  ): Promise<ReadonlyMap<number, readonly string[]>> => {
    const found = new Map<number, string[]>()
    if (projectIds.length === 0) return found
    // One project with very many of them must not be all that is seen.
    const rows = await db
      .selectFrom((expression) =>
        expression
          .selectFrom('environments')
          .select(['project_id', 'name'])
          .select(sql<number>`row_number() OVER (PARTITION BY project_id ORDER BY name)`.as('place'))
          .where('project_id', 'in', [...projectIds])
          .as('placed'),
      )
      .select(['placed.project_id', 'placed.name'])
      .where('placed.place', '<=', limit)
      .orderBy('placed.name')
      .execute()
    for (const { project_id: id, name } of rows) found.set(id, [...(found.get(id) ?? []), name])
    return found
  },
  /** Newest first. */
  releases: async (
    organizationId: number,
    { query, projectIds }: { readonly query: string; readonly projectIds: readonly number[] | null },
    page: { readonly offset: number; readonly limit: number },
  ): Promise<Release[]> => {
    if (projectIds?.length === 0) return []
    let rows = db.selectFrom('releases').selectAll('releases').where('releases.organization_id', '=', organizationId)
    if (query !== '') rows = rows.where(sql<boolean>`lower(releases.version) like ${containing(query)} escape '\\'`)
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
    return withProjects(
      db,
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
    return row === undefined ? null : ((await withProjects(db, [row]))[0] ?? null)
  },
})
