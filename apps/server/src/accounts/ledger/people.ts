import type { AccountStore } from '../accounts.store.ts'
import type { Member } from '../model.ts'
import type { LedgerDialect } from '../../storage/ledger/dialect.ts'
import { containing } from '../../storage/ledger/containing.ts'
import { given, idOf, toMember, toOrganization, toSession, toUser } from './rows.ts'
import type { Db, MemberRow } from './rows.ts'

/** Users, sessions, organisations, members. */

type People = Pick<
  AccountStore,
  | 'hasUsers'
  | 'claimSetup'
  | 'userById'
  | 'userByEmail'
  | 'insertUser'
  | 'updateUser'
  | 'insertSession'
  | 'session'
  | 'touchSession'
  | 'removeSession'
  | 'sessionsOf'
  | 'removeSessionsOf'
  | 'removeExpiredSessions'
  | 'organization'
  | 'organizationBySlug'
  | 'firstOrganization'
  | 'insertOrganization'
  | 'updateOrganization'
  | 'memberships'
  | 'membership'
  | 'members'
  | 'countMembers'
  | 'countOwners'
  | 'member'
  | 'memberByEmail'
  | 'memberByInvite'
  | 'isInvited'
  | 'firstOwner'
  | 'insertMember'
  | 'updateMember'
  | 'removeMember'
>

export const membersQuery = (db: Db) =>
  db
    .selectFrom('members')
    .leftJoin('users', 'users.id', 'members.user_id')
    .selectAll('members')
    .select([
      'users.name as user_name',
      'users.email as user_email',
      'users.created_at as user_created_at',
      'users.last_login_at as user_last_login_at',
    ])

/** Adds the slugs of each member's teams. */
export const withTeams = async (db: Db, rows: readonly MemberRow[]): Promise<Member[]> => {
  if (rows.length === 0) return []
  const teams = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select(['team_members.member_id', 'teams.slug'])
    .where(
      'team_members.member_id',
      'in',
      rows.map((row) => row.id),
    )
    .orderBy('teams.slug')
    .execute()
  return rows.map((row) =>
    toMember(
      row,
      teams.filter((team) => team.member_id === row.id).map((team) => team.slug),
    ),
  )
}

