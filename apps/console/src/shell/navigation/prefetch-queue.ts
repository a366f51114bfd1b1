/** Prefetches wait here, so that guessing never gets in the way of what the reader asked for. */
export interface PrefetchQueue {
  /**
   * Runs the task when there is room. A key that already waits or runs is not added twice; when it still waits it moves
   * to the front, since somebody asked for it again. The promise settles with the task; failures count as settled,
   * because a failed guess is not an error.
   */
  add(key: string, task: () => Promise<unknown>): Promise<void>
  readonly running: number
  readonly waiting: number
}

/** Waiting guesses beyond this are forgotten, the oldest first. */
const MAX_WAITING = 100

interface Entry {
  readonly key: string
  readonly task: () => Promise<unknown>
  readonly done: Promise<void>
  readonly settle: () => void
}

/** At most `limit` tasks at a time, in order of arrival. */
export function createPrefetchQueue(limit: number): PrefetchQueue {
  const waiting: Entry[] = []
  const running = new Map<string, Entry>()

  const next = (): void => {
    while (running.size < limit) {
      const entry = waiting.shift()
      if (entry === undefined) return
      running.set(entry.key, entry)
      void run(entry)
    }
  }

  const run = async (entry: Entry): Promise<void> => {
    try {
      await entry.task()
    } catch {
      // A failed guess is not an error: the navigation asks again and shows what is wrong.
    }
    running.delete(entry.key)
    entry.settle()
    next()
  }

  return {
    add(key, task) {
      const active = running.get(key)
      if (active !== undefined) return active.done
      const index = waiting.findIndex((entry) => entry.key === key)
      const known = index === -1 ? undefined : waiting.splice(index, 1)[0]
      if (known !== undefined) {
        waiting.unshift(known)
        return known.done
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ key, task, done: promise, settle: resolve })
      if (waiting.length > MAX_WAITING) waiting.shift()?.settle()
      next()
      return promise
    },
    get running() {
      return running.size
    },
    get waiting() {
      return waiting.length
    },
  }
}
