import { PGlite } from '@electric-sql/pglite'
import { PGliteDialect } from 'kysely'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AccountStore } from '../accounts.store.ts'
import { SCOPES } from '../roles.ts'
import { createLogger } from '../../lib/logger.ts'
import { createAccountStore } from './account-store.ts'
import { openLedgerOn } from '../../storage/ledger/ledger.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { ledgerMigrations, openEmptyLedger } from '../../../test/stores/open.ts'

/** The port's promises, on each engine of the ledger. */

const clock = { now: () => 1000 }
const logger = createLogger('error', () => {}, clock.now)
/** PostgreSQL as WebAssembly takes its time to start. */
const STARTING_MS = 180_000
const PAGE = { offset: 0, limit: 10 }

const engines: Record<string, (dir: string) => Promise<Ledger>> = {
  SQLite: (dir) => openEmptyLedger(join(dir, 'ledger.sqlite'), { logger, clock }),
  PostgreSQL: async () => {
    const pglite = new PGlite()
    const kysely = new PGliteDialect({ pglite })
    return openLedgerOn(
      { dialect: 'postgres', kysely, name: 'PGlite', description: 'PGlite' },
      { logger, clock, migrations: ledgerMigrations },
    )
  },
}

describe.each(Object.entries(engines))('accounts on %s', (_, open) => {
  let dir: string
  let ledger: Ledger
  let store: AccountStore
  let count = 0
  let organizationId: number
  let userId: number
  let memberId: number

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'firsthand-accounts-'))
    ledger = await open(dir)
    store = createAccountStore(ledger)
  }, STARTING_MS)

  afterAll(async () => {
    await ledger.close()
    await rm(dir, { recursive: true, force: true })
  })

  /** An organisation of its own for each test. */
  beforeEach(async () => {
    count += 1
    const slug = `org-${count}`
    const user = await store.insertUser({ email: `u${count}@x.example`, name: 'Ü', passwordHash: 'h', now: 1 })
    const organization = await store.insertOrganization({ slug, name: 'Org', retentionDays: 90, now: 1 })
    userId = user.id
    organizationId = organization.id
    const membership = { inviteHash: null, inviteExpiresAt: null, now: 1 }
    memberId = await store.insertMember({ organizationId, userId, email: user.email, role: 'owner', ...membership })
  })

  it('does all of a transaction or nothing', async () => {
    const slug = `undone-${count}`
    const failing = store.transaction(async (store) => {
      await store.insertOrganization({ slug, name: 'x', retentionDays: 1, now: 1 })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await store.organizationBySlug(slug)).toBeNull()
    const kept = await store.transaction((store) =>
      store.insertOrganization({ slug, name: 'x', retentionDays: 1, now: 1 }),
    )
    expect(await store.organizationBySlug(slug)).toEqual(kept)
  })

  it('lets set-up be claimed once', async () => {
    const { db } = ledger
    await db.deleteFrom('installation').where('key', '=', 'set_up_at').execute()
    expect([await store.claimSetup(1), await store.claimSetup(2)]).toEqual([true, false])
    expect(await store.hasUsers()).toBe(true)
  })

  it('keeps people and their sessions until these end', async () => {
    expect(await store.userByEmail(`u${count}@x.example`)).toMatchObject({ id: userId, name: 'Ü', lastLoginAt: null })
    await store.updateUser(userId, { name: 'New', lastLoginAt: 5, email: undefined })
    expect(await store.userById(userId)).toMatchObject({ name: 'New', email: `u${count}@x.example`, lastLoginAt: 5 })
    await store.updateUser(userId, {})
    const hash = `s${count}`
    const session = { hash, userId, createdAt: 1, lastSeenAt: 1, expiresAt: 100, userAgent: 'a', address: 'b' }
    await store.insertSession(session)
    await store.insertSession({ ...session, hash: `${hash}-other` })
    expect(await store.session(hash, 99)).toMatchObject({ session, user: { id: userId } })
    expect(await store.session(hash, 100)).toBeNull()
    await store.touchSession(hash, 50, 200)
    expect((await store.sessionsOf(userId, 150)).map((found) => found.hash)).toEqual([hash])
    await store.removeSessionsOf(userId, hash)
    expect(await store.session(`${hash}-other`, 2)).toBeNull()
    expect(await store.removeExpiredSessions(200)).toBe(1)
    await store.removeSessionsOf(userId, null)
  })

  it('finds a membership by slug and by id, and none of others', async () => {
    const slug = `org-${count}`
    for (const reference of [slug, String(organizationId)]) {
      expect(await store.membership(userId, reference)).toMatchObject({ role: 'owner', organization: { slug } })
    }
    for (const reference of ['', 'org-0', '9999999999999999', '99999999999999999999', "' or 1=1", '0']) {
      expect(await store.membership(userId, reference)).toBeNull()
    }
    expect(await store.memberships(userId)).toHaveLength(1)
    await store.updateOrganization(organizationId, { retentionDays: 7, name: undefined, slug: undefined })
    expect(await store.organization(organizationId)).toMatchObject({ retentionDays: 7, name: 'Org' })
  })

  it('keeps members, invitations and teams', async () => {
    const invite = { role: 'member', inviteHash: `i${count}`, inviteExpiresAt: 9, now: 2 } as const
    const invited = await store.insertMember({ organizationId, userId: null, email: 'A_b@x.example', ...invite })
    expect(await store.memberByInvite(`i${count}`)).toMatchObject({ id: invited, user: null, inviteExpiresAt: 9 })
    expect((await store.members(organizationId, 'a_B', PAGE)).map(({ id }) => id)).toEqual([invited])
    expect(await store.members(organizationId, 'a%', PAGE)).toEqual([])
    expect((await store.members(organizationId, '', { offset: 1, limit: 1 })).map(({ id }) => id)).toEqual([invited])
    expect([await store.countMembers(organizationId), await store.countOwners(organizationId)]).toEqual([2, 1])

    const teamId = await store.insertTeam({ organizationId, slug: 'fe', name: 'FE', now: 3 })
    await store.addTeamMember(teamId, invited)
    await store.addTeamMember(teamId, invited)
    expect(await store.team(organizationId, 'fe')).toMatchObject({ id: teamId, memberIds: [invited] })
    expect(await store.team(organizationId + 1, String(teamId))).toBeNull()
    expect(await store.teamMembers(teamId, PAGE)).toMatchObject([{ id: invited, teams: ['fe'] }])
    await store.updateTeam(teamId, { name: 'Front' })
    expect(await store.teams(organizationId, PAGE)).toMatchObject([{ name: 'Front', slug: 'fe' }])
    await store.removeMember(organizationId, invited)
    expect(await store.member(organizationId, invited)).toBeNull()
    expect(await store.teamMembers(teamId, PAGE)).toEqual([])
    await store.removeMember(organizationId + 1, memberId)
    expect(await store.member(organizationId, memberId)).not.toBeNull()
    await store.removeTeam(teamId)
    expect(await store.countTeams(organizationId)).toBe(0)
  })

  it('keeps projects and keys; a removed project is gone, its slug free, its number used', async () => {
    const project = { organizationId, slug: 'web', name: 'Web', platform: 'node', now: 4 }
    const id = await store.insertProject(project)
    await store.insertKey({ projectId: id, publicKey: `k${count}`, label: 'Default', rateLimit: null, now: 4 })
    const [key] = await store.keys(id, PAGE)
    expect(key).toMatchObject({ publicKey: `k${count}`, active: true, rateLimit: null })
    await store.updateKey(key?.id ?? 0, { active: false, rateLimit: { count: 5, windowSeconds: 60 } })
    await store.updateKey(key?.id ?? 0, { label: 'New' })
    await store.touchKey(key?.id ?? 0, 77)
    expect(await store.keyContext(`k${count}`)).toMatchObject({
      projectId: id,
      projectSlug: 'web',
      organizationId,
      active: false,
      rateLimit: { count: 5, windowSeconds: 60 },
      settings: '{}',
      lastUsedAt: 77,
    })
    await store.updateProject(id, { settings: '{"a":1}', name: undefined })
    expect(await store.projectContext(id)).toEqual({ organizationId, settings: '{"a":1}', platform: 'node' })
    expect((await store.projects(organizationId, 'WE', PAGE)).map((found) => found.id)).toEqual([id])
    expect(await store.project(organizationId + 1, String(id))).toBeNull()

    await store.removeProject(id, 9)
    expect(await store.project(organizationId, 'web')).toBeNull()
    expect(await store.keyContext(`k${count}`)).toBeNull()
    expect(await store.projectContext(id)).toBeNull()
    expect([await store.countProjects(organizationId), await store.hasProjectId(id)]).toEqual([0, true])
    expect(await store.insertProject(project)).toBeGreaterThan(id)
  })

  it('takes over a project number, and goes on behind it', async () => {
    const adopted = 4_500_000_000_000_000 + count
    const project = { organizationId, name: 'x', platform: '', now: 1 }
    expect(await store.insertProject({ ...project, id: adopted, slug: 'adopted' })).toBe(adopted)
    expect(await store.insertProject({ ...project, slug: 'next' })).toBeGreaterThan(adopted)
    expect(await store.project(organizationId, String(adopted))).toMatchObject({ slug: 'adopted' })
  })

  it('keeps tokens by hash, and gives nobody another organisation’s', async () => {
    const token = { organizationId, userId, name: 'ci', hash: `t${count}`, tail: 'abcd', scopes: SCOPES, now: 1 }
    const id = await store.insertToken({ ...token, expiresAt: 50 })
    await store.touchToken(id, 7)
    expect(await store.tokenByHash(`t${count}`)).toMatchObject({
      id,
      scopes: [...SCOPES],
      lastUsedAt: 7,
      expiresAt: 50,
      user: { id: userId, email: `u${count}@x.example`, name: 'Ü' },
    })
    expect(await store.token(organizationId, id)).toMatchObject({ id, tail: 'abcd' })
    expect(await store.token(organizationId + 1, id)).toBeNull()
    expect(await store.removeTokenOf(userId + 1, id)).toBe(false)
    expect(await store.removeToken(organizationId + 1, id)).toBe(false)
    expect(await store.tokens(organizationId)).toHaveLength(1)
    expect(await store.removeToken(organizationId, id)).toBe(true)
    expect(await store.tokenByHash(`t${count}`)).toBeNull()
    const next = await store.insertToken({ ...token, expiresAt: null })
    expect(await store.removeTokenOf(userId, next)).toBe(true)
    expect(await store.tokens(organizationId)).toEqual([])
  })

  it('ends a member’s tokens with the membership, in this organisation only', async () => {
    const slug = `second-${count}`
    const second = await store.insertOrganization({ slug, name: 'Second', retentionDays: 90, now: 1 })
    const email = `u${count}@x.example`
    const membership = { inviteHash: null, inviteExpiresAt: null, now: 1 }
    await store.insertMember({ organizationId: second.id, userId, email, role: 'admin', ...membership })
    const token = { userId, name: 'ci', tail: 'abcd', scopes: SCOPES, now: 1, expiresAt: null }
    await store.insertToken({ ...token, organizationId, hash: `here${count}` })
    await store.insertToken({ ...token, organizationId: second.id, hash: `there${count}` })
    await store.removeMember(organizationId, memberId)
    expect(await store.tokens(organizationId)).toEqual([])
    expect(await store.tokenByHash(`here${count}`)).toBeNull()
    expect(await store.tokenByHash(`there${count}`)).toMatchObject({ organizationId: second.id })
    // A row that was left behind opens nothing either.
    await store.insertToken({ ...token, organizationId, hash: `late${count}` })
    expect(await store.tokenByHash(`late${count}`)).toBeNull()
  })

  it('knows who is invited where, by whom, and who has been an owner for longest', async () => {
    const email = `Invited${count}@x.example`
    expect(await store.isInvited(email)).toBe(false)
    const invite = { role: 'viewer', inviteHash: `v${count}`, inviteExpiresAt: 9, now: 2, invitedBy: userId } as const
    const id = await store.insertMember({ organizationId, userId: null, email, ...invite })
    expect(await store.isInvited(email)).toBe(true)
    expect(await store.member(organizationId, id)).toMatchObject({ invitedBy: userId })
    const other = await store.insertUser({ email, name: '', passwordHash: 'h', now: 3 })
    await store.updateMember(id, { userId: other.id, role: 'owner', invitedBy: other.id })
    expect(await store.isInvited(email)).toBe(false)
    expect(await store.member(organizationId, id)).toMatchObject({ invitedBy: other.id })
    expect(await store.firstOwner(organizationId)).toMatchObject({ id: userId })
    await store.removeMember(organizationId, memberId)
    expect(await store.firstOwner(organizationId)).toMatchObject({ id: other.id })
    expect(await store.firstOwner(0)).toBeNull()
  })
})
