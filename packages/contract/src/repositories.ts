import { z } from './zod.ts'
import { date, empty, id, paging, projectFilter } from './common.ts'
import { endpoint } from './endpoint.ts'
import { webAddress } from './releases.ts'

/** Repositories by configuration: no host is ever asked, addresses of its pages are only made. */

/** Whose addresses a repository has; `other`: those that are written out. */
export const REPOSITORY_HOSTS = ['github', 'gitlab', 'gitea', 'bitbucket', 'other'] as const
export type RepositoryHost = (typeof REPOSITORY_HOSTS)[number]

/** Where the hash of a commit, the path of a file and the number of a line go in an address. */
export const COMMIT_PLACE = '{commit}'
export const PATH_PLACE = '{path}'
export const LINE_PLACE = '{line}'

const repository = z.object({
  id,
  name: z.string(),
  url: z.string().nullable(),
  /** What it was said to be; null: told by its address. */
  host: z.enum(REPOSITORY_HOSTS).nullable(),
  /** Of `other`: the page of a commit, and of a line. */
  commitUrl: z.string().nullable(),
  lineUrl: z.string().nullable(),
  /** Whether addresses of its pages can be made. */
  hasLinks: z.boolean(),
  provider: z.object({ id: z.string(), name: z.string() }),
  status: z.literal('active'),
  dateCreated: date,
})
export type Repository = z.output<typeof repository>

/** Everybody who sees the repository sees them. In CIs, what `git remote` says often holds a token. */
const publicAddress = webAddress.refine(
  (url) => !/^https?:[/\\]+[^/\\?#]*@/i.test(url),
  'Write the address without a name or a password before its host: everybody who sees the repository sees them.',
)

const repositoryLinks = {
  host: z.enum(REPOSITORY_HOSTS).nullish(),
  commitUrl: publicAddress
    .refine((url) => url.includes(COMMIT_PLACE), `Write ${COMMIT_PLACE} where the hash of the commit goes.`)
    .nullish(),
  lineUrl: publicAddress
    .refine((url) => url.includes(PATH_PLACE), `Write ${PATH_PLACE} where the path of the file goes.`)
    .nullish(),
}
const repositoryName = z.string().trim().min(1).max(200)

export const listRepositories = endpoint({
  method: 'GET',
  path: '/organizations/{org}/repos/',
  query: z.object({ query: z.string().max(200).optional(), ...paging }),
  ok: z.array(repository),
  summary: 'Repositories that commits can be of',
  scope: 'org:read',
  forBuilds: true,
})

export const createRepository = endpoint({
  method: 'POST',
  path: '/organizations/{org}/repos/',
  body: z.object({ name: repositoryName, url: publicAddress.nullish(), ...repositoryLinks }),
  ok: repository,
  summary: 'Adds a repository by its name, as sentry-cli calls it: owner/name',
  scope: 'org:write',
})

export const updateRepository = endpoint({
  method: 'PUT',
  path: '/organizations/{org}/repos/{repository}/',
  body: z.object({ name: repositoryName.optional(), url: publicAddress.nullish(), ...repositoryLinks }),
  ok: repository,
  summary: 'Changes what is named of a repository: its name, its address, and how its pages are addressed',
  scope: 'org:write',
})

export const deleteRepository = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/repos/{repository}/',
  ok: empty,
  summary: 'Takes a repository off the list, with its code mappings; commits that name it stay',
  scope: 'org:write',
})

const root = z.string().max(1024)
const branch = z.string().trim().min(1).max(250)

const codeMapping = z.object({
  id,
  projectId: id,
  projectSlug: z.string(),
  projectName: z.string(),
  repoId: id,
  repoName: z.string(),
  integrationId: z.null(),
  provider: z.object({ key: z.string(), name: z.string(), slug: z.string() }),
  stackRoot: z.string(),
  sourceRoot: z.string(),
  defaultBranch: z.string(),
  /** Address of a line, with `{path}` and `{line}` in it; null where the repository has none. */
  lineUrl: z.string().nullable(),
  /** The newest commit of the release that was asked for, which the address is of; null: it is of the branch. */
  commit: z.string().nullable(),
})
export type CodeMapping = z.output<typeof codeMapping>

export const listCodeMappings = endpoint({
  method: 'GET',
  path: '/organizations/{org}/code-mappings/',
  query: z.object({ ...projectFilter, release: z.string().max(250).optional(), ...paging }),
  ok: z.array(codeMapping),
  summary: 'Which files of stacks are which files of repositories, by project',
  scope: 'project:read',
})

export const createCodeMapping = endpoint({
  method: 'POST',
  path: '/organizations/{org}/code-mappings/',
  body: z.object({
    projectId: z.union([z.string(), z.number()]).transform(String),
    repositoryId: z.union([z.string(), z.number()]).transform(String),
    stackRoot: root,
    sourceRoot: root,
    defaultBranch: branch.default('main'),
  }),
  ok: codeMapping,
  summary: 'Says where files of stacks are; one of the same project and stack root takes the place of the one before',
  scope: 'project:write',
})

export const deleteCodeMapping = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/code-mappings/{codeMapping}/',
  ok: empty,
  summary: 'Takes a code mapping away',
  scope: 'project:write',
})

export const MAPPINGS_PER_CALL = 300

/** Of a stack root and where it is in the repository; the `sentry` program writes its keys with underscores. */
const newMapping = z.union([
  z.object({ stackRoot: root, sourceRoot: root }),
  z
    .object({ stack_root: root, source_root: root })
    .transform(({ stack_root: stackRoot, source_root: sourceRoot }) => ({ stackRoot, sourceRoot })),
])

export const createCodeMappings = endpoint({
  method: 'POST',
  path: '/organizations/{org}/code-mappings/bulk/',
  body: z.object({
    project: z.string().min(1).max(200),
    repository: repositoryName,
    defaultBranch: branch.nullish(),
    default_branch: branch.nullish(),
    mappings: z.array(newMapping).min(1).max(MAPPINGS_PER_CALL),
  }),
  ok: z.object({
    created: z.number(),
    updated: z.number(),
    errors: z.number(),
    mappings: z.array(
      z.object({ stackRoot: z.string(), sourceRoot: z.string(), status: z.enum(['created', 'updated', 'error']) }),
    ),
  }),
  summary:
    'The same for many at once, as `sentry-cli code-mappings upload` does; a repository that is not there is added',
  scope: 'project:releases',
  forBuilds: true,
})

/** Fills in the address of a line. Where no line is known, the part of the page that names it is left out. */
export const fillLineUrl = (template: string, path: string, line: number | null): string => {
  const file = path.split('/').map(encodeURIComponent).join('/')
  const whole = line === null ? template.replace(/#.*$/s, '') : template
  return whole.replaceAll(PATH_PLACE, () => file).replaceAll(LINE_PLACE, String(line ?? 1))
}