export const createPeopleStore = (db: Db, dialect: LedgerDialect): People => {
  return {
    hasUsers: async () => (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined,
    claimSetup: claimSetup(db),
    userById: async (id) => {
      const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : toUser(row)
    },
    userByEmail: async (email) => {
      const row = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
      return row === undefined ? null : toUser(row)
    },
    insertUser: insertUser(db),
    updateUser: updateUser(db),
    insertSession: insertSession(db),
    session: session(db),
    touchSession: touchSession(db),
    removeSession: async (hash) => {
      await db.deleteFrom('sessions').where('id_hash', '=', hash).execute()
    },
    sessionsOf: sessionsOf(db),
    removeSessionsOf: async (userId, except) => {
      const query = db.deleteFrom('sessions').where('user_id', '=', userId)
      await (except === null ? query : query.where('id_hash', '!=', except)).execute()
    },
    removeExpiredSessions: async (now) => {
      const result = await db.deleteFrom('sessions').where('expires_at', '<=', now).executeTakeFirst()
      return Number(result.numDeletedRows)
    },
    organization: async (id) => {
      const row = await db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : toOrganization(row)
    },
    organizationBySlug: async (slug) => {
      const row = await db.selectFrom('organizations').selectAll().where('slug', '=', slug).executeTakeFirst()
      return row === undefined ? null : toOrganization(row)
    },
    firstOrganization: async () => {
      const row = await db.selectFrom('organizations').selectAll().orderBy('id').limit(1).executeTakeFirst()
      return row === undefined ? null : toOrganization(row)
    },
    insertOrganization: insertOrganization(db),
    updateOrganization: updateOrganization(db),
    memberships: memberships(db),
    membership: membership(db),
    members: members(db, dialect),
    countMembers: countMembers(db),
    countOwners: countOwners(db),
    member: member(db),
    memberByEmail: memberByEmail(db),
    memberByInvite: async (inviteHash) =>
      oneMember(db, await membersQuery(db).where('members.invite_hash', '=', inviteHash).executeTakeFirst()),
    isInvited: isInvited(db),
    firstOwner: firstOwner(db),
    insertMember: insertMember(db),
    updateMember: updateMember(db),
    removeMember: removeMember(db),
  }
}

const oneMember = async (db: Db, row: MemberRow | undefined): Promise<Member | null> =>
  row === undefined ? null : ((await withTeams(db, [row]))[0] ?? null)

const claimSetup =
  (db: Db): People['claimSetup'] =>
  async (now) => {
    const row = await db
      .insertInto('installation')
      .values({ key: 'set_up_at', value: String(now) })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('key')
      .executeTakeFirst()
    return row !== undefined
  }

const insertUser =
  (db: Db): People['insertUser'] =>
  async ({ email, name, passwordHash, now }) =>
    toUser(
      await db
        .insertInto('users')
        .values({ email, name, password_hash: passwordHash, preferences: '{}', created_at: now, last_login_at: null })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )

const updateUser =
  (db: Db): People['updateUser'] =>
  async (id, change) => {
    const row = given({
      email: change.email,
      name: change.name,
      password_hash: change.passwordHash,
      preferences: change.preferences,
      last_login_at: change.lastLoginAt,
    })
    if (Object.keys(row).length > 0) await db.updateTable('users').set(row).where('id', '=', id).execute()
  }

const insertSession =
  (db: Db): People['insertSession'] =>
  async (session) => {
    await db
      .insertInto('sessions')
      .values({
        id_hash: session.hash,
        user_id: session.userId,
        created_at: session.createdAt,
        last_seen_at: session.lastSeenAt,
        expires_at: session.expiresAt,
        user_agent: session.userAgent,
        address: session.address,
      })
      .execute()
  }

const session =
  (db: Db): People['session'] =>
  async (hash, now) => {
    const row = await db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .selectAll('users')
      .select([
        'sessions.id_hash',
        'sessions.user_id',
        'sessions.created_at as session_created_at',
        'sessions.last_seen_at',
        'sessions.expires_at',
        'sessions.user_agent',
        'sessions.address',
      ])
      .where('sessions.id_hash', '=', hash)
      .where('sessions.expires_at', '>', now)
      .executeTakeFirst()
    return row === undefined
      ? null
      : { session: toSession({ ...row, created_at: row.session_created_at }), user: toUser(row) }
  }

const touchSession =
  (db: Db): People['touchSession'] =>
  async (hash, lastSeenAt, expiresAt) => {
    await db
      .updateTable('sessions')
      .set({ last_seen_at: lastSeenAt, expires_at: expiresAt })
      .where('id_hash', '=', hash)
      .execute()
  }

const sessionsOf =
  (db: Db): People['sessionsOf'] =>
  async (userId, now) =>
    (
      await db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .orderBy('last_seen_at', 'desc')
        .limit(100)
        .execute()
    ).map(toSession)

const insertOrganization =
  (db: Db): People['insertOrganization'] =>
  async ({ slug, name, retentionDays, now }) =>
    toOrganization(
      await db
        .insertInto('organizations')
        .values({ slug, name, retention_days: retentionDays, settings: '{}', created_at: now })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )

const updateOrganization =
  (db: Db): People['updateOrganization'] =>
  async (id, change) => {
    const row = given({
      slug: change.slug,
      name: change.name,
      retention_days: change.retentionDays,
      bytes_per_day: change.bytesPerDay,
    })
    if (Object.keys(row).length > 0) await db.updateTable('organizations').set(row).where('id', '=', id).execute()
  }

const memberships =
  (db: Db): People['memberships'] =>
  async (userId) => {
    const rows = await db
      .selectFrom('members')
      .innerJoin('organizations', 'organizations.id', 'members.organization_id')
      .selectAll('organizations')
      .select(['members.id as member_id', 'members.role'])
      .where('members.user_id', '=', userId)
      .orderBy('organizations.name')
      .execute()
    return rows.map((row) => ({ memberId: row.member_id, role: row.role, organization: toOrganization(row) }))
  }

const membership =
  (db: Db): People['membership'] =>
  async (userId, reference) => {
    const id = idOf(reference)
    const query = db
      .selectFrom('members')
      .innerJoin('organizations', 'organizations.id', 'members.organization_id')
      .selectAll('organizations')
      .select(['members.id as member_id', 'members.role'])
      .where('members.user_id', '=', userId)
    const row = await (
      id === null ? query.where('organizations.slug', '=', reference) : query.where('organizations.id', '=', id)
    ).executeTakeFirst()
    return row === undefined ? null : { memberId: row.member_id, role: row.role, organization: toOrganization(row) }
  }

const members =
  (db: Db, dialect: LedgerDialect): People['members'] =>
  async (organizationId, query, page) => {
    let rows = membersQuery(db).where('members.organization_id', '=', organizationId)
    if (query !== '') {
      rows = rows.where((expression) =>
        expression.or([
          containing(dialect, 'members.email', query),
          containing(dialect, 'users.email', query),
          containing(dialect, 'users.name', query),
        ]),
      )
    }
    return withTeams(db, await rows.orderBy('members.id').limit(page.limit).offset(page.offset).execute())
  }

const countMembers =
  (db: Db): People['countMembers'] =>
  async (organizationId) =>
    Number(
      (
        await db
          .selectFrom('members')
          .select((expression) => expression.fn.countAll().as('count'))
          .where('organization_id', '=', organizationId)
          .executeTakeFirstOrThrow()
      ).count,
    )

const countOwners =
  (db: Db): People['countOwners'] =>
  async (organizationId) =>
    Number(
      (
        await db
          .selectFrom('members')
          .select((expression) => expression.fn.countAll().as('count'))
          .where('organization_id', '=', organizationId)
          .where('role', '=', 'owner')
          .where('user_id', 'is not', null)
          .executeTakeFirstOrThrow()
      ).count,
    )

const member =
  (db: Db): People['member'] =>
  async (organizationId, id) =>
    oneMember(
      db,
      await membersQuery(db)
        .where('members.organization_id', '=', organizationId)
        .where('members.id', '=', id)
        .executeTakeFirst(),
    )

const memberByEmail =
  (db: Db): People['memberByEmail'] =>
  async (organizationId, email) =>
    oneMember(
      db,
      await membersQuery(db)
        .where('members.organization_id', '=', organizationId)
        .where((expression) =>
          expression.or([expression('members.email', '=', email), expression('users.email', '=', email)]),
        )
        .executeTakeFirst(),
    )

const isInvited =
  (db: Db): People['isInvited'] =>
  async (email) =>
    (await db
      .selectFrom('members')
      .select('id')
      .where('email', '=', email)
      .where('user_id', 'is', null)
      .limit(1)
      .executeTakeFirst()) !== undefined

const firstOwner =
  (db: Db): People['firstOwner'] =>
  async (organizationId) =>
    (
      await oneMember(
        db,
        await membersQuery(db)
          .where('members.organization_id', '=', organizationId)
          .where('members.role', '=', 'owner')
          .where('members.user_id', 'is not', null)
          .orderBy('members.created_at')
          .orderBy('members.id')
          .limit(1)
          .executeTakeFirst(),
      )
    )?.user ?? null

const insertMember =
  (db: Db): People['insertMember'] =>
  async (member) =>
    (
      await db
        .insertInto('members')
        .values({
          organization_id: member.organizationId,
          user_id: member.userId,
          email: member.email,
          role: member.role,
          invite_hash: member.inviteHash,
          invite_expires_at: member.inviteExpiresAt,
          created_at: member.now,
          invited_by: member.invitedBy ?? null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id

const updateMember =
  (db: Db): People['updateMember'] =>
  async (id, change) => {
    const row = given({
      role: change.role,
      user_id: change.userId,
      email: change.email,
      invite_hash: change.inviteHash,
      invite_expires_at: change.inviteExpiresAt,
      invited_by: change.invitedBy,
    })
    if (Object.keys(row).length > 0) await db.updateTable('members').set(row).where('id', '=', id).execute()
  }

const removeMember =
  (db: Db): People['removeMember'] =>
  async (organizationId, id) => {
    const removed = await db
      .deleteFrom('members')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .returning('user_id')
      .executeTakeFirst()
    if (removed?.user_id === undefined || removed.user_id === null) return
    await db
      .deleteFrom('api_tokens')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', removed.user_id)
      .execute()
  }
