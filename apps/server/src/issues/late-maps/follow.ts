import type { CapabilityJob, ServerParts } from '../../capability.ts'
import { followFacts, type StoredFact } from '../../facts/index.ts'
import { NO_BUNDLE, noteLateUploads } from '../ledger/late-maps.ts'
import { LIMITS } from '../limits.ts'

/** Notes what was uploaded, so that the events from before are looked at once its maps are ready. */
export const createLateUploads = ({
  clock,
  ledger,
  live,
  logger,
}: Pick<ServerParts, 'clock' | 'ledger' | 'live' | 'logger'>): CapabilityJob =>
  followFacts({
    ledger,
    live,
    clock,
    logger,
    name: 'late maps',
    batch: LIMITS.LATE_MAPS_BATCH,
    take: (transaction, facts) => noteLateUploads(transaction, facts.flatMap(uploadedBy), clock.now()),
  })

const uploadedBy = ({ data, kind, organizationId, projectId }: StoredFact) => {
  if (projectId === null) return []
  if (kind === 'mapping_uploaded') return [{ organizationId, projectId, bundleId: NO_BUNDLE, release: '' }]
  return kind !== 'artifacts_uploaded'
    ? []
    : [{ organizationId, projectId, bundleId: data.bundleId, release: data.release ?? '' }]
}
