import { createFairQueue } from '../lib/fair-queue.ts'
import { LIMITS } from './limits.ts'

/** @throws StatementRefusal when too much waits already, or it waited for too long: what is in the ledger is begun again */
export type InTurn = <Value>(organizationId: number, work: () => Promise<Value>) => Promise<Value>

/** Uploads are put together one at a time, and organisations take turns: one with much to do holds up nobody else. */
export const createTurns = (): InTurn => {
  const queue = createFairQueue({
    running: 1,
    perOrganization: 1,
    perCaller: 1,
    waiting: LIMITS.ASSEMBLIES_WAITING,
    waitingPerCaller: LIMITS.ASSEMBLIES_WAITING_PER_ORGANIZATION,
    waitMs: LIMITS.ASSEMBLY_WAIT_MS,
  })
  return async (organizationId, work) => {
    const leave = await queue.take({ organizationId, caller: 'assembling' })
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
