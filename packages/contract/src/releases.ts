import { z } from './zod.ts'
import { date, empty, environmentFilter, flag, id, paging, projectFilter, scopeQuery, series } from './common.ts'
import { endpoint } from './endpoint.ts'

/** Releases, what is in them and where they run, in the calls of sentry-cli and of the bundlers' plugins. */

const deploy = z.object({
  id,
  environment: z.string(),
  name: z.string().nullable(),
  url: z.string().nullable(),
  dateStarted: date.nullable(),
  dateFinished: date,
})

const commitAuthor = z.object({ name: z.string(), email: z.string() })

const commit = z.object({
  /** As the repository calls it: its hash. */
  id,
  message: z.string().nullable(),
  dateCreated: date.nullable(),
  repository: z.object({ name: z.string() }).nullable(),
  author: commitAuthor.nullable(),
})

const linkedCommit = commit.extend({
  /** Its page, where the repository has an address. */
  link: z.string().nullable(),
})

export /** What sessions say of a release in a project, as Sentry's API says it. */
const healthData = z.object({
  hasHealthData: z.boolean(),
  /** Seconds. */
  durationP50: z.number().nullable(),
  durationP90: z.number().nullable(),
  /** Shares in percent. */
  crashFreeUsers: z.number().nullable(),
  crashFreeSessions: z.number().nullable(),
  totalUsers: z.number().nullable(),
  totalUsers24h: z.number().nullable(),
  totalProjectUsers24h: z.number().nullable(),
  totalSessions: z.number().nullable(),
  totalSessions24h: z.number().nullable(),
  totalProjectSessions24h: z.number().nullable(),
  adoption: z.number().nullable(),
  sessionsAdoption: z.number().nullable(),
  sessionsCrashed: z.number(),
  sessionsErrored: z.number(),
  /** By the period that is asked for: when each step begins, and what was in it. */
  stats: z.record(z.string(), series),
})

const release = z.object({
  id,
  version: z.string(),
  shortVersion: z.string(),
  status: z.enum(['open', 'archived']),
  ref: z.string().nullable(),
  url: z.string().nullable(),
  dateCreated: date,
  dateStarted: date.nullable(),
  dateReleased: date.nullable(),
  /** Null for a release that no event has named yet. */
  firstEvent: date.nullable(),
  lastEvent: date.nullable(),
  newGroups: z.number(),
  /** Issues that were resolved and came back in it. */
  regressedGroups: z.number(),
  commitCount: z.number(),
  lastCommit: commit.nullable(),
  authors: z.array(commitAuthor),
  deployCount: z.number(),
  lastDeploy: deploy.nullable(),
  /** Of each environment in which nothing newer of its projects runs: its deploy there, the newest first. */
  currentDeploys: z.array(deploy),
  versionInfo: z.object({
    /** What stands before the `@`. */
    package: z.string().nullable(),
    version: z.object({
      raw: z.string(),
      /** These are null where the name is no version. */
      major: z.number().nullable(),
      minor: z.number().nullable(),
      patch: z.number().nullable(),
      pre: z.string().nullable(),
      buildCode: z.string().nullable(),
      components: z.number().nullable(),
    }),
    description: z.string(),
    /** Of a name that is the hash of a build. */
    buildHash: z.string().nullable(),
  }),
  projects: z.array(
    z.object({
      id,
      slug: z.string(),
      name: z.string(),
      platform: z.string(),
      platforms: z.array(z.string()),
      newGroups: z.number(),
      /** With `health=1`. */
      hasHealthData: z.boolean().optional(),
      healthData: healthData.optional(),
    }),
  ),
  /** By the slug of its projects, of those in which somebody runs it; with `adoptionStages=1`. */
  adoptionStages: z
    .record(
      z.string(),
      z.object({
        stage: z.enum(['low_adoption', 'adopted', 'replaced']),
        adopted: date.nullable(),
        unadopted: date.nullable(),
      }),
    )
    .optional(),
})
export type Release = z.output<typeof release>

