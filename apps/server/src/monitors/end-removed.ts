import type { CapabilityJob, ServerParts } from '../capability.ts'
import { followFacts } from '../facts/index.ts'
import { endIssuesOf } from './ledger/removed-environments.ts'
import { LIMITS } from './limits.ts'
import './monitor-facts.ts'

/**
 * Whoever removes an environment that fails resolves its issue with it. What had failed may still be on its way then, and
 * opens the issue after that: so this resolves it once more, when all that was received before is digested.
 */
export const createEndRemoved = ({
  changed,
  clock,
  ledger,
  live,
  logger,
  settled,
}: Pick<ServerParts, 'clock' | 'ledger' | 'live' | 'logger' | 'settled'> & {
  /** Issues are others than they were. */
  readonly changed: (organizationId: number, projectId: number) => void
}): CapabilityJob =>
  followFacts({
    ledger,
    live,
    clock,
    logger,
    name: 'removed environments of monitors',
    batch: LIMITS.MONITOR_REMOVALS_BATCH,
    settledUntil: () => settled.until(),
    take: async (transaction, facts) => {
      for (const { data, kind, organizationId, projectId } of facts) {
        if (kind !== 'monitor_environments_removed' || projectId === null) continue
        const place = { organizationId, projectId, now: clock.now() }
        const areOver = await endIssuesOf(transaction, ledger, place, data)
        if (areOver) changed(organizationId, projectId)
      }
    },
  })
