import type { Route } from '../../http/index.ts'
import type { BlobFreeing } from '../../storage/blobs/freeing.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'
import type { Downloads } from '../downloads.ts'
import { createReleaseFiles } from '../ledger/release-files.ts'
import { LIMITS } from '../limits.ts'
import type { ProjectOf, ProjectsOf } from '../projects-of.ts'
import { createReceiving, type ReceivingParts } from './receive-file.ts'
import { createReleaseFileRoutes } from './release-files.routes.ts'

/** Files of releases that come one by one. */
export const serveReleaseFiles = (
  parts: Omit<ReceivingParts, 'files' | 'reading'> & {
    readonly freeing: Pick<BlobFreeing, 'after'>
    readonly downloads: Downloads
    readonly projectOf: ProjectOf
    readonly projectsOf: ProjectsOf
  },
): readonly Route[] => {
  const { downloads, freeing, ledger, projectOf, projectsOf } = parts
  const files = createReleaseFiles({ ledger })
  const reading = createFairQueue({
    running: LIMITS.RELEASE_FILES_READ,
    perOrganization: LIMITS.RELEASE_FILES_READ,
    perCaller: LIMITS.RELEASE_FILES_READ,
    waiting: LIMITS.UPLOADS_WAITING,
    waitingPerCaller: LIMITS.UPLOADS_WAITING,
    waitMs: LIMITS.UPLOAD_WAIT_MS,
  })
  return createReleaseFileRoutes({
    files,
    receive: createReceiving({ ...parts, files, reading }),
    remove: async (place, fileId) => {
      let isRemoved = false
      await freeing.after(async () => {
        isRemoved = await files.remove(place, fileId)
      })
      return isRemoved
    },
    downloads,
    projectOf,
    projectsOf,
  })
}
