import { assembleDebugFiles, deleteDebugFile, listDebugFiles, uploadDebugFiles } from '@firsthand/contract'
import { badRequest, bind, notFound, readPage, toPage, type Route, type Upload } from '../../http/index.ts'
import type { FairQueue } from '../../lib/fair-queue.ts'
import { plainDebugId } from '../debug-id.ts'
import type { Downloads } from '../downloads.ts'
import type { ProjectOf } from '../projects-of.ts'
import type { AskedFile, FileAnswer } from './assemble-files.ts'
import { answerJson, debugFileJson } from './debug-file-json.ts'
import { idInName } from './identify/identify.ts'
import type { DebugFileView } from './ledger/debug-file-view.ts'
import type { DebugFile } from './ledger/debug-files.ts'

interface Place {
  readonly organizationId: number
  readonly projectId: number
}

export interface DebugFileParts {
  readonly view: DebugFileView
  readonly assemble: (place: Place, files: readonly AskedFile[]) => Promise<ReadonlyMap<string, FileAnswer>>
  readonly takeArchive: (place: Place, upload: Upload) => Promise<readonly DebugFile[]>
  readonly remove: (place: Place, fileId: number) => Promise<boolean>
  readonly downloads: Downloads
  /** In front of reading bodies with files. */
  readonly reading: FairQueue
  readonly projectOf: ProjectOf
}

/** Uploads of debug files, and what was uploaded. */
export const createDebugFileRoutes = (parts: DebugFileParts): Route[] => {
  const { assemble, downloads, projectOf, reading, remove, takeArchive, view } = parts
  return [
    bind(assembleDebugFiles, async ({ body, params, request }) => {
      const place = await projectOf(request.organization.id, params.project)
      const asked = Object.entries(body).map(([checksum, { chunks, debug_id: debugId, name }]) => ({
        checksum,
        name,
        saidId: saidIdOf(name, debugId),
        pieces: chunks,
      }))
      const answers = await assemble(place, asked)
      return { body: Object.fromEntries([...answers].map(([checksum, answer]) => [checksum, answerJson(answer)])) }
    }),

    bind(uploadDebugFiles, async ({ params, request }) => {
      const { caller, organization, upload } = request
      if (upload === null) throw badRequest('There is no form.')
      const place = await projectOf(organization.id, params.project)
      const leave = await reading.take({ organizationId: organization.id, caller: `user:${caller.user.id}` })
      try {
        return { body: (await takeArchive(place, upload)).map(debugFileJson), status: 201 }
      } finally {
        leave()
      }
    }),

    bind(listDebugFiles, async ({ params, query, request }) => {
      const place = await projectOf(request.organization.id, params.project)
      if (query.id !== undefined) {
        const file = await view.one(place, idOf(query.id))
        if (file === null || file.blob_key === null) throw notFound()
        return downloads.of({ blob_key: file.blob_key, bytes: file.bytes, url: file.name })
      }
      const asked = readPage(query)
      const debugIds = (query.debug_id ?? []).flatMap((text) => plainDebugId(text) ?? [])
      // Ids that are none find nothing, and not everything.
      if (query.debug_id !== undefined && query.debug_id.length > 0 && debugIds.length === 0) return { body: [] }
      const which = { text: query.query?.trim() ?? '', debugIds }
      const found = await view.list(place, which, { ...asked, limit: asked.limit + 1 })
      const { rows, page } = toPage(found, asked)
      return { body: rows.map(debugFileJson), page }
    }),

    bind(deleteDebugFile, async ({ params, query, request }) => {
      const place = await projectOf(request.organization.id, params.project)
      if (!(await remove(place, idOf(query.id)))) throw notFound()
      return { body: null }
    }),
  ]
}

/** A mapping is known by its name; any other file by what its sender says, should it carry no id itself. */
const saidIdOf = (name: string, debugId: string | null | undefined): string =>
  plainDebugId(idInName(name)) ?? plainDebugId(debugId) ?? ''

const idOf = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound()
  return Number(text)
}
