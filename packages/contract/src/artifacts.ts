import { z } from './zod.ts'
import { date, empty, id, paging } from './common.ts'
import { endpoint } from './endpoint.ts'

/** What builds upload: source maps and minified code, in the calls of sentry-cli and of the bundlers' plugins. */

export const sha1 = z.string().regex(/^[0-9a-f]{40}$/, 'A SHA-1 is 40 lower-case hexadecimal characters.')

/** Pieces of the largest file that is taken, each as large as the server says. */
export const UPLOAD_CHUNKS_MAX = 256

const version = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^/\\\n\r\t]+$/, 'The name of a release has no slash, backslash, tab or line break.')
const dist = z.string().max(64)

/** How files are to be sent: read by clients before each upload. */
export const uploadOptions = z.object({
  url: z.string(),
  chunkSize: z.number(),
  chunksPerRequest: z.number(),
  maxFileSize: z.number(),
  maxRequestSize: z.number(),
  concurrency: z.number(),
  hashAlgorithm: z.string(),
  compression: z.array(z.string()),
  accept: z.array(z.string()),
})

export const getUploadOptions = endpoint({
  method: 'GET',
  path: '/organizations/{org}/chunk-upload/',
  ok: uploadOptions,
  summary: 'How files are to be sent: sizes, packing, and what is taken',
  scope: 'project:releases',
  forBuilds: true,
})

export const uploadChunks = endpoint({
  method: 'POST',
  path: '/organizations/{org}/chunk-upload/',
  upload: true,
  ok: z.object({}),
  summary: 'Pieces of files, each named by its SHA-1: parts `file`, or `file_gzip` for packed ones',
  scope: 'project:releases',
  forBuilds: true,
})

const assembled = z.object({
  state: z.enum(['not_found', 'created', 'assembling', 'ok', 'error']),
  missingChunks: z.array(z.string()),
  detail: z.string().nullable(),
})
export type Assembled = z.output<typeof assembled>

const chunked = { checksum: sha1, chunks: z.array(sha1).max(UPLOAD_CHUNKS_MAX) }

export const assembleBundle = endpoint({
  method: 'POST',
  path: '/organizations/{org}/artifactbundle/assemble/',
  body: z.object({
    ...chunked,
    /** Slugs or numeric ids. */
    projects: z
      .array(z.union([z.string().min(1).max(64), z.int().transform(String)]))
      .min(1)
      .max(100),
    version: version.nullish(),
    dist: dist.nullish(),
  }),
  ok: assembled,
  summary: 'Makes a bundle of artifacts of uploaded pieces; says which of them are missing',
  scope: 'project:releases',
  forBuilds: true,
})

export const assembleReleaseFiles = endpoint({
  method: 'POST',
  path: '/organizations/{org}/releases/{version}/assemble/',
  body: z.object({
    ...chunked,
    projects: z
      .array(z.union([z.string().min(1).max(64), z.int().transform(String)]))
      .max(100)
      .optional(),
    dist: dist.nullish(),
  }),
  ok: assembled,
  summary: 'The same for the files of one release, as older programs do it',
  scope: 'project:releases',
  forBuilds: true,
})

const bundle = z.object({
  bundleId: id,
  associations: z.array(z.object({ release: z.string().nullable(), dist: z.string().nullable() })),
  date,
  fileCount: z.number(),
  /** Bytes of all its files. */
  size: z.number(),
  state: z.enum(['assembling', 'ok', 'error']),
  /** What is wrong with it, for `error`. */
  detail: z.string().nullable(),
})
export type ArtifactBundle = z.output<typeof bundle>

export const listArtifactBundles = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/files/artifact-bundles/',
  query: z.object({
    ...paging,
    query: z.string().max(200).optional(),
    /** This one alone, by its whole name. */
    release: z.string().max(200).optional(),
  }),
  ok: z.array(bundle),
  summary: 'Bundles of artifacts of a project, newest first; query is a part of a release, or a debug id',
  scope: 'project:read',
})

export const deleteArtifactBundle = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/files/artifact-bundles/',
  query: z.object({ bundleId: z.string().max(20) }),
  ok: empty,
  summary: 'Deletes a bundle with its files; what was uploaded before for the same addresses counts again',
  scope: 'project:releases',
})

const bundleFile = z.object({
  id,
  filePath: z.string(),
  fileType: z.string(),
  fileSize: z.number(),
  debugId: z.string().nullable(),
  sourcemap: z.string().nullable(),
  /** Of a source map: whether frames are looked up in it by now; null of any other file. */
  isReady: z.boolean().nullable(),
  /** Why a source map cannot be used. */
  detail: z.string().nullable(),
})

