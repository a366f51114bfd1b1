import { notFound } from '../http/index.ts'
import { dsnsOf } from './dsn.ts'
import { OWN_ORGANIZATION } from './own-project.ts'
import type { ApiToken, Member, Membership, Organization, Project, ProjectKey, Team, User } from './model.ts'
import { ROLE_SCOPES } from './roles.ts'
import type { Role, Scope } from './roles.ts'
import { readPreferences, readProjectSettings } from './settings-json.ts'
import { toDate } from '../lib/instant-text.ts'

/** The nouns of this slice in the shapes of the contract, which `bind` compares them with. */

/** @throws HttpError 404: what is no number is nobody's id */
export const idOf = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw notFound()
  return Number(text)
}

export const toDateOrNull = (instant: number | null): string | null => (instant === null ? null : toDate(instant))

const LETTERS = { avatarType: 'letter_avatar', avatarUuid: null }

const person = (user: Omit<User, 'passwordHash' | 'preferences'>) => ({
  id: String(user.id),
  email: user.email,
  name: user.name,
  username: user.email,
  dateJoined: toDate(user.createdAt),
  lastLogin: toDateOrNull(user.lastLoginAt),
})

export const userJson = (user: User) => ({ ...person(user), options: readPreferences(user.preferences) })

export const organizationSummaryJson = (organization: Omit<Organization, 'retentionDays'>, publicUrl: string) => ({
  id: String(organization.id),
  slug: organization.slug,
  name: organization.name,
  dateCreated: toDate(organization.createdAt),
  status: { id: 'active', name: 'active' },
  isEarlyAdopter: false,
  require2FA: false,
  requireEmailVerification: false,
  features: [],
  avatar: LETTERS,
  // Sentry's MCP server refuses a region without TLS, and goes on at the address that it was given when it gets none.
  links: { organizationUrl: publicUrl, regionUrl: publicUrl.startsWith('https:') ? publicUrl : '' },
})

export const organizationJson = (
  organization: Organization,
  caller: { readonly role: Role; readonly scopes: ReadonlySet<Scope> },
  publicUrl: string,
) => ({
  ...organizationSummaryJson(organization, publicUrl),
  retentionDays: organization.retentionDays,
  bytesPerDay: organization.bytesPerDay,
  role: caller.role,
  access: [...caller.scopes],
})

const isOwn = ({ organization }: Membership): boolean => organization.slug === OWN_ORGANIZATION.slug

export const sessionJson = (
  user: User | null,
  memberships: readonly Membership[],
  csrfToken: string | null,
  setupNeeded: boolean,
) => ({
  user: user === null ? null : userJson(user),
  // Where Firsthand reports to itself is nobody's first thing to see.
  organizations: memberships
    .toSorted((a, b) => Number(isOwn(a)) - Number(isOwn(b)))
    .map(({ organization, role }) => ({
      id: String(organization.id),
      slug: organization.slug,
      name: organization.name,
      role,
      access: [...ROLE_SCOPES[role]],
    })),
  csrfToken,
  setupNeeded,
})

export const memberJson = (member: Member, now: number) => ({
  id: String(member.id),
  email: member.email,
  name: member.user?.name ?? '',
  role: member.role,
  orgRole: member.role,
  pending: member.user === null,
  expired: member.user === null && (member.inviteExpiresAt ?? 0) <= now,
  dateCreated: toDate(member.createdAt),
  user: member.user === null ? null : person(member.user),
  teams: [...member.teams],
})

export const teamJson = (team: Team, memberId: number) => ({
  id: String(team.id),
  slug: team.slug,
  name: team.name,
  dateCreated: toDate(team.createdAt),
  isMember: team.memberIds.includes(memberId),
  hasAccess: true,
  isPending: false,
  avatar: LETTERS,
  memberCount: team.memberIds.length,
  projects: team.projects.map(({ id, slug, name }) => ({ id: String(id), slug, name })),
})

export const tokenJson = (token: ApiToken) => ({
  id: String(token.id),
  name: token.name,
  scopes: [...token.scopes],
  tokenLastCharacters: token.tail,
  dateCreated: toDate(token.createdAt),
  dateLastUsed: toDateOrNull(token.lastUsedAt),
  dateExpires: toDateOrNull(token.expiresAt),
  createdBy: { ...token.user, id: String(token.user.id) },
  isMakerKnown: token.isMakerKnown,
})

export const projectSummaryJson = (project: Project) => {
  const teams = project.teams.map(({ id, slug, name }) => ({ id: String(id), slug, name }))
  return {
    id: String(project.id),
    slug: project.slug,
    name: project.name,
    platform: project.platform,
    dateCreated: toDate(project.createdAt),
    firstEvent: toDateOrNull(project.firstEventAt),
    status: 'active',
    isMember: true,
    hasAccess: true,
    isBookmarked: false,
    features: [],
    team: teams[0] ?? null,
    teams,
  }
}

export const projectJson = (
  project: Project,
  organization: { readonly id: number; readonly slug: string; readonly name: string },
) => {
  const { filters, scrubbing, grouping, allowedDomains, spikeProtection } = readProjectSettings(project.settings)
  return {
    ...projectSummaryJson(project),
    organization: { id: String(organization.id), slug: organization.slug, name: organization.name },
    settings: {
      filters: {
        ...filters,
        releases: [...filters.releases],
        errorMessages: [...filters.errorMessages],
        ipAddresses: [...filters.ipAddresses],
      },
      scrubbing: {
        ...scrubbing,
        sensitiveFields: [...scrubbing.sensitiveFields],
        safeFields: [...scrubbing.safeFields],
      },
      grouping: { ...grouping },
      allowedDomains: [...allowedDomains],
      spikeProtection,
    },
  }
}

export const keyJson = (key: ProjectKey, publicUrl: string) => ({
  id: key.publicKey,
  name: key.label,
  label: key.label,
  public: key.publicKey,
  secret: key.publicKey,
  projectId: key.projectId,
  isActive: key.active,
  rateLimit: key.rateLimit === null ? null : { window: key.rateLimit.windowSeconds, count: key.rateLimit.count },
  bytesPerDay: key.bytesPerDay,
  dsn: dsnsOf(publicUrl, key.publicKey, key.projectId),
  dateCreated: toDate(key.createdAt),
  dateLastUsed: toDateOrNull(key.lastUsedAt),
})
