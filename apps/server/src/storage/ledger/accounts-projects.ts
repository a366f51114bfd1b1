import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { AccountStore } from '../../accounts/accounts.store.ts'
import type { Project, Release } from '../../accounts/model.ts'
import { containing, given, idOf, toKey } from './accounts-rows.ts'
import type { Db } from './accounts-rows.ts'
import type { LedgerDialect } from './dialect.ts'
import type { ProjectTable, ReleaseTable } from './schema.ts'

/** Projects, their keys, releases and environments. */

type Projects = Pick<
  AccountStore,
  | 'projects'
  | 'countProjects'
  | 'project'
  | 'hasProjectId'
  | 'insertProject'
  | 'updateProject'
  | 'removeProject'
  | 'keys'
  | 'countKeys'
  | 'key'
  | 'keyContext'
  | 'projectContext'
  | 'insertKey'
  | 'updateKey'
  | 'touchKey'
  | 'removeKey'
  | 'environments'
  | 'releases'
  | 'release'
>

const withTeams = async (db: Db, rows: readonly Selectable<ProjectTable>[]): Promise<Project[]> => {
  if (rows.length === 0) return []
  const teams = await db
    .selectFrom('team_projects')
    .innerJoin('teams', 'teams.id', 'team_projects.team_id')
    .select(['team_projects.project_id', 'teams.id', 'teams.slug', 'teams.name'])
    .where(
      'team_projects.project_id',
      'in',
      rows.map((row) => row.id),
    )
    .orderBy('teams.slug')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    slug: row.slug,
    name: row.name,
    platform: row.platform,
    settings: row.settings,
    firstEventAt: row.first_event_at,
    createdAt: row.created_at,
    teams: teams.filter((team) => team.project_id === row.id).map(({ id, slug, name }) => ({ id, slug, name })),
  }))
}

const withProjects = async (db: Db, rows: readonly Selectable<ReleaseTable>[]): Promise<Release[]> => {
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

export const createProjectStore = (db: Db, dialect: LedgerDialect): Projects => ({
  projects: async (organizationId, query, page) => {
    let rows = db
      .selectFrom('projects')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
    if (query !== '') {
      const text = containing(query)
      rows = rows.where((expression) =>
        expression.or([
          sql<boolean>`lower(projects.slug) like ${text} escape '\\'`,
          sql<boolean>`lower(projects.name) like ${text} escape '\\'`,
        ]),
      )
    }
    return withTeams(db, await rows.orderBy('slug').limit(page.limit).offset(page.offset).execute())
  },
  countProjects: async (organizationId) =>
    Number(
      (
        await db
          .selectFrom('projects')
          .select((expression) => expression.fn.countAll().as('count'))
          .where('organization_id', '=', organizationId)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow()
      ).count,
    ),
  project: async (organizationId, reference) => {
    const id = idOf(reference)
    const query = db
      .selectFrom('projects')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
    const row = await (
      id === null ? query.where('slug', '=', reference) : query.where('id', '=', id)
    ).executeTakeFirst()
    return row === undefined ? null : ((await withTeams(db, [row]))[0] ?? null)
  },
  hasProjectId: async (id) =>
    (await db.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,
  insertProject: async ({ id, organizationId, slug, name, platform, now }) => {
    const row = await db
      .insertInto('projects')
      .values({
        ...(id === undefined ? {} : { id }),
        organization_id: organizationId,
        slug,
        name,
        platform,
        settings: '{}',
        first_event_at: null,
        last_issue_number: 0,
        created_at: now,
        deleted_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (id !== undefined && dialect === 'postgres') {
      // An identity column does not notice ids that were given, and would hand them out a second time.
      await sql`SELECT setval(pg_get_serial_sequence('projects', 'id'), (SELECT max(id) FROM projects))`.execute(db)
    }
    return row.id
  },
  updateProject: async (id, change) => {
    const row = given({ slug: change.slug, name: change.name, platform: change.platform, settings: change.settings })
    if (Object.keys(row).length > 0) await db.updateTable('projects').set(row).where('id', '=', id).execute()
  },
  removeProject: async (id, now) => {
    await db
      .updateTable('projects')
      .set({ deleted_at: now, slug: `--deleted-${id}` })
      .where('id', '=', id)
      .execute()
    await db.deleteFrom('project_keys').where('project_id', '=', id).execute()
    await db.deleteFrom('team_projects').where('project_id', '=', id).execute()
  },

  keys: async (projectId, page) =>
    (
      await db
        .selectFrom('project_keys')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('id')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
    ).map(toKey),
  countKeys: async (projectId) =>
    Number(
      (
        await db
          .selectFrom('project_keys')
          .select((expression) => expression.fn.countAll().as('count'))
          .where('project_id', '=', projectId)
          .executeTakeFirstOrThrow()
      ).count,
    ),
  key: async (projectId, publicKey) => {
    const row = await db
      .selectFrom('project_keys')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('public_key', '=', publicKey)
      .executeTakeFirst()
    return row === undefined ? null : toKey(row)
  },
  keyContext: async (publicKey) => {
    const row = await db
      .selectFrom('project_keys')
      .innerJoin('projects', 'projects.id', 'project_keys.project_id')
      .selectAll('project_keys')
      .select(['projects.slug', 'projects.organization_id', 'projects.settings'])
      .where('project_keys.public_key', '=', publicKey)
      .where('projects.deleted_at', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return null
    const key = toKey(row)
    return {
      keyId: key.id,
      publicKey: key.publicKey,
      active: key.active,
      projectId: key.projectId,
      projectSlug: row.slug,
      organizationId: row.organization_id,
      rateLimit: key.rateLimit,
      settings: row.settings,
      lastUsedAt: key.lastUsedAt,
    }
  },
  projectContext: async (projectId) => {
    const row = await db
      .selectFrom('projects')
      .select(['organization_id', 'settings', 'platform'])
      .where('id', '=', projectId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return row === undefined
      ? null
      : { organizationId: row.organization_id, settings: row.settings, platform: row.platform }
  },
  insertKey: async ({ projectId, publicKey, label, rateLimit, now }) => {
    await db
      .insertInto('project_keys')
      .values({
        project_id: projectId,
        public_key: publicKey,
        label,
        is_active: 1,
        rate_limit_count: rateLimit?.count ?? null,
        rate_limit_window_seconds: rateLimit?.windowSeconds ?? null,
        created_at: now,
        last_used_at: null,
      })
      .execute()
  },
  updateKey: async (id, change) => {
    const row = given({
      label: change.label,
      is_active: change.active === undefined ? undefined : change.active ? (1 as const) : (0 as const),
      rate_limit_count: change.rateLimit === undefined ? undefined : (change.rateLimit?.count ?? null),
      rate_limit_window_seconds: change.rateLimit === undefined ? undefined : (change.rateLimit?.windowSeconds ?? null),
    })
    if (Object.keys(row).length > 0) await db.updateTable('project_keys').set(row).where('id', '=', id).execute()
  },
  touchKey: async (id, now) => {
    await db.updateTable('project_keys').set({ last_used_at: now }).where('id', '=', id).execute()
  },
  removeKey: async (id) => {
    await db.deleteFrom('project_keys').where('id', '=', id).execute()
  },

  environments: async (organizationId, projectIds) => {
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
  releases: async (organizationId, { query, projectIds }, page) => {
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
  release: async (organizationId, version) => {
    const row = await db
      .selectFrom('releases')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('version', '=', version)
      .executeTakeFirst()
    return row === undefined ? null : ((await withProjects(db, [row]))[0] ?? null)
  },
})
