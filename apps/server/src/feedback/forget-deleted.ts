import type { CapabilityJob, ServerParts } from '../capability.ts'
import { followFacts } from '../facts/index.ts'
import { LIMITS } from './limits.ts'
import { forgetReportRows } from './telemetry/report-rows.ts'

/**
 * Whoever deletes a report forgets what is counted of it at once, but may be killed before; and a report may be deleted before
 * its row is written. So that the row goes all the same, this forgets it once more, when all that was received before the
 * deletion is stored.
 */
export const createForgetDeleted = ({
  client,
  clock,
  ledger,
  live,
  logger,
  settled,
}: Pick<ServerParts, 'client' | 'clock' | 'ledger' | 'live' | 'logger' | 'settled'>): CapabilityJob =>
  followFacts({
    ledger,
    live,
    clock,
    logger,
    name: 'deleted reports',
    batch: LIMITS.FORGOTTEN_REPORTS_BATCH,
    settledUntil: () => settled.until(),
    // Deleting twice does no harm, and the position moves after it.
    prepare: async (facts) => {
      for (const { data, kind, organizationId, projectId } of facts) {
        if (kind !== 'reports_deleted' || projectId === null || data.eventIds === undefined) continue
        if (data.eventIds.length === 0) continue
        await forgetReportRows(client, { organizationId, projectId, eventIds: data.eventIds })
      }
    },
    take: async () => {},
  })
