import {
  deleteProjectReleaseFile,
  deleteReleaseFile,
  getProjectReleaseFile,
  getReleaseFile,
  listProjectReleaseFiles,
  listReleaseFiles,
  uploadProjectReleaseFile,
  uploadReleaseFile,
} from '@firsthand/contract'
import { badRequest, bind, notFound, readPage, toPage, type Route, type Upload } from '../../http/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import type { Downloads } from '../downloads.ts'
import type { InRelease, ReleaseFile, ReleaseFiles } from '../ledger/release-files.ts'
import type { ProjectOf, ProjectsOf } from '../projects-of.ts'
import type { createReceiving } from './receive-file.ts'

interface ReleaseFileParts {
  readonly files: ReleaseFiles
  readonly receive: ReturnType<typeof createReceiving>
  readonly remove: (place: InRelease, fileId: number) => Promise<boolean>
  readonly downloads: Downloads
  readonly projectOf: ProjectOf
  readonly projectsOf: ProjectsOf
}

interface Asked {
  readonly params: { readonly version: string; readonly project?: string }
  readonly request: { readonly organization: { readonly id: number } }
}

/** Files of a release one by one, as sentry-cli 2 and older programs send, list and delete them. */
export const createReleaseFileRoutes = (parts: ReleaseFileParts): Route[] => {
  const { downloads, files, projectOf, projectsOf, receive, remove } = parts

  const placeOf = async ({ params, request }: Asked): Promise<InRelease> => {
    const organizationId = request.organization.id
    const { project, version: release } = params
    const projectId = project === undefined ? null : (await projectOf(organizationId, project)).projectId
    return { organizationId, projectId, release }
  }

  const list = async (
    asked: Asked & {
      readonly query: Parameters<typeof readPage>[0] & {
        readonly query?: string | undefined
        readonly checksum?: readonly string[] | undefined
      }
    },
  ) => {
    const page = readPage(asked.query)
    const which = { text: asked.query.query?.trim() ?? '', checksums: asked.query.checksum ?? [] }
    const found = await files.list(await placeOf(asked), which, { ...page, limit: page.limit + 1 })
    const { rows, page: links } = toPage([...found], page)
    return { body: rows.map(fileJson), page: links }
  }

  const upload = async (
    asked: Asked & { readonly request: { readonly upload: Upload | null; readonly caller: { user: { id: number } } } },
  ) => {
    const { caller, upload: form } = asked.request
    if (form === null) throw badRequest('There is no form.')
    const place = await placeOf(asked)
    const [only] = place.projectId === null ? await projectsOf(place.organizationId, []) : [place.projectId]
    if (only === undefined) throw notFound()
    const row = await receive({ ...place, projectId: only }, form, `user:${caller.user.id}`)
    return { body: fileJson(row), status: 201 }
  }

  const one = async (
    asked: Asked & {
      readonly params: { readonly file: string }
      readonly query: { readonly download?: string | undefined }
    },
  ) => {
    const row = await files.file(await placeOf(asked), idOf(asked.params.file))
    if (row === null) throw notFound()
    return asked.query.download === undefined ? { body: fileJson(row) } : downloads.of(row)
  }

  const away = async (asked: Asked & { readonly params: { readonly file: string } }) => {
    if (!(await remove(await placeOf(asked), idOf(asked.params.file)))) throw notFound()
    return { body: null }
  }

  return [
    bind(listReleaseFiles, list),
    bind(listProjectReleaseFiles, list),
    bind(uploadReleaseFile, upload),
    bind(uploadProjectReleaseFile, upload),
    bind(getReleaseFile, one),
    bind(getProjectReleaseFile, one),
    bind(deleteReleaseFile, away),
    bind(deleteProjectReleaseFile, away),
  ]
}

const idOf = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound()
  return Number(text)
}

const fileJson = (row: ReleaseFile) => ({
  id: String(row.id),
  name: row.url,
  dist: row.dist === '' ? null : row.dist,
  headers: headersOf(row),
  size: row.bytes,
  sha1: row.sha1,
  dateCreated: toDate(row.uploaded_at),
})

/** As programs read them, who look for the map of a file among them. */
const headersOf = ({ debug_id: debugId, headers, source_map: sourceMap }: ReleaseFile): Record<string, string> => ({
  ...(JSON.parse(headers) as Record<string, string>),
  ...(debugId !== null && { 'debug-id': debugId }),
  ...(sourceMap !== null && { sourcemap: sourceMap }),
})
