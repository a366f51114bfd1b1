import {
  assembleBundle,
  assembleReleaseFiles,
  deleteArtifactBundle,
  deleteSourceMaps,
  getArtifactBundleFile,
  getUploadOptions,
  listArtifactBundleFiles,
  listArtifactBundles,
  listSourceMaps,
  uploadChunks,
  type Assembled,
} from '@firsthand/contract'
import { badRequest, bind, notFound, readPage, toPage, type Route } from '../http/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { FairQueue } from '../lib/fair-queue.ts'
import { toDate } from '../lib/instant-text.ts'
import type { Asked } from './assemble.ts'
import type { Downloads } from './downloads.ts'
import type { Removed } from './ledger/bundle-removal.ts'
import type { BundleView } from './ledger/bundle-view.ts'
import type { Bundle } from './ledger/bundles.ts'
import type { Chunks } from './ledger/chunks.ts'
import { LIMITS } from './limits.ts'
import type { ProjectOf, ProjectsOf } from './projects-of.ts'
import { takeChunks } from './upload/chunk-upload.ts'

export interface ArtifactParts {
  readonly chunks: Chunks
  readonly view: BundleView
  readonly assemble: (asked: Asked) => Promise<Assembled>
  readonly remove: (place: { organizationId: number; projectId: number }, which: Removed) => Promise<number>
  readonly downloads: Downloads
  /** In front of reading bodies with files. */
  readonly reading: FairQueue
  readonly projectOf: ProjectOf
  readonly projectsOf: ProjectsOf
  readonly clock: Clock
}

/** How files are to be sent. Not `zstd`, and nothing that is not stored. */
const optionsAt = (url: string) => ({
  url,
  chunkSize: LIMITS.UPLOAD_CHUNK_BYTES,
  chunksPerRequest: LIMITS.UPLOAD_CHUNKS_PER_REQUEST,
  maxFileSize: LIMITS.UPLOAD_FILE_BYTES,
  maxRequestSize: LIMITS.UPLOAD_REQUEST_BYTES,
  concurrency: LIMITS.UPLOAD_CONCURRENCY,
  hashAlgorithm: 'sha1',
  compression: ['gzip'],
  accept: [
    'release_files',
    'sources',
    'artifact_bundles',
    'artifact_bundles_v2',
    'debug_files',
    'pdbs',
    'portablepdbs',
    'proguard',
  ],
})

/** Uploads of artifacts, and what was uploaded. */
export const createArtifactRoutes = (parts: ArtifactParts): Route[] => [...uploads(parts), ...uploaded(parts)]

const uploads = ({ assemble, chunks, clock, projectsOf, reading }: ArtifactParts): Route[] => [
  bind(getUploadOptions, ({ request }) => ({
    body: optionsAt(`${request.publicUrl}/api/0/organizations/${request.organization.slug}/chunk-upload/`),
  })),

  bind(uploadChunks, async ({ request }) => {
    const { caller, organization, upload } = request
    if (upload === null) throw badRequest('There is no form.')
    const leave = await reading.take({ organizationId: organization.id, caller: `user:${caller.user.id}` })
    try {
      await takeChunks(chunks, organization.id, upload, clock.now())
    } finally {
      leave()
    }
    return { body: {} }
  }),

  bind(assembleBundle, async ({ body, request }) => {
    const organizationId = request.organization.id
    const projectIds = await projectsOf(organizationId, body.projects)
    const release = body.version ?? ''
    const dist = body.dist ?? ''
    if (dist !== '' && release === '') throw badRequest('A dist belongs to a release: send version with it.')
    const { checksum, chunks: pieces } = body
    return { body: await assemble({ organizationId, checksum, pieces, projectIds, release, dist }) }
  }),

  bind(assembleReleaseFiles, async ({ body, params, request }) => {
    const organizationId = request.organization.id
    const projectIds = await projectsOf(organizationId, body.projects ?? [])
    const { checksum, chunks: pieces } = body
    const asked = { organizationId, checksum, pieces, projectIds, release: params.version, dist: body.dist ?? '' }
    return { body: await assemble(asked) }
  }),
]

const uploaded = ({ downloads, projectOf, remove, view }: ArtifactParts): Route[] => {
  const bundleOf = async (organizationId: number, project: string, bundle: string): Promise<Bundle> => {
    const place = await projectOf(organizationId, project)
    const found = await view.bundle(place, idOf(bundle))
    return found ?? notThere()
  }

  return [
    bind(listArtifactBundles, async ({ params, query, request }) => {
      const place = await projectOf(request.organization.id, params.project)
      const asked = readPage(query)
      const which = { text: query.query?.trim() ?? '', release: query.release ?? null }
      const found = await view.list(place, which, { ...asked, limit: asked.limit + 1 })
      const { rows, page } = toPage(found, asked)
      return { body: rows.map(bundleJson), page }
    }),

    bind(deleteArtifactBundle, async ({ params, query, request }) => {
      const place = await projectOf(request.organization.id, params.project)
      if ((await remove(place, { bundleId: idOf(query.bundleId) })) === 0) notThere()
      return { body: null }
    }),

    bind(listArtifactBundleFiles, async ({ params, query, request }) => {
      const bundle = await bundleOf(request.organization.id, params.project, params.bundle)
      const asked = readPage(query)
      const found = await view.files(bundle, query.query?.trim() ?? '', { ...asked, limit: asked.limit + 1 })
      const { rows, page } = toPage(found, asked)
      const files = rows.map((row) => ({
        id: String(row.id),
        filePath: row.url,
        fileType: row.type,
        fileSize: row.bytes,
        debugId: row.debug_id,
        sourcemap: row.source_map,
        isReady: row.kind === 'source_map' ? row.prepared_key !== null : null,
        detail: row.map_error,
      }))
      return { body: { ...bundleJson(bundle), files }, page }
    }),

    bind(getArtifactBundleFile, async ({ params, request }) => {
      const bundle = await bundleOf(request.organization.id, params.project, params.bundle)
      const file = await view.file(bundle, idOf(params.file))
      return downloads.of(file ?? notThere())
    }),

    bind(listSourceMaps, async ({ params, query, request }) => {
      const place = await projectOf(request.organization.id, params.project)
      const asked = readPage(query)
      const found = await view.releases(place, query.query?.trim() ?? '', { ...asked, limit: asked.limit + 1 })
      const { rows, page } = toPage(found, asked)
      const body = rows.map(({ release, uploadedAt, files, bytes }) => ({
        type: 'release' as const,
        id: release,
        name: release,
        date: toDate(uploadedAt),
        fileCount: files,
        size: bytes,
      }))
      return { body, page }
    }),

    bind(deleteSourceMaps, async ({ params, query, request }) => {
      const place = await projectOf(request.organization.id, params.project)
      if ((await remove(place, { release: query.name })) === 0) notThere()
      return { body: null }
    }),
  ]
}

const notThere = (): never => {
  throw notFound()
}

const idOf = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : notThere())

const bundleJson = (bundle: Bundle) => ({
  bundleId: String(bundle.id),
  associations: [{ release: bundle.release_version || null, dist: bundle.dist || null }],
  date: toDate(bundle.uploaded_at),
  fileCount: bundle.files,
  size: bundle.bytes,
  state: bundle.state,
  detail: bundle.error,
})
