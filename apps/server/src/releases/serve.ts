import type { Served, ServerParts } from '../capability.ts'
import { LIMITS as ARTIFACT_LIMITS } from '../artifacts/limits.ts'
import { frameResolverOf } from '../artifacts/resolve/index.ts'
import { createIssueReads } from '../issues/index.ts'
import { createCommitterRoutes } from './committers.routes.ts'
import { createDeployRoutes } from './deploys.routes.ts'
import { createDeploys } from './ledger/deploys.ts'
import { createLedgerReleaseView } from './ledger/release-view.ts'
import { createRepositories } from './ledger/repositories.ts'
import { releasesOfUploads } from './named-by-upload.ts'
import { createReleaseRoutes } from './releases.routes.ts'

export const serveReleases = (parts: ServerParts): Promise<Served> => {
  const { accounts, clock, ledger } = parts
  const view = createLedgerReleaseView({ ledger })
  const repositories = createRepositories({ ledger })
  return Promise.resolve({
    routes: [
      ...createReleaseRoutes({ accounts, view, ledger, clock }),
      ...createDeployRoutes({
        view,
        deploys: createDeploys({ ledger }),
        repositories,
        clock,
      }),
      ...createCommitterRoutes({
        ...createIssueReads(parts),
        accounts,
        frames: frameResolverOf(parts, ARTIFACT_LIMITS.PREPARED_HELD_FOR_READERS_BYTES),
        view,
        repositories,
      }),
    ],
    knows: [releasesOfUploads(ledger)],
  })
}
