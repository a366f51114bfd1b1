import { join } from 'node:path'
import type { ServerParts } from '../../capability.ts'
import type { Route } from '../../http/index.ts'
import type { Bundles } from '../ledger/bundles.ts'
import type { Chunks } from '../ledger/chunks.ts'
import { createAssembleFiles } from './assemble-files.ts'
import { createAssemblingFiles } from './assembling-files.ts'
import { createDebugFileRoutes, type DebugFileParts } from './debug-files.routes.ts'
import { createDebugFileView } from './ledger/debug-file-view.ts'
import { createDebugFiles } from './ledger/debug-files.ts'
import { createTakeArchive } from './take-archive.ts'

export interface ServedDebugFiles {
  readonly routes: Route[]
  /** Goes on with what was begun. */
  readonly goOn: () => Promise<void>
  readonly forgetErrors: (before: number) => Promise<void>
  readonly end: () => void
  readonly forgetProject: (projectId: number, signal: AbortSignal) => Promise<void>
}

export const serveDebugFiles = (
  { blobs, clock, freeing, ledger, logger }: ServerParts,
  more: Pick<DebugFileParts, 'downloads' | 'projectOf' | 'reading'> & {
    readonly bundles: Pick<Bundles, 'keptBytes'>
    readonly chunks: Chunks
    readonly folder: string
    readonly finished: (organizationId: number) => void
  },
): ServedDebugFiles => {
  const { bundles, chunks, finished } = more
  const files = createDebugFiles({ ledger })
  const folder = join(more.folder, 'debug-files')
  const assembling = createAssemblingFiles({ ledger, blobs, files, bundles, chunks, folder, clock, logger, finished })
  return {
    routes: createDebugFileRoutes({
      ...more,
      view: createDebugFileView({ ledger }),
      assemble: createAssembleFiles({ files, bundles, chunks, assembling, clock }),
      takeArchive: createTakeArchive({ files, bundles, assembling, folder, clock }),
      remove: async (place, fileId) => {
        let isRemoved = false
        await freeing.after(async () => {
          isRemoved = await files.remove(place, fileId)
        })
        return isRemoved
      },
    }),
    goOn: assembling.goOn,
    end: assembling.end,
    forgetErrors: files.forgetErrors,
    forgetProject: async (projectId, signal) => {
      await freeing.after(async () => {
        while (!signal.aborted && (await files.removeOfProject(projectId)) > 0);
      })
    },
  }
}
