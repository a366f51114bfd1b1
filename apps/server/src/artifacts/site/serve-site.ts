import type { CapabilityJob, ServerParts } from '../../capability.ts'
import type { Route } from '../../http/index.ts'
import { createOutgoing } from '../../lib/outgoing.ts'
import type { ArtifactParts } from '../artifacts.routes.ts'
import type { Bundles } from '../ledger/bundles.ts'
import { fetchedBeyond } from '../ledger/fetched-bundles.ts'
import { createSiteFiles } from '../ledger/site-files.ts'
import { readSiteSettings } from '../ledger/site-settings.ts'
import { LIMITS } from '../limits.ts'
import { createSiteFetching } from './fetch-maps.ts'
import { createSiteRoutes } from './site.routes.ts'

interface Served {
  readonly routes: Route[]
  readonly job: CapabilityJob
  readonly end: () => void
}

/** Source maps of sites, in the main process. */
export const serveSite = (
  { blobs, clock, config, ledger, logger }: Pick<ServerParts, 'blobs' | 'clock' | 'config' | 'ledger' | 'logger'>,
  more: Pick<ArtifactParts, 'projectOf' | 'remove'> & {
    readonly bundles: Bundles
    readonly finished: (organizationId: number) => void
  },
): Served => {
  const { bundles, projectOf, remove } = more
  const ending = new AbortController()
  const run = createSiteFetching({
    ledger,
    files: createSiteFiles({ ledger }),
    settings: (projectId) => readSiteSettings(ledger.db, projectId),
    bundles,
    blobs,
    outgoing: createOutgoing({ allowedRanges: config.reachableRanges }),
    clock,
    logger,
    finished: async (organizationId, projectId) => {
      for (const bundleId of await fetchedBeyond(ledger, projectId)) {
        await remove({ organizationId, projectId }, { bundleId })
      }
      more.finished(organizationId)
    },
    ending: ending.signal,
  })
  return {
    routes: createSiteRoutes({ ledger, projectOf }),
    job: { name: 'source maps of sites', everyMs: LIMITS.SITE_FETCH_INTERVAL_MS, run },
    end: () => ending.abort(),
  }
}