/** Periods of which health is told. */
const statsPeriodName = z.enum(['1h', '24h', '1d', '48h', '2d', '7d', '14d', '30d', '90d'])
export type StatsPeriodName = z.output<typeof statsPeriodName>

const healthQuery = {
  health: flag().optional(),
  adoptionStages: flag().optional(),
  /** Of the totals and shares; 14d when it is not named. */
  summaryStatsPeriod: statsPeriodName.optional(),
  /** Of the steps; 24h when it is not named. */
  healthStatsPeriod: statsPeriodName.optional(),
  healthStat: z.enum(['sessions', 'users']).optional(),
  /** Of which sessions health is told. */
  ...environmentFilter,
}

const listQuery = {
  ...healthQuery,
  query: z.string().max(250).optional(),
  status: z.enum(['open', 'archived', '']).optional(),
  ...paging,
}

export const listReleases = endpoint({
  method: 'GET',
  path: '/organizations/{org}/releases/',
  query: z.object({ ...listQuery, ...projectFilter }),
  ok: z.array(release),
  summary: 'Releases, newest first; with `health=1` and `adoptionStages=1` what sessions say of them',
  scope: 'project:read',
  forBuilds: true,
})

export const getRelease = endpoint({
  method: 'GET',
  path: '/organizations/{org}/releases/{version}/',
  query: z.object(healthQuery),
  ok: release,
  summary: 'One release; with `health=1` and `adoptionStages=1` what sessions say of it',
  scope: 'project:read',
  forBuilds: true,
})

export const listProjectReleases = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/releases/',
  query: z.object(listQuery),
  ok: listReleases.ok,
  summary: 'Releases of one project',
  scope: 'project:read',
  forBuilds: true,
})

export const getProjectRelease = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/releases/{version}/',
  query: z.object(healthQuery),
  ok: release,
  summary: 'One release of the project',
  scope: 'project:read',
  forBuilds: true,
})

/** Clients write nanoseconds and offsets; what is no instant is refused by name. */
const instant = z
  .string()
  .max(64)
  .refine((text) => !Number.isNaN(Date.parse(text)), 'Write an instant like 2026-11-27T09:00:00Z.')
  .transform((text) => Date.parse(text))

export const webAddress = z
  .string()
  .max(2048)
  .regex(/^https?:\/\/\S+$/i, 'An address begins with http:// or https://.')

/** Slugs or numeric ids. */
const projects = z.array(z.union([z.string().min(1).max(64), z.int().transform(String)])).max(100)

/** What clients send of a commit; longer texts are cut. */
const newCommit = z.object({
  id: z.string().min(1).max(64),
  repository: z.string().max(200).nullish(),
  message: z.string().nullish(),
  author_name: z.string().max(200).nullish(),
  author_email: z.string().max(254).nullish(),
  timestamp: instant.nullish(),
  patch_set: z
    .array(z.object({ path: z.string().max(1024), type: z.string().max(8).nullish() }))
    .max(5000)
    .nullish(),
})
export type NewCommit = z.output<typeof newCommit>

const fields = {
  url: webAddress.nullish(),
  ref: z.string().max(250).nullish(),
  dateStarted: instant.nullish(),
  dateReleased: instant.nullish(),
  /** Takes back that it was released. */
  isReleased: z.literal(false).optional(),
  status: z.enum(['open', 'archived']).nullish(),
  /** In their order, the newest first; they take the place of those that the release had. */
  commits: z.array(newCommit).max(1000).nullish(),
  /** The newest commit of each repository. */
  refs: z
    .array(
      z.object({
        repository: z.string().min(1).max(200),
        commit: z.string().min(1).max(64),
        previousCommit: z.string().max(64).nullish(),
      }),
    )
    .max(100)
    .nullish(),
  projects: projects.nullish(),
}

const newRelease = z.object({ version: z.string().max(250), ...fields })
const changedRelease = z.object(fields)
export type ReleaseFields = z.output<typeof changedRelease>

