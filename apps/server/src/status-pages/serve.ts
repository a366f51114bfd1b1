import type { Served, ServerParts } from '../capability.ts'
import { createIncidents } from './ledger/incidents.ts'
import { createPages } from './ledger/pages.ts'
import { LIMITS } from './limits.ts'
import { createPageFiles } from './page-files.ts'
import { createPublish } from './publish.ts'
import { createStatusPages } from './serve-page.ts'
import { createStatusPageRoutes } from './status-pages.routes.ts'

export const serveStatusPages = ({ accounts, clock, config, keyFor, ledger, logger, url }: ServerParts): Served => {
  const pages = createPages({ ledger, organizations: accounts.store })
  const incidents = createIncidents({ ledger })
  const files = createPageFiles(config.dataDir)
  const publish = createPublish({
    pages,
    incidents,
    files,
    key: keyFor('status pages'),
    logger,
    now: clock.now,
    publicUrl: url,
  })
  return {
    routes: createStatusPageRoutes({ pages, incidents, publish, clock }),
    pages: createStatusPages(files),
    jobs: [{ name: 'status pages', everyMs: LIMITS.STATUS_INTERVAL_MS, run: publish.all }],
  }
}
