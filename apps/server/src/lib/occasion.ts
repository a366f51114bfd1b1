import type { Clock } from './clock.ts'

/**
 * When something that could be done all the time has to be done: after something happened, when something is due, and now
 * and then in any case. What asks a store all the time keeps its threads, and their memory, where nothing happens.
 */
export interface Occasion {
  /** Something happened. */
  wake(): void
  isDue(): boolean
  /** Does it. `work` answers when the next of it is due, whatever happens until then. What fails is due again. */
  take(work: (now: number) => Promise<number>): Promise<void>
}

/** @param options.quietMs after how long it is due where nothing happened and nothing was */
export const createOccasion = ({ clock, quietMs }: { readonly clock: Clock; readonly quietMs: number }): Occasion => {
  let isAwake = true
  let takenAt = 0
  let dueAt = 0
  return {
    wake: () => {
      isAwake = true
    },
    isDue: () => {
      const now = clock.now()
      // A clock that was set back says nothing of what is due.
      return isAwake || now >= dueAt || now < takenAt
    },
    take: async (work) => {
      const now = clock.now()
      // What happens meanwhile may not be seen by the work.
      isAwake = false
      try {
        dueAt = Math.min(now + quietMs, await work(now))
        takenAt = now
      } catch (error) {
        isAwake = true
        throw error
      }
    },
  }
}
