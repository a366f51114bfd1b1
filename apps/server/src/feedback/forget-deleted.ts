import type { CapabilityJob, ServerParts } from '../capability.ts'
import { followFacts } from '../facts/index.ts'
import { forgetAttachments } from '../kept-items/index.ts'
import { LIMITS } from './limits.ts'
import { forgetReportRows } from './telemetry/report-rows.ts'

interface DeletedReports {
  readonly organizationId: number
  readonly projectId: number
  readonly eventIds: readonly string[]
  /** Of those with which files came: another one may have the id of an error, whose files are none of its own. */
  readonly withFiles: readonly string[]
}

/** What telemetry has of reports that are gone: what is counted of them, and the files that came with them. */
export const forgetRest = async (
  client: ServerParts['client'],
  { eventIds, organizationId, projectId, withFiles }: DeletedReports,
): Promise<void> => {
  const place = { organizationId, projectId }
  if (eventIds.length > 0) await forgetReportRows(client, { ...place, eventIds })
  if (withFiles.length > 0) await forgetAttachments(client, { ...place, eventIds: withFiles })
}

/**
 * Whoever deletes a report forgets the rest of it at once, but may be killed before; and a report may be deleted before that
 * is written. So that it goes all the same, this forgets it once more, when all that was received before the deletion is
 * stored.
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
        if (kind !== 'reports_deleted' || projectId === null) continue
        const { eventIds = [], withFiles = [] } = data
        await forgetRest(client, { organizationId, projectId, eventIds, withFiles })
      }
    },
    take: async () => {},
  })
