import { z } from './zod.ts'
import { date, displayName, empty, id, paging, platform, series, slug } from './common.ts'
import { endpoint } from './endpoint.ts'

const patterns = z.array(z.string().trim().min(1).max(400)).max(200)
const rules = z.string().max(20_000)

export const projectSettings = z.object({
  filters: z.object({
    browserExtensions: z.boolean(),
    localhost: z.boolean(),
    webCrawlers: z.boolean(),
    legacyBrowsers: z.boolean(),
    releases: patterns,
    errorMessages: patterns,
    ipAddresses: patterns,
  }),
  scrubbing: z.object({
    enabled: z.boolean(),
    defaults: z.boolean(),
    ipAddresses: z.boolean(),
    sensitiveFields: patterns,
    safeFields: patterns,
  }),
  grouping: z.object({ fingerprintRules: rules, stackTraceRules: rules, includeMessage: z.boolean() }),
  allowedDomains: patterns,
  /** Hold back events that come many times more often than usual. */
  spikeProtection: z.boolean(),
})
export type ProjectSettingsShape = z.output<typeof projectSettings>

/** Each part may be given alone, and each field of a part. */
export const projectSettingsChange = z.object({
  filters: projectSettings.shape.filters.partial().optional(),
  scrubbing: projectSettings.shape.scrubbing.partial().optional(),
  grouping: projectSettings.shape.grouping.partial().optional(),
  allowedDomains: patterns.optional(),
  spikeProtection: z.boolean().optional(),
})

const teamReference = z.object({ id, slug: z.string(), name: z.string() })

export const projectSummary = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  platform: z.string(),
  dateCreated: date,
  /** When the first event arrived; null while waiting for it. */
  firstEvent: date.nullable(),
  status: z.string(),
  isMember: z.boolean(),
  hasAccess: z.boolean(),
  isBookmarked: z.boolean(),
  features: z.array(z.string()),
  team: teamReference.nullable(),
  teams: z.array(teamReference),
})
export type ProjectSummary = z.output<typeof projectSummary>

export const project = projectSummary.extend({
  organization: z.object({ id, slug: z.string(), name: z.string() }),
  settings: projectSettings,
})
export type Project = z.output<typeof project>

export const listProjects = endpoint({
  method: 'GET',
  path: '/organizations/{org}/projects/',
  query: z.object({ query: z.string().max(200).optional(), ...paging }),
  /** `environments`: names that its events gave, in their order, the first `PROJECT_ENVIRONMENTS` of them. */
  ok: z.array(projectSummary.extend({ environments: z.array(z.string()) })),
  summary: 'Projects of an organisation',
  scope: 'project:read',
})

export const listAllProjects = endpoint({
  method: 'GET',
  path: '/projects/',
  query: z.object({ ...paging }),
  ok: z.array(projectSummary.extend({ organization: z.object({ id, slug: z.string(), name: z.string() }) })),
  summary: 'Projects of all organisations that the caller has a part in',
  scope: 'signed-in',
})

export const createProject = endpoint({
  method: 'POST',
  path: '/organizations/{org}/projects/',
  body: z.object({
    name: displayName,
    slug: slug.optional(),
    platform: platform.default(''),
    /** Slug of a team. */
    team: z.string().max(50).optional(),
  }),
  ok: project,
  summary: 'Create a project with its first key',
  scope: 'project:write',
})

export const listTeamProjects = endpoint({
  method: 'GET',
  path: '/teams/{org}/{team}/projects/',
  query: z.object({ ...paging }),
  ok: z.array(projectSummary),
  summary: 'Projects of a team',
  scope: 'project:read',
})

export const createTeamProject = endpoint({
  method: 'POST',
  path: '/teams/{org}/{team}/projects/',
  body: z.object({ name: displayName, slug: slug.optional(), platform: platform.default('') }),
  ok: project,
  summary: 'Create a project with its first key, for a team',
  scope: 'project:write',
})

export const getProject = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/',
  ok: project,
  summary: 'One project with its settings',
  scope: 'project:read',
})

export const updateProject = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/',
  body: z.object({
    name: displayName.optional(),
    slug: slug.optional(),
    platform: platform.optional(),
    settings: projectSettingsChange.optional(),
  }),
  ok: project,
  summary: 'Change name, slug, platform or settings',
  scope: 'project:write',
})

export const deleteProject = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/',
  ok: empty,
  summary: 'Delete a project with everything in it',
  scope: 'project:admin',
})

export const addTeamProject = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/teams/{team}/',
  ok: project,
  summary: 'Give a team a project',
  scope: 'project:write',
})

export const removeTeamProject = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/teams/{team}/',
  ok: project,
  summary: 'Take a project from a team',
  scope: 'project:write',
})

/** `window` in seconds, at most a day. */
export const rateLimit = z.object({ window: z.int().min(1).max(86_400), count: z.int().min(1).max(1_000_000_000) })

/** Bytes of accepted data, as byte quotas count them. */
export const bytesPerDay = z
  .int()
  .min(1_000_000)
  .max(2 ** 50)

export const projectKey = z.object({
  /** The public key, as in Sentry. */
  id,
  name: z.string(),
  label: z.string(),
  public: z.string(),
  secret: z.string(),
  projectId: z.number(),
  isActive: z.boolean(),
  rateLimit: rateLimit.nullable(),
  /** Null is the default of the installation. */
  bytesPerDay: bytesPerDay.nullable(),
  dsn: z.object({
    public: z.string(),
    secret: z.string(),
    csp: z.string(),
    security: z.string(),
    minidump: z.string(),
    nel: z.string(),
    unreal: z.string(),
    crons: z.string(),
    cdn: z.string(),
  }),
  dateCreated: date,
  dateLastUsed: date.nullable(),
})
export type ProjectKey = z.output<typeof projectKey>

export const listKeys = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/keys/',
  query: z.object({ ...paging }),
  ok: z.array(projectKey),
  summary: 'Client keys (DSNs) of a project',
  scope: 'project:read',
})

export const createKey = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/keys/',
  body: z.object({
    name: displayName.optional(),
    label: displayName.optional(),
    rateLimit: rateLimit.nullable().optional(),
    bytesPerDay: bytesPerDay.nullable().optional(),
  }),
  ok: projectKey,
  summary: 'Create a client key',
  scope: 'project:write',
})

export const getKey = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/keys/{key}/',
  ok: projectKey,
  summary: 'One client key',
  scope: 'project:read',
})

export const updateKey = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/keys/{key}/',
  body: z.object({
    name: displayName.optional(),
    label: displayName.optional(),
    isActive: z.boolean().optional(),
    rateLimit: rateLimit.nullable().optional(),
    bytesPerDay: bytesPerDay.nullable().optional(),
  }),
  ok: projectKey,
  summary: 'Rename, switch off or limit a client key',
  scope: 'project:write',
})

export const deleteKey = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/keys/{key}/',
  ok: empty,
  summary: 'Delete a client key; what is sent with it afterwards is refused',
  scope: 'project:write',
})

export const getProjectStats = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/stats/',
  query: z.object({
    stat: z.enum(['received', 'rejected', 'blacklisted', 'generated']).default('received'),
    /** Seconds since the epoch. */
    since: z.coerce.number<string | number>().optional(),
    until: z.coerce.number<string | number>().optional(),
    resolution: z.enum(['10s', '1h', '1d']).default('1h'),
  }),
  ok: series,
  summary: 'Events per hour or day (received, rejected, filtered)',
  scope: 'project:read',
})
