import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { AccountStore } from '../accounts.store.ts'
import type { Project } from '../model.ts'
import { given, idOf, toKey } from './rows.ts'
import type { Db } from './rows.ts'
import { containing } from '../../storage/ledger/containing.ts'
import type { LedgerDialect } from '../../storage/ledger/dialect.ts'
import type { ProjectTable } from './schema.ts'

/** Projects and their keys. */

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

export const createProjectStore = (db: Db, dialect: LedgerDialect): Projects => ({
  projects: projects(db, dialect),
  countProjects: countProjects(db),
  project: project(db),
  hasProjectId: async (id) =>
    (await db.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirst()) !== undefined,
  insertProject: insertProject(db, dialect),
  updateProject: async (id, change) => {
    const row = given({ slug: change.slug, name: change.name, platform: change.platform, settings: change.settings })
    if (Object.keys(row).length > 0) await db.updateTable('projects').set(row).where('id', '=', id).execute()
  },
  removeProject: removeProject(db),
  keys: keys(db),
  countKeys: countKeys(db),
  key: key(db),
  keyContext: keyContext(db),
  projectContext: projectContext(db),
  insertKey: insertKey(db),
  updateKey: updateKey(db),
  touchKey: async (id, now) => {
    await db.updateTable('project_keys').set({ last_used_at: now }).where('id', '=', id).execute()
  },
  removeKey: async (id) => {
    await db.deleteFrom('project_keys').where('id', '=', id).execute()
  },
})

const projects =
  (db: Db, dialect: LedgerDialect): Projects['projects'] =>
  async (organizationId, query, page) => {
    let rows = db
      .selectFrom('projects')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
    if (query !== '') {
      rows = rows.where((expression) =>
        expression.or([containing(dialect, 'projects.slug', query), containing(dialect, 'projects.name', query)]),
      )
    }
    return withTeams(db, await rows.orderBy('slug').limit(page.limit).offset(page.offset).execute())
  }

const countProjects =
  (db: Db): Projects['countProjects'] =>
  async (organizationId) =>
    Number(
      (
        await db
          .selectFrom('projects')
          .select((expression) => expression.fn.countAll().as('count'))
          .where('organization_id', '=', organizationId)
          .where('deleted_at', 'is', null)
          .executeTakeFirstOrThrow()
      ).count,
    )

const project =
  (db: Db): Projects['project'] =>
  async (organizationId, reference) => {
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
  }

const insertProject =
  (db: Db, dialect: LedgerDialect): Projects['insertProject'] =>
  async ({ id, organizationId, slug, name, platform, now }) => {
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
  }

const removeProject =
  (db: Db): Projects['removeProject'] =>
  async (id, now) => {
    await db
      .updateTable('projects')
      .set({ deleted_at: now, slug: `--deleted-${id}` })
      .where('id', '=', id)
      .execute()
    await db.deleteFrom('project_keys').where('project_id', '=', id).execute()
    await db.deleteFrom('team_projects').where('project_id', '=', id).execute()
  }

const keys =
  (db: Db): Projects['keys'] =>
  async (projectId, page) =>
    (
      await db
        .selectFrom('project_keys')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('id')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
    ).map(toKey)

const countKeys =
  (db: Db): Projects['countKeys'] =>
  async (projectId) =>
    Number(
      (
        await db
          .selectFrom('project_keys')
          .select((expression) => expression.fn.countAll().as('count'))
          .where('project_id', '=', projectId)
          .executeTakeFirstOrThrow()
      ).count,
    )

const key =
  (db: Db): Projects['key'] =>
  async (projectId, publicKey) => {
    const row = await db
      .selectFrom('project_keys')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('public_key', '=', publicKey)
      .executeTakeFirst()
    return row === undefined ? null : toKey(row)
  }

const keyContext =
  (db: Db): Projects['keyContext'] =>
  async (publicKey) => {
    const row = await db
      .selectFrom('project_keys')
      .innerJoin('projects', 'projects.id', 'project_keys.project_id')
      .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
      .selectAll('project_keys')
      .select(['projects.slug', 'projects.organization_id', 'projects.settings'])
      .select('organizations.bytes_per_day as organization_bytes_per_day')
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
      bytesPerDay: key.bytesPerDay,
      organizationBytesPerDay: row.organization_bytes_per_day,
      settings: row.settings,
      lastUsedAt: key.lastUsedAt,
    }
  }

const projectContext =
  (db: Db): Projects['projectContext'] =>
  async (projectId) => {
    const row = await db
      .selectFrom('projects')
      .select(['organization_id', 'settings', 'platform'])
      .where('id', '=', projectId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return row === undefined
      ? null
      : { organizationId: row.organization_id, settings: row.settings, platform: row.platform }
  }

const insertKey =
  (db: Db): Projects['insertKey'] =>
  async ({ projectId, publicKey, label, rateLimit, bytesPerDay = null, now }) => {
    await db
      .insertInto('project_keys')
      .values({
        project_id: projectId,
        public_key: publicKey,
        label,
        is_active: 1,
        rate_limit_count: rateLimit?.count ?? null,
        rate_limit_window_seconds: rateLimit?.windowSeconds ?? null,
        bytes_per_day: bytesPerDay,
        created_at: now,
        last_used_at: null,
      })
      .execute()
  }

const updateKey =
  (db: Db): Projects['updateKey'] =>
  async (id, change) => {
    const row = given({
      label: change.label,
      is_active: change.active === undefined ? undefined : change.active ? (1 as const) : (0 as const),
      rate_limit_count: change.rateLimit === undefined ? undefined : (change.rateLimit?.count ?? null),
      rate_limit_window_seconds: change.rateLimit === undefined ? undefined : (change.rateLimit?.windowSeconds ?? null),
      bytes_per_day: change.bytesPerDay,
    })
    if (Object.keys(row).length > 0) await db.updateTable('project_keys').set(row).where('id', '=', id).execute()
  }