export const createRelease = endpoint({
  method: 'POST',
  path: '/organizations/{org}/releases/',
  body: newRelease,
  ok: release,
  summary: 'Makes a release (201), or changes what is named of one that is there (208)',
  scope: 'project:releases',
  forBuilds: true,
})

export const createProjectRelease = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/releases/',
  body: newRelease,
  ok: release,
  summary: 'The same for one project',
  scope: 'project:releases',
  forBuilds: true,
})

export const updateRelease = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/releases/{version}/',
  body: changedRelease,
  ok: release,
  summary: 'Changes what is named of a release; commits take the place of those it had',
  scope: 'project:releases',
  forBuilds: true,
})

export const updateProjectRelease = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/releases/{version}/',
  body: changedRelease,
  ok: release,
  summary: 'The same at the address of a project',
  scope: 'project:releases',
  forBuilds: true,
})

export const deleteRelease = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/releases/{version}/',
  ok: empty,
  summary: 'Deletes a release that no event has named; one that has events is archived instead',
  scope: 'project:releases',
})

export const deleteProjectRelease = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/releases/{version}/',
  ok: empty,
  summary: 'The same at the address of a project',
  scope: 'project:releases',
})

export const listReleaseCommits = endpoint({
  method: 'GET',
  path: '/organizations/{org}/releases/{version}/commits/',
  query: z.object(paging),
  ok: z.array(linkedCommit),
  summary: 'Commits of a release, newest first',
  scope: 'project:read',
  forBuilds: true,
})

export const listProjectReleaseCommits = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/releases/{version}/commits/',
  query: z.object(paging),
  ok: z.array(linkedCommit),
  summary: 'The same at the address of a project',
  scope: 'project:read',
  forBuilds: true,
})

export const getPreviousRelease = endpoint({
  method: 'GET',
  path: '/organizations/{org}/releases/{version}/previous-with-commits/',
  ok: z.union([release, z.object({})]),
  summary: 'The newest release before this one that has commits; without any, an empty object',
  scope: 'project:read',
  forBuilds: true,
})

const suspect = linkedCommit.extend({
  /** What it changed, as the repository calls it; where the stack is in it, and the line as the release was built. */
  file: z.string(),
  line: z.number().nullable(),
  fileLink: z.string().nullable(),
  /** Parts of the file's path and of the frame's that are the same, from their ends. */
  equalParts: z.number(),
})
export type SuspectCommit = z.output<typeof suspect>

export const getEventCommitters = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/events/{event}/committers/',
  ok: z.object({ committers: z.array(z.object({ author: commitAuthor.nullable(), commits: z.array(suspect) })) }),
  summary: 'Commits of the release in which the issue began that changed what threw; none where that is a guess',
  scope: 'event:read',
})

export const listDeploys = endpoint({
  method: 'GET',
  path: '/organizations/{org}/releases/{version}/deploys/',
  query: z.object(paging),
  ok: z.array(deploy),
  summary: 'Where a release runs, newest first',
  scope: 'project:read',
  forBuilds: true,
})

export const createDeploy = endpoint({
  method: 'POST',
  path: '/organizations/{org}/releases/{version}/deploys/',
  body: z.object({
    environment: z.string().trim().min(1).max(64),
    name: z.string().max(64).nullish(),
    url: webAddress.nullish(),
    dateStarted: instant.nullish(),
    dateFinished: instant.nullish(),
    projects: projects.nullish(),
  }),
  ok: deploy,
  summary: 'Notes that a release runs in an environment from now on',
  scope: 'project:releases',
  forBuilds: true,
})

const releaseMark = z.object({
  version: z.string(),
  shortVersion: z.string(),
  /** Where it runs since; null where nobody told of a deploy: it was released then, else first seen. */
  environment: z.string().nullable(),
  date,
})
export type ReleaseMark = z.output<typeof releaseMark>

export const listReleaseMarks = endpoint({
  method: 'GET',
  path: '/organizations/{org}/release-marks/',
  query: z.object(scopeQuery),
  ok: z.array(releaseMark),
  summary: 'When releases began to run, for charts of the same time: by their deploys, else by their day',
  scope: 'project:read',
})
