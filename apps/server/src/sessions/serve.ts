import { livingProjects } from '../accounts/index.ts'
import type { Served, ServerParts } from '../capability.ts'
import type { Announcement } from '../ingest/index.ts'
import { createReleaseNaming } from './name-releases.ts'
import { SESSION_COUNT_ITEMS } from './session-count-items.ts'
import { SESSION_ITEMS } from './session-items.ts'
import { createSessionRoutes } from './sessions.routes.ts'
import { createSessionCounter } from './telemetry/count-sessions.ts'

export const serveSessions = ({ client, clock, ledger, logger }: ServerParts): Served => {
  const nameReleases = createReleaseNaming({ ledger, clock, logger })
  const hear = (news: Announcement): void => void nameReleases(news)
  return {
    routes: createSessionRoutes({ sessions: createSessionCounter(client), projects: livingProjects(ledger), clock }),
    hear: { [SESSION_ITEMS]: hear, [SESSION_COUNT_ITEMS]: hear },
  }
}
