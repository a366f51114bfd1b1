import type { AccountStore } from '../accounts.store.ts'
import type { ApiToken, Team } from '../model.ts'
import type { Scope } from '../roles.ts'
import { membersQuery, withTeams } from './people.ts'
import { given, idOf } from './rows.ts'
import type { Db } from './rows.ts'

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
  | 'token'
  | 'personalTokens'
  | 'personalToken'
  | 'tokenByHash'
  | 'insertToken'
  | 'touchToken'
  | 'removeToken'
  | 'removeTokenOf'
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
  return {
    teams: teams(db),
    countTeams: countTeams(db),
    team: team(db),
    insertTeam: insertTeam(db),
    updateTeam: async (id, change) => {
      const row = given({ slug: change.slug, name: change.name })
      if (Object.keys(row).length > 0) await db.updateTable('teams').set(row).where('id', '=', id).execute()
    },
    removeTeam: async (id) => {
      await db.deleteFrom('teams').where('id', '=', id).execute()
    },
    teamMembers: teamMembers(db),
    addTeamMember: addTeamMember(db),
    removeTeamMember: async (teamId, memberId) => {
      await db.deleteFrom('team_members').where('team_id', '=', teamId).where('member_id', '=', memberId).execute()
    },
    addTeamProject: addTeamProject(db),
    removeTeamProject: async (teamId, projectId) => {
      await db.deleteFrom('team_projects').where('team_id', '=', teamId).where('project_id', '=', projectId).execute()
    },
    tokens: tokens(db),
    token: token(db),
    personalTokens: personalTokens(db),
    personalToken: personalToken(db),
    tokenByHash: tokenByHash(db),
    insertToken: insertToken(db),
    touchToken: async (id, now) => {
      await db.updateTable('api_tokens').set({ last_used_at: now }).where('id', '=', id).execute()
    },
    removeToken: removeToken(db),
    removeTokenOf: removeTokenOf(db),
  }
}

const tokensQuery = (db: Db) =>
  db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.id', 'api_tokens.user_id')
    .selectAll('api_tokens')
    .select(['users.email as user_email', 'users.name as user_name'])

type TokenRow = Awaited<ReturnType<ReturnType<typeof tokensQuery>['execute']>>[number]

const toToken = (row: TokenRow): ApiToken => ({
  id: row.id,
  organizationId: row.organization_id,
  user: { id: row.user_id, email: row.user_email, name: row.user_name },
  isMakerKnown: row.maker_known !== 0,
  name: row.name,
  tail: row.token_tail,
  scopes: readScopes(row.scopes),
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
})

const teams =
  (db: Db): Teams['teams'] =>
  async (organizationId, page) =>
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
    )

const countTeams =
  (db: Db): Teams['countTeams'] =>
  async (organizationId) =>
    Number(
      (
        await db
          .selectFrom('teams')
          .select((expression) => expression.fn.countAll().as('count'))
          .where('organization_id', '=', organizationId)
          .executeTakeFirstOrThrow()
      ).count,
    )

const team =
  (db: Db): Teams['team'] =>
  async (organizationId, reference) => {
    const id = idOf(reference)
    const query = db.selectFrom('teams').selectAll().where('organization_id', '=', organizationId)
    const row = await (
      id === null ? query.where('slug', '=', reference) : query.where('id', '=', id)
    ).executeTakeFirst()
    return row === undefined ? null : ((await withParts(db, [row]))[0] ?? null)
  }

const insertTeam =
  (db: Db): Teams['insertTeam'] =>
  async ({ organizationId, slug, name, now }) =>
    (
      await db
        .insertInto('teams')
        .values({ organization_id: organizationId, slug, name, created_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id

const teamMembers =
  (db: Db): Teams['teamMembers'] =>
  async (teamId, page) =>
    withTeams(
      db,
      await membersQuery(db)
        .innerJoin('team_members', 'team_members.member_id', 'members.id')
        .where('team_members.team_id', '=', teamId)
        .orderBy('members.id')
        .limit(page.limit)
        .offset(page.offset)
        .execute(),
    )

const addTeamMember =
  (db: Db): Teams['addTeamMember'] =>
  async (teamId, memberId) => {
    await db
      .insertInto('team_members')
      .values({ team_id: teamId, member_id: memberId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

const addTeamProject =
  (db: Db): Teams['addTeamProject'] =>
  async (teamId, projectId) => {
    await db
      .insertInto('team_projects')
      .values({ team_id: teamId, project_id: projectId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

const tokens =
  (db: Db): Teams['tokens'] =>
  async (organizationId) =>
    (
      await tokensQuery(db)
        .where('api_tokens.organization_id', '=', organizationId)
        .orderBy('api_tokens.id', 'desc')
        .execute()
    ).map(toToken)

const token =
  (db: Db): Teams['token'] =>
  async (organizationId, id) => {
    const row = await tokensQuery(db)
      .where('api_tokens.organization_id', '=', organizationId)
      .where('api_tokens.id', '=', id)
      .executeTakeFirst()
    return row === undefined ? null : toToken(row)
  }

const personalTokens =
  (db: Db): Teams['personalTokens'] =>
  async (userId) =>
    (
      await tokensQuery(db)
        .where('api_tokens.organization_id', 'is', null)
        .where('api_tokens.user_id', '=', userId)
        .orderBy('api_tokens.id', 'desc')
        .execute()
    ).map(toToken)

const personalToken =
  (db: Db): Teams['personalToken'] =>
  async (userId, id) => {
    const row = await tokensQuery(db)
      .where('api_tokens.organization_id', 'is', null)
      .where('api_tokens.user_id', '=', userId)
      .where('api_tokens.id', '=', id)
      .executeTakeFirst()
    return row === undefined ? null : toToken(row)
  }

const tokenByHash =
  (db: Db): Teams['tokenByHash'] =>
  async (hash) => {
    const row = await tokensQuery(db)
      .leftJoin('members', (join) =>
        join
          .onRef('members.user_id', '=', 'api_tokens.user_id')
          .onRef('members.organization_id', '=', 'api_tokens.organization_id'),
      )
      .where('api_tokens.token_hash', '=', hash)
      .where((is) => is.or([is('api_tokens.organization_id', 'is', null), is('members.id', 'is not', null)]))
      .executeTakeFirst()
    return row === undefined ? null : toToken(row)
  }

const insertToken =
  (db: Db): Teams['insertToken'] =>
  async (token) =>
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
          made_by_token: token.madeByToken ?? null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id

const removeToken =
  (db: Db): Teams['removeToken'] =>
  async (organizationId, id) => {
    const removed = await db
      .deleteFrom('api_tokens')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    return removed !== undefined
  }

const removeTokenOf =
  (db: Db): Teams['removeTokenOf'] =>
  async (userId, id) => {
    const removed = await db
      .deleteFrom('api_tokens')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    return removed !== undefined
  }
