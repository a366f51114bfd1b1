import { z } from './zod.ts'
import { user } from './accounts.ts'
import { avatar, date, displayName, email, empty, id, paging, projectFilter, slug, timeRange } from './common.ts'
import { endpoint } from './endpoint.ts'
import { bytesPerDay } from './projects.ts'
import { ROLES, SCOPES } from './scopes.ts'

export const organizationSummary = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  dateCreated: date,
  status: z.object({ id: z.string(), name: z.string() }),
  isEarlyAdopter: z.boolean(),
  require2FA: z.boolean(),
  requireEmailVerification: z.boolean(),
  features: z.array(z.string()),
  avatar,
  links: z.object({ organizationUrl: z.string(), regionUrl: z.string() }),
})

export const organization = organizationSummary.extend({
  retentionDays: z.number(),
  /** Null is what the installation allows, which is also the most. */
  bytesPerDay: bytesPerDay.nullable(),
  role: z.enum(ROLES),
  access: z.array(z.enum(SCOPES)),
})
export type Organization = z.output<typeof organization>

export const listOrganizations = endpoint({
  method: 'GET',
  path: '/organizations/',
  query: z.object({ ...paging }),
  ok: z.array(organizationSummary),
  summary: "The caller's organisations",
  scope: 'signed-in',
})

export const getOrganization = endpoint({
  method: 'GET',
  path: '/organizations/{org}/',
  ok: organization,
  summary: 'One organisation',
  scope: 'org:read',
})

export const RETENTION_DAYS_MIN = 1
export const RETENTION_DAYS_MAX = 3650

export const updateOrganization = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/',
  body: z.object({
    name: displayName.optional(),
    slug: slug.optional(),
    retentionDays: z.int().min(RETENTION_DAYS_MIN).max(RETENTION_DAYS_MAX).optional(),
    bytesPerDay: bytesPerDay.nullable().optional(),
  }),
  ok: organization,
  summary: 'Change name, slug or retention',
  scope: 'org:write',
})

export const member = z.object({
  id,
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  orgRole: z.enum(ROLES),
  /** Invited, not yet accepted. */
  pending: z.boolean(),
  expired: z.boolean(),
  dateCreated: date,
  /** Null while pending. */
  user: user.omit({ options: true }).nullable(),
  /** Slugs. */
  teams: z.array(z.string()),
})
export type Member = z.output<typeof member>

/** `inviteLink` is shown once: the server keeps only a hash of it. */
export const invitedMember = member.extend({ inviteLink: z.string() })

export const listMembers = endpoint({
  method: 'GET',
  path: '/organizations/{org}/members/',
  query: z.object({ query: z.string().max(200).optional(), ...paging }),
  ok: z.array(member),
  summary: 'Members and open invitations',
  scope: 'member:read',
})

export const getMember = endpoint({
  method: 'GET',
  path: '/organizations/{org}/members/{member}/',
  ok: member,
  summary: 'One member or open invitation',
  scope: 'member:read',
})

/** Sentry has one role more, `manager`, between owner and admin: it becomes `admin`. */
const orgRole = z.enum(ROLES).or(z.literal('manager').transform(() => 'admin' as const))

export const inviteMember = endpoint({
  method: 'POST',
  path: '/organizations/{org}/members/',
  body: z.object({
    email,
    role: z.enum(ROLES).optional(),
    orgRole: orgRole.optional(),
    teams: z.array(z.string().max(50)).max(100).optional(),
    /** As `teams`; teams have no roles here. */
    teamRoles: z
      .array(z.object({ teamSlug: z.string().max(50) }))
      .max(100)
      .optional(),
  }),
  ok: invitedMember,
  summary: 'Invite somebody; the answer holds the link to send them',
  scope: 'member:write',
})

export const renewInvitation = endpoint({
  method: 'POST',
  path: '/organizations/{org}/members/{member}/invite/',
  ok: invitedMember,
  summary: 'A new link for an open invitation; the old one stops working',
  scope: 'member:write',
})

export const updateMember = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/members/{member}/',
  body: z.object({ role: z.enum(ROLES).optional(), orgRole: orgRole.optional() }),
  ok: member,
  summary: "Change a member's role",
  scope: 'member:write',
})

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/members/{member}/',
  ok: empty,
  summary: 'Remove a member, or withdraw an invitation',
  scope: 'member:write',
})

/** For people with a session only: a token that may read must not be able to end somebody's membership. */
export const leaveOrganization = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/members/me/',
  ok: empty,
  summary: 'Leave the organisation; the last owner stays',
  scope: 'org:read',
})

export const team = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  dateCreated: date,
  /** Does the caller belong to it? */
  isMember: z.boolean(),
  hasAccess: z.boolean(),
  isPending: z.boolean(),
  avatar,
  memberCount: z.number(),
  projects: z.array(z.object({ id, slug: z.string(), name: z.string() })),
})
export type Team = z.output<typeof team>

