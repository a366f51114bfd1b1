import type { AccountStore } from '../../accounts/accounts.store.ts'
import type { ApiToken, Team } from '../../accounts/model.ts'
import type { Scope } from '../../accounts/roles.ts'
import { membersQuery, withTeams } from './accounts-people.ts'
import { given, idOf } from './accounts-rows.ts'
import type { Db } from './accounts-rows.ts'

/** Teams and API tokens. */

type Teams = Pick<
  AccountStore,
  | 'teams'
  | 'countTeams'
  | 'team'
  | 'insertTeam'
  | 'updateTeam'
  | 'removeTeam'
  | 'teamMembers'
  | 'addTeamMember'
  | 'removeTeamMember'
  | 'addTeamProject'
  | 'removeTeamProject'
  | 'tokens'
  | 'tokenByHash'
  | 'insertToken'
  | 'touchToken'
  | 'removeToken'
>

interface TeamRow {
  readonly id: number
  readonly organization_id: number
  readonly slug: string
  readonly name: string
  readonly created_at: number
}

const withParts = async (db: Db, rows: readonly TeamRow[]): Promise<Team[]> => {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const members = await db.selectFrom('team_members').selectAll().where('team_id', 'in', ids).execute()
  const projects = await db
    .selectFrom('team_projects')
    .innerJoin('projects', 'projects.id', 'team_projects.project_id')
    .select(['team_projects.team_id', 'projects.id', 'projects.slug', 'projects.name'])
    .where('team_projects.team_id', 'in', ids)
    .where('projects.deleted_at', 'is', null)
    .orderBy('projects.slug')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    slug: row.slug,
    name: row.name,
    createdAt: row.created_at,
    memberIds: members.filter((member) => member.team_id === row.id).map((member) => member.member_id),
    projects: projects
      .filter((project) => project.team_id === row.id)
      .map(({ id, slug, name }) => ({ id, slug, name })),
  }))
}

const readScopes = (json: string): Scope[] => {
  const value: unknown = JSON.parse(json)
  return Array.isArray(value) ? (value as Scope[]) : []
}

export const createTeamStore = (db: Db): Teams => {
  const tokensQuery = () =>
    db
      .selectFrom('api_tokens')
      .leftJoin('users', 'users.id', 'api_tokens.user_id')
      .selectAll('api_tokens')
      .select(['users.email as user_email', 'users.name as user_name'])
  type TokenRow = Awaited<ReturnType<ReturnType<typeof tokensQuery>['execute']>>[number]
  const toToken = (row: TokenRow): ApiToken => ({
    id: row.id,
    organizationId: row.organization_id,
    user: row.user_id === null ? null : { id: row.user_id, email: row.user_email ?? '', name: row.user_name ?? '' },
    name: row.name,
    tail: row.token_tail,
    scopes: readScopes(row.scopes),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  })

  return {
    teams: async (organizationId, page) =>
      withParts(
        db,
        await db
          .selectFrom('teams')
          .selectAll()
          .where('organization_id', '=', organizationId)
          .orderBy('slug')
          .limit(page.limit)
          .offset(page.offset)
          .execute(),
      ),
    countTeams: async (organizationId) =>
      Number(
        (
          await db
            .selectFrom('teams')
            .select((expression) => expression.fn.countAll().as('count'))
            .where('organization_id', '=', organizationId)
            .executeTakeFirstOrThrow()
        ).count,
      ),
    team: async (organizationId, reference) => {
      const id = idOf(reference)
      const query = db.selectFrom('teams').selectAll().where('organization_id', '=', organizationId)
      const row = await (
        id === null ? query.where('slug', '=', reference) : query.where('id', '=', id)
      ).executeTakeFirst()
      return row === undefined ? null : ((await withParts(db, [row]))[0] ?? null)
    },
    insertTeam: async ({ organizationId, slug, name, now }) =>
      (
        await db
          .insertInto('teams')
          .values({ organization_id: organizationId, slug, name, created_at: now })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id,
    updateTeam: async (id, change) => {
      const row = given({ slug: change.slug, name: change.name })
      if (Object.keys(row).length > 0) await db.updateTable('teams').set(row).where('id', '=', id).execute()
    },
    removeTeam: async (id) => {
      await db.deleteFrom('teams').where('id', '=', id).execute()
    },
    teamMembers: async (teamId, page) =>
      withTeams(
        db,
        await membersQuery(db)
          .innerJoin('team_members', 'team_members.member_id', 'members.id')
          .where('team_members.team_id', '=', teamId)
          .orderBy('members.id')
          .limit(page.limit)
          .offset(page.offset)
          .execute(),
      ),
    addTeamMember: async (teamId, memberId) => {
      await db
        .insertInto('team_members')
        .values({ team_id: teamId, member_id: memberId })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    removeTeamMember: async (teamId, memberId) => {
      await db.deleteFrom('team_members').where('team_id', '=', teamId).where('member_id', '=', memberId).execute()
    },
    addTeamProject: async (teamId, projectId) => {
      await db
        .insertInto('team_projects')
        .values({ team_id: teamId, project_id: projectId })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
    removeTeamProject: async (teamId, projectId) => {
      await db.deleteFrom('team_projects').where('team_id', '=', teamId).where('project_id', '=', projectId).execute()
    },

    tokens: async (organizationId) =>
      (
        await tokensQuery()
          .where('api_tokens.organization_id', '=', organizationId)
          .orderBy('api_tokens.id', 'desc')
          .execute()
      ).map(toToken),
    tokenByHash: async (hash) => {
      const row = await tokensQuery().where('api_tokens.token_hash', '=', hash).executeTakeFirst()
      return row === undefined ? null : toToken(row)
    },
    insertToken: async (token) =>
      (
        await db
          .insertInto('api_tokens')
          .values({
            organization_id: token.organizationId,
            user_id: token.userId,
            name: token.name,
            token_hash: token.hash,
            token_tail: token.tail,
            scopes: JSON.stringify(token.scopes),
            created_at: token.now,
            last_used_at: null,
            expires_at: token.expiresAt,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id,
    touchToken: async (id, now) => {
      await db.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', id).execute()
    },
    removeToken: async (organizationId, id) => {
      const removed = await db
        .deleteFrom('api_tokens')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst()
      return removed !== undefined
    },
  }
}