export const listArtifactBundleFiles = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/artifact-bundles/{bundle}/files/',
  query: z.object({ ...paging, query: z.string().max(200).optional() }),
  ok: bundle.extend({ files: z.array(bundleFile) }),
  summary: 'Files of a bundle; query is a part of an address, or a debug id',
  scope: 'project:read',
})

export const getArtifactBundleFile = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/artifact-bundles/{bundle}/files/{file}/',
  ok: empty,
  summary: 'One file of a bundle, to be saved',
  scope: 'project:read',
})

export const listSourceMaps = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/files/source-maps/',
  query: z.object({ ...paging, query: z.string().max(200).optional() }),
  ok: z.array(
    z.object({ type: z.literal('release'), id, name: z.string(), date, fileCount: z.number(), size: z.number() }),
  ),
  summary: 'Releases of a project that have files, newest upload first',
  scope: 'project:read',
})

export const deleteSourceMaps = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/files/source-maps/',
  query: z.object({ name: z.string().min(1).max(200) }),
  ok: empty,
  summary: 'Deletes all files of a release in a project',
  scope: 'project:releases',
})

export const SITE_MAP_HOSTS_MAX = 50

const siteMapSettings = z.object({
  enabled: z.boolean(),
  /** `shop.example`, `*.shop.example`, with a scheme or port if need be. */
  hosts: z.array(z.string().min(1).max(300)).max(SITE_MAP_HOSTS_MAX),
})
export type SiteMapSettings = z.output<typeof siteMapSettings>

export const getSiteMapSettings = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/site-maps/',
  ok: siteMapSettings,
  summary: 'Whether source maps that nobody uploaded are fetched from the sites of a project, and from which',
  scope: 'project:read',
})

export const updateSiteMapSettings = endpoint({
  method: 'PUT',
  path: '/projects/{org}/{project}/site-maps/',
  body: siteMapSettings,
  ok: siteMapSettings,
  summary: 'Changes whether source maps that nobody uploaded are fetched from the sites of a project, and from which',
  scope: 'project:write',
})

const releaseFile = z.object({
  id,
  name: z.string(),
  dist: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  size: z.number(),
  sha1: z.string(),
  dateCreated: date,
})

const releaseFilesQuery = z.object({
  ...paging,
  query: z.string().max(200).optional(),
  checksum: z.array(sha1).max(100).optional(),
})
/** `1` for the file itself. */
const releaseFileQuery = z.object({ download: z.string().max(8).optional() })

export const listReleaseFiles = endpoint({
  method: 'GET',
  path: '/organizations/{org}/releases/{version}/files/',
  query: releaseFilesQuery,
  ok: z.array(releaseFile),
  summary: 'Files of a release, by name; query is a part of it, checksum a SHA-1',
  scope: 'project:read',
  forBuilds: true,
})

export const listProjectReleaseFiles = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/releases/{version}/files/',
  query: releaseFilesQuery,
  ok: z.array(releaseFile),
  summary: 'The same for one project',
  scope: 'project:read',
  forBuilds: true,
})

export const uploadReleaseFile = endpoint({
  method: 'POST',
  path: '/organizations/{org}/releases/{version}/files/',
  upload: true,
  ok: releaseFile,
  summary:
    'One file of a release, a form: `file`, and `name` (its address), `dist`, and `header` any number of times (201)',
  scope: 'project:releases',
  forBuilds: true,
})

export const uploadProjectReleaseFile = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/releases/{version}/files/',
  upload: true,
  ok: releaseFile,
  summary: 'The same for one project, as older programs do it',
  scope: 'project:releases',
  forBuilds: true,
})

export const getReleaseFile = endpoint({
  method: 'GET',
  path: '/organizations/{org}/releases/{version}/files/{file}/',
  query: releaseFileQuery,
  ok: releaseFile,
  summary: 'What is known of a file of a release; with `download=1` the file, to be saved',
  scope: 'project:read',
})

export const getProjectReleaseFile = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/releases/{version}/files/{file}/',
  query: releaseFileQuery,
  ok: releaseFile,
  summary: 'The same for one project',
  scope: 'project:read',
})

export const deleteReleaseFile = endpoint({
  method: 'DELETE',
  path: '/organizations/{org}/releases/{version}/files/{file}/',
  ok: empty,
  summary: 'Deletes a file of a release, for all projects that have it',
  scope: 'project:releases',
})

export const deleteProjectReleaseFile = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/releases/{version}/files/{file}/',
  ok: empty,
  summary: 'The same at the address of a project',
  scope: 'project:releases',
})
