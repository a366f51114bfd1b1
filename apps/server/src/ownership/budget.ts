import type { Clock } from '../lib/clock.ts'
import { MINUTE_MS } from '../lib/durations.ts'
import { RecentMap } from '../lib/recent-map.ts'
import type { EventOwners } from './owners.ts'
import { LIMITS } from './limits.ts'

/**
 * What projects may spend in a minute on finding out whose their issues are: whoever has a DSN can open issues without
 * end, and nobody else's wait until they are compared with 20,000 lines.
 */
export const createBudget = (clock: Clock) => {
  const spent = new RecentMap<number, { readonly minute: number; steps: number }>(PROJECTS_REMEMBERED)
  return {
    spend: async (projectId: number, find: (steps: number) => Promise<EventOwners>): Promise<EventOwners> => {
      const minute = Math.floor(clock.now() / MINUTE_MS)
      const known = spent.get(projectId)
      const account = known?.minute === minute ? known : { minute, steps: 0 }
      spent.set(projectId, account)
      const steps = Math.min(LIMITS.OWNERSHIP_STEPS, LIMITS.OWNERSHIP_STEPS_PER_MINUTE - account.steps)
      const found = await find(steps)
      account.steps += Math.min(steps, found.decision.steps)
      return found
    },
  }
}

const PROJECTS_REMEMBERED = 10_000
