import type { ApiToken, Member, Membership, Organization, Project, ProjectKey, Session, Team, User } from './model.ts'
import type { KeyContext, RateLimit } from './settings.ts'
import type { Role, Scope } from './roles.ts'

export interface PageRequest {
  readonly offset: number
  readonly limit: number
}

/**
 * PORT: accounts in the ledger. Single rows, because people change one thing at a time. Whatever belongs to an
 * organisation is asked for with the organisation's id and is `null` (or false) when it is another's.
 *
 * Slugs, e-mails and public keys are unique. Callers look first, in the same transaction.
 */
export interface AccountStore {
  /** All of `work` or nothing. Only the given store may be used inside. It may run more than once. */
  transaction<Value>(work: (store: AccountStore) => Promise<Value>): Promise<Value>

  hasUsers(): Promise<boolean>
  /** Notes that the first owner is made. False when that was noted before: two set-ups must not both succeed. */
  claimSetup(now: number): Promise<boolean>

  userById(id: number): Promise<User | null>
  userByEmail(email: string): Promise<User | null>
  insertUser(user: { email: string; name: string; passwordHash: string; now: number }): Promise<User>
  updateUser(
    id: number,
    change: {
      email?: string | undefined
      name?: string | undefined
      passwordHash?: string | undefined
      preferences?: string | undefined
      lastLoginAt?: number | undefined
    },
  ): Promise<void>

  insertSession(session: Session): Promise<void>
  session(hash: string, now: number): Promise<{ session: Session; user: User } | null>
  touchSession(hash: string, lastSeenAt: number, expiresAt: number): Promise<void>
  removeSession(hash: string): Promise<void>
  sessionsOf(userId: number, now: number): Promise<Session[]>
  /** Ends the person's sessions, but for one when given. */
  removeSessionsOf(userId: number, except: string | null): Promise<void>
  removeExpiredSessions(now: number): Promise<number>

  organization(id: number): Promise<Organization | null>
  organizationBySlug(slug: string): Promise<Organization | null>
  /** The oldest. Null when there is none. */
  firstOrganization(): Promise<Organization | null>
  insertOrganization(organization: {
    slug: string
    name: string
    retentionDays: number
    now: number
  }): Promise<Organization>
  updateOrganization(
    id: number,
    change: {
      slug?: string | undefined
      name?: string | undefined
      retentionDays?: number | undefined
      bytesPerDay?: number | null | undefined
    },
  ): Promise<void>
  memberships(userId: number): Promise<Membership[]>
  /** By slug or numeric id. */
  membership(userId: number, reference: string): Promise<Membership | null>

  members(organizationId: number, query: string, page: PageRequest): Promise<Member[]>
  countMembers(organizationId: number): Promise<number>
  countOwners(organizationId: number): Promise<number>
  member(organizationId: number, id: number): Promise<Member | null>
  memberByEmail(organizationId: number, email: string): Promise<Member | null>
  memberByInvite(inviteHash: string): Promise<Member | null>
  /** Is there an invitation to this address that nobody accepted, in any organisation? Expired ones count: they may be renewed. */
  isInvited(email: string): Promise<boolean>
  /** Of the owners the one who has been there for longest. Null when there is none. */
  firstOwner(organizationId: number): Promise<NonNullable<Member['user']> | null>
  insertMember(member: {
    organizationId: number
    userId: number | null
    email: string
    role: Role
    inviteHash: string | null
    inviteExpiresAt: number | null
    /** Who invites. */
    invitedBy?: number | undefined
    now: number
  }): Promise<number>
  updateMember(
    id: number,
    change: {
      role?: Role | undefined
      userId?: number | undefined
      email?: string | undefined
      inviteHash?: string | null | undefined
      inviteExpiresAt?: number | null | undefined
      invitedBy?: number | undefined
    },
  ): Promise<void>
  /** Also takes the member out of teams, unassigns the person's issues and ends their tokens in this organisation. */
  removeMember(organizationId: number, id: number): Promise<void>

