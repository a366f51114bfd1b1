import { currentCaller, type CallerContext } from '../lib/caller-context.ts'
import { createFairQueue, type FairQueueLimits } from '../lib/fair-queue.ts'
import { StatementRefusal } from '../lib/statement-refusal.ts'
import type { AskedThread } from './asked-thread.ts'
import { LIMITS } from './limits.ts'

/**
 * @param caller whose turn it takes; whoever the work is done for when left out
 * @throws StatementRefusal `preparing` when its turn does not come
 */
type InTurn = <Value>(work: () => Promise<Value>, caller?: CallerContext) => Promise<Value>

type QueueLimits = Pick<FairQueueLimits, 'waiting' | 'waitingPerCaller' | 'waitMs'>

/** Of whoever waits for a thread that reads recordings. */
const OF_RECORDINGS: QueueLimits = {
  waiting: LIMITS.REPLAY_PACKS_WAITING,
  waitingPerCaller: LIMITS.REPLAY_PACKS_WAITING_PER_CALLER,
  waitMs: LIMITS.REPLAY_PACK_WAIT_MS,
}

const SERVER: CallerContext = { organizationId: null, caller: 'server' }

/**
 * Work that asks a thread and takes memory for a segment and a page: one replay after the other, of each caller in turn. The
 * thread may end when the work is done or given up.
 */
export const createTurnsAt = (
  thread: Pick<AskedThread<never, unknown>, 'leave'>,
  limits: QueueLimits = OF_RECORDINGS,
): InTurn => {
  const queue = createFairQueue({ running: 1, perOrganization: 1, perCaller: 1, ...limits })
  return async (work, caller = currentCaller() ?? SERVER) => {
    const end = await queue.take(caller).catch((error: unknown) => {
      throw error instanceof StatementRefusal ? new StatementRefusal('preparing', error) : error
    })
    try {
      return await work()
    } finally {
      thread.leave()
      end()
    }
  }
}