export const listTeams = endpoint({
  method: 'GET',
  path: '/organizations/{org}/teams/',
  query: z.object({ ...paging }),
  ok: z.array(team),
  summary: 'Teams of an organisation',
  scope: 'team:read',
})

export const createTeam = endpoint({
  method: 'POST',
  path: '/organizations/{org}/teams/',
  body: z.object({ name: displayName.optional(), slug: slug.optional() }),
  ok: team,
  summary: 'Create a team',
  scope: 'team:write',
})

export const getTeam = endpoint({
  method: 'GET',
  path: '/teams/{org}/{team}/',
  ok: team,
  summary: 'One team',
  scope: 'team:read',
})

export const updateTeam = endpoint({
  method: 'PUT',
  path: '/teams/{org}/{team}/',
  body: z.object({ name: displayName.optional(), slug: slug.optional() }),
  ok: team,
  summary: 'Rename a team',
  scope: 'team:write',
})

export const deleteTeam = endpoint({
  method: 'DELETE',
  path: '/teams/{org}/{team}/',
  ok: empty,
  summary: 'Delete a team; its issues become unassigned',
  scope: 'team:write',
})

export const listTeamMembers = endpoint({
  method: 'GET',
  path: '/teams/{org}/{team}/members/',
  query: z.object({ ...paging }),
  ok: z.array(member),
  summary: 'Members of a team',
  scope: 'team:read',
})

export const addTeamMember = endpoint({
  method: 'POST',
  path: '/organizations/{org}/members/{member}/teams/{team}/',
  ok: team,
  summary: 'Put a member into a team',
  scope: 'team:write',
})

export const removeTeamMember = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/members/{member}/teams/{team}/',
  ok: team,
  summary: 'Take a member out of a team',
  scope: 'team:write',
})

export const apiToken = z.object({
  id,
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  tokenLastCharacters: z.string(),
  dateCreated: date,
  dateLastUsed: date.nullable(),
  dateExpires: date.nullable(),
  /** The token never does more than this person may do now, and ends when they leave. */
  createdBy: z.object({ id, name: z.string(), email: z.string() }),
  /** False: the token is from before makers were recorded, and was given to this owner of the organisation. */
  isMakerKnown: z.boolean(),
})
export type ApiToken = z.output<typeof apiToken>

export const listApiTokens = endpoint({
  method: 'GET',
  path: '/organizations/{org}/api-tokens/',
  ok: z.array(apiToken),
  summary: 'API tokens of an organisation',
  scope: 'org:read',
})

const newToken = z.object({
  name: displayName,
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
  /** Absent: the token does not expire. */
  expiresInDays: z.int().min(1).max(3650).optional(),
})

export const createApiToken = endpoint({
  method: 'POST',
  path: '/organizations/{org}/api-tokens/',
  body: newToken,
  /** `token` is shown once: the server keeps only a hash of it. */
  ok: apiToken.extend({ token: z.string() }),
  summary: 'Create an API token; the secret is in this answer only',
  scope: 'org:write',
})

export const deleteApiToken = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/api-tokens/{token}/',
  ok: empty,
  summary: 'Revoke an API token',
  scope: 'org:write',
})

export const listPersonalTokens = endpoint({
  method: 'GET',
  path: '/users/me/api-tokens/',
  ok: z.array(apiToken),
  summary: "One's own tokens that are of no organisation: they act for a person in all of theirs",
  scope: 'signed-in',
})

export const createPersonalToken = endpoint({
  method: 'POST',
  path: '/users/me/api-tokens/',
  body: newToken,
  /** `token` is shown once: the server keeps only a hash of it. */
  ok: apiToken.extend({ token: z.string() }),
  summary: 'Create a personal token; the secret is in this answer only',
  scope: 'signed-in',
})

export const environment = z.object({ id, name: z.string(), isHidden: z.boolean() })

export const listEnvironments = endpoint({
  method: 'GET',
  path: '/organizations/{org}/environments/',
  query: z.object({ ...projectFilter }),
  ok: z.array(environment),
  summary: 'Environments that were seen',
  scope: 'project:read',
})

/** Whose tags are meant: those of errors, unless it says otherwise. */
const dataset = z.string().max(40).default('errors')

export const listTags = endpoint({
  method: 'GET',
  path: '/organizations/{org}/tags/',
  query: z.object({ dataset, ...projectFilter, ...timeRange }),
  /** Of spans and the like: how often each is in a sample. */
  ok: z.array(z.object({ key: z.string(), name: z.string(), totalValues: z.number() })),
  summary: 'Tag keys that were seen, for search completion',
  scope: 'event:read',
})

export const listTagValuesOfOrganization = endpoint({
  method: 'GET',
  path: '/organizations/{org}/tags/{key}/values/',
  query: z.object({ query: z.string().max(200).optional(), dataset, ...projectFilter, ...timeRange, ...paging }),
  ok: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      value: z.string(),
      count: z.number(),
      firstSeen: date.nullable(),
      lastSeen: date.nullable(),
    }),
  ),
  summary: 'Values of one tag (or of release, environment, user.email, …), for search completion',
  scope: 'event:read',
})