  teams(organizationId: number, page: PageRequest): Promise<Team[]>
  countTeams(organizationId: number): Promise<number>
  /** By slug or numeric id. */
  team(organizationId: number, reference: string): Promise<Team | null>
  insertTeam(team: { organizationId: number; slug: string; name: string; now: number }): Promise<number>
  updateTeam(id: number, change: { slug?: string | undefined; name?: string | undefined }): Promise<void>
  removeTeam(id: number): Promise<void>
  teamMembers(teamId: number, page: PageRequest): Promise<Member[]>
  addTeamMember(teamId: number, memberId: number): Promise<void>
  removeTeamMember(teamId: number, memberId: number): Promise<void>
  addTeamProject(teamId: number, projectId: number): Promise<void>
  removeTeamProject(teamId: number, projectId: number): Promise<void>

  projects(organizationId: number, query: string, page: PageRequest): Promise<Project[]>
  countProjects(organizationId: number): Promise<number>
  /** By slug or numeric id. Deleted projects are not found. */
  project(organizationId: number, reference: string): Promise<Project | null>
  /** Is the number in use in any organisation, by a deleted project too? */
  hasProjectId(id: number): Promise<boolean>
  insertProject(project: {
    /** Only when an existing DSN is adopted. */
    id?: number | undefined
    organizationId: number
    slug: string
    name: string
    platform: string
    now: number
  }): Promise<number>
  updateProject(
    id: number,
    change: {
      slug?: string | undefined
      name?: string | undefined
      platform?: string | undefined
      settings?: string | undefined
    },
  ): Promise<void>
  /** Marks it as deleted, frees its slug, and removes its keys and its teams; its data is removed later. */
  removeProject(id: number, now: number): Promise<void>

  keys(projectId: number, page: PageRequest): Promise<ProjectKey[]>
  countKeys(projectId: number): Promise<number>
  key(projectId: number, publicKey: string): Promise<ProjectKey | null>
  /** Of whichever project. */
  keyContext(
    publicKey: string,
  ): Promise<(Omit<KeyContext, 'settings'> & { readonly settings: string; readonly lastUsedAt: number | null }) | null>
  projectContext(projectId: number): Promise<{ organizationId: number; settings: string; platform: string } | null>
  insertKey(key: {
    projectId: number
    publicKey: string
    label: string
    rateLimit: RateLimit | null
    bytesPerDay?: number | null
    now: number
  }): Promise<void>
  updateKey(
    id: number,
    change: {
      label?: string | undefined
      active?: boolean | undefined
      rateLimit?: RateLimit | null | undefined
      bytesPerDay?: number | null | undefined
    },
  ): Promise<void>
  touchKey(id: number, now: number): Promise<void>
  removeKey(id: number): Promise<void>

  tokens(organizationId: number): Promise<ApiToken[]>
  token(organizationId: number, id: number): Promise<ApiToken | null>
  /** A person's own, newest first; `personalToken` is null for those of others and of organisations. */
  personalTokens(userId: number): Promise<ApiToken[]>
  personalToken(userId: number, id: number): Promise<ApiToken | null>
  /** Null as well when the maker is not in the organisation any more. */
  tokenByHash(hash: string): Promise<ApiToken | null>
  insertToken(token: {
    /** Null: a personal token. */
    organizationId: number | null
    userId: number
    name: string
    hash: string
    tail: string
    scopes: readonly Scope[]
    now: number
    expiresAt: number | null
    /** The token that was used to make it, with which it ends. */
    madeByToken?: number | null
  }): Promise<number>
  touchToken(id: number, now: number): Promise<void>
  removeToken(organizationId: number, id: number): Promise<boolean>
  /** Of the maker, in whichever organisation. */
  removeTokenOf(userId: number, id: number): Promise<boolean>
}
