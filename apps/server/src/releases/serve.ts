import { livingProjects } from '../accounts/index.ts'
import type { Served, ServerParts } from '../capability.ts'
import { LIMITS as ARTIFACT_LIMITS } from '../artifacts/limits.ts'
import { frameResolverOf } from '../artifacts/resolve/index.ts'
import { createIssueReads } from '../issues/index.ts'
import { createCodeMappingRoutes } from './code-mappings.routes.ts'
import { createCommitterRoutes } from './committers.routes.ts'
import { createDeployRoutes } from './deploys.routes.ts'
import { createCodeMappings } from './ledger/code-mappings.ts'
import { createDeploys } from './ledger/deploys.ts'
import { createLedgerReleaseView } from './ledger/release-view.ts'
import { createRepositories } from './ledger/repositories.ts'
import { createMarkRoutes } from './marks.routes.ts'
import { releasesOfUploads } from './named-by-upload.ts'
import { createReleaseRoutes } from './releases.routes.ts'
import { createRepositoryRoutes } from './repositories.routes.ts'

export const serveReleases = (parts: ServerParts): Promise<Served> => {
  const { accounts, ask, clock, ledger } = parts
  const view = createLedgerReleaseView({ ledger })
  const repositories = createRepositories({ ledger })
  const mappings = createCodeMappings({ ledger })
  return Promise.resolve({
    routes: [
      ...createReleaseRoutes({ accounts, ask, view, ledger, clock, repositories }),
      ...createDeployRoutes({
        view,
        deploys: createDeploys({ ledger }),
        clock,
      }),
      ...createMarkRoutes({ ledger, clock, projects: livingProjects(ledger) }),
      ...createRepositoryRoutes({ repositories, clock }),
      ...createCodeMappingRoutes({ accounts, mappings, repositories, view, clock }),
      ...createCommitterRoutes({
        ...createIssueReads(parts),
        accounts,
        frames: frameResolverOf(parts, { mostBytes: ARTIFACT_LIMITS.PREPARED_HELD_FOR_READERS_BYTES }),
        view,
        repositories,
        mappings,
      }),
    ],
    knows: [releasesOfUploads(ledger)],
  })
}
