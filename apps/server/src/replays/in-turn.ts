import { currentCaller } from '../lib/caller-context.ts'
import { createFairQueue, type FairQueueLimits } from '../lib/fair-queue.ts'
import { StatementRefusal } from '../lib/statement-refusal.ts'

/** @throws StatementRefusal `preparing` when its turn does not come */
type InTurn = <Value>(work: () => Promise<Value>) => Promise<Value>

/** Work that takes memory for a segment and a page: one replay after the other, of each caller in turn. */
export const createInTurn = (limits: Pick<FairQueueLimits, 'waiting' | 'waitingPerCaller' | 'waitMs'>): InTurn => {
  const queue = createFairQueue({ running: 1, perOrganization: 1, perCaller: 1, ...limits })
  return async (work) => {
    const end = await queue
      .take(currentCaller() ?? { organizationId: null, caller: 'server' })
      .catch((error: unknown) => {
        throw error instanceof StatementRefusal ? new StatementRefusal('preparing', error) : error
      })
    try {
      return await work()
    } finally {
      end()
    }
  }
}
