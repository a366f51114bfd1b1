import type { Served, ServerParts } from '../capability.ts'
import type { Announcement } from '../ingest/index.ts'
import { LIMITS as STORAGE_LIMITS } from '../storage/limits.ts'
import { SPAN_ITEMS, type SpanNews } from '../traces/index.ts'
import { behindFinding } from './behind.ts'
import { createFindingRoutes } from './findings.routes.ts'
import { createFindingSettings } from './ledger/finding-settings.ts'
import { createSightings } from './ledger/sightings.ts'
import { LIMITS } from './limits.ts'
import { createLook } from './look.ts'
import { createSlowdownLook } from './slowdown-look.ts'
import { createTracedSpans } from './telemetry/traced-spans.ts'
import { createTransactionHours } from './telemetry/transaction-hours.ts'

export const serveFindings = ({ accounts, client, clock, findings, ledger, logger, submit }: ServerParts): Served => {
  const spans = createTracedSpans({ client })
  const settings = createFindingSettings({ ledger, clock })
  const sightings = createSightings({ ledger })
  const look = createLook({ spans, settings, sightings, submit, clock, logger })
  const hours = createTransactionHours({ client })
  const slowdowns = createSlowdownLook({ hours, settings, sightings, submit, clock, logger })
  findings.watchAll(() => look.leftOut().map(behindFinding))
  return {
    routes: createFindingRoutes({ accounts, clock, settings, spans }),
    hear: {
      [SPAN_ITEMS]: ({ organizationId, projectId, data }: Announcement) => {
        look.hear({ organizationId, projectId }, data as SpanNews)
        slowdowns.hear({ organizationId, projectId }, data as SpanNews)
      },
    },
    jobs: [
      { name: 'findings', everyMs: LIMITS.FINDING_INTERVAL_MS, run: look.run },
      {
        name: 'slower transactions',
        everyMs: LIMITS.SLOWDOWN_INTERVAL_MS,
        isDue: slowdowns.isDue,
        run: slowdowns.run,
      },
      {
        name: 'findings that were not seen for long',
        everyMs: STORAGE_LIMITS.HOUSEKEEPING_INTERVAL_MS,
        byTheClock: true,
        run: () => sightings.forgetOld(clock.now()),
      },
    ],
  }
}
