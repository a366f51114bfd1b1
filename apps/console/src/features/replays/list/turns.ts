/** Browsers open few connections to a server: most of them are left to the list and whatever else is asked. */
const AT_ONCE = 2

/** Who waits for their turn, and who has it. */
export interface Turns {
  /** Calls back when it is the caller's turn. @returns ends the turn, or the waiting for it */
  take(begin: () => void): () => void
}

export function createTurns(atOnce = AT_ONCE): Turns {
  const waiting = new Set<() => void>()
  const running = new Set<() => void>()
  const next = (): void => {
    for (const begin of waiting) {
      if (running.size >= atOnce) return
      waiting.delete(begin)
      running.add(begin)
      begin()
    }
  }
  return {
    take(begin) {
      const own = (): void => begin()
      waiting.add(own)
      next()
      return () => {
        waiting.delete(own)
        running.delete(own)
        next()
      }
    },
  }
}
