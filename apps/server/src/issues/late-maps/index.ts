import type { CapabilityJob, ServerParts } from '../../capability.ts'
import type { FrameResolver } from '../../artifacts/resolve/index.ts'
import type { EventView } from '../events.view.ts'
import { LIMITS } from '../limits.ts'
import type { IssuesChanged } from '../services.ts'
import { createLateUploads } from './follow.ts'
import { createLookBack } from './look-back.ts'

/** Notes uploads, and looks at the events that came before them. */
export const createLateMapJobs = (
  parts: ServerParts,
  more: {
    /** As they are stored. */
    readonly events: Pick<EventView, 'load'>
    readonly frames: FrameResolver
    readonly changed: (change: IssuesChanged) => void
  },
): readonly CapabilityJob[] => {
  const { accounts, client, clock, ledger, logger } = parts
  return [
    createLateUploads(parts),
    {
      name: 'maps that came late',
      everyMs: LIMITS.LATE_MAPS_INTERVAL_MS,
      run: createLookBack({
        ledger,
        client,
        clock,
        logger,
        settings: accounts.lookup,
        workMs: LIMITS.LATE_MAPS_WORK_MS,
        ...more,
      }),
    },
  ]
}
