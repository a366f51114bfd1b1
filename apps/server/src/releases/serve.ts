import type { Served, ServerParts } from '../capability.ts'
import { createDeployRoutes } from './deploys.routes.ts'
import { createDeploys } from './ledger/deploys.ts'
import { createLedgerReleaseView } from './ledger/release-view.ts'
import { createRepositories } from './ledger/repositories.ts'
import { releasesOfUploads } from './named-by-upload.ts'
import { createReleaseRoutes } from './releases.routes.ts'

export const serveReleases = ({ accounts, clock, ledger }: ServerParts): Promise<Served> => {
  const view = createLedgerReleaseView({ ledger })
  return Promise.resolve({
    routes: [
      ...createReleaseRoutes({ accounts, view, ledger, clock }),
      ...createDeployRoutes({
        view,
        deploys: createDeploys({ ledger }),
        repositories: createRepositories({ ledger }),
        clock,
      }),
    ],
    knows: [releasesOfUploads(ledger)],
  })
}
