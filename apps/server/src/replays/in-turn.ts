import { currentCaller, type CallerContext } from '../lib/caller-context.ts'
import { createFairQueue, type FairQueueLimits } from '../lib/fair-queue.ts'
import { StatementRefusal } from '../lib/statement-refusal.ts'

/**
 * @param caller whose turn it takes; whoever the work is done for when left out
 * @throws StatementRefusal `preparing` when its turn does not come
 */
type InTurn = <Value>(work: () => Promise<Value>, caller?: CallerContext) => Promise<Value>

const SERVER: CallerContext = { organizationId: null, caller: 'server' }

/** Work that takes memory for a segment and a page: one replay after the other, of each caller in turn. */
export const createInTurn = (limits: Pick<FairQueueLimits, 'waiting' | 'waitingPerCaller' | 'waitMs'>): InTurn => {
  const queue = createFairQueue({ running: 1, perOrganization: 1, perCaller: 1, ...limits })
  return async (work, caller = currentCaller() ?? SERVER) => {
    const end = await queue.take(caller).catch((error: unknown) => {
      throw error instanceof StatementRefusal ? new StatementRefusal('preparing', error) : error
    })
    try {
      return await work()
    } finally {
      end()
    }
  }
}
