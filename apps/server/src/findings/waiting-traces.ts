import type { Clock } from '../lib/clock.ts'
import type { SpanNews, TraceNews } from '../traces/index.ts'
import { LIMITS } from './limits.ts'
import { addSums } from './needs.ts'

/** A trace of which something came. */
export interface WaitingTrace {
  readonly projectId: number
  readonly traceId: string
  readonly news: Omit<TraceNews, 'traceId'>
  /** Milliseconds since the epoch. */
  readonly firstAt: number
  readonly dueAt: number
}

/** Traces that wait until nothing more comes of them. */
export const createWaitingTraces = (clock: Clock) => {
  const waiting = new Map<string, WaitingTrace>()

  const add = (entry: WaitingTrace): void => {
    const key = `${entry.projectId} ${entry.traceId}`
    waiting.delete(key)
    waiting.set(key, entry)
    const [oldest] = waiting.keys()
    if (waiting.size > LIMITS.FINDING_TRACES_WAITING && oldest !== undefined) waiting.delete(oldest)
  }

  return {
    add,

    hear: (projectId: number, { traces }: SpanNews): void => {
      const now = clock.now()
      for (const { traceId, ...news } of traces) {
        const before = waiting.get(`${projectId} ${traceId}`)
        add({
          projectId,
          traceId,
          news: before === undefined ? news : addSums(before.news, news),
          firstAt: before?.firstAt ?? now,
          dueAt: now + LIMITS.FINDING_SETTLE_MS,
        })
      }
    },

    /** Some of those that waited long enough. */
    takeDue: (now: number): WaitingTrace[] => {
      const due: WaitingTrace[] = []
      for (const [key, entry] of waiting) {
        if (due.length >= LIMITS.FINDING_TRACES_PER_LOOK) break
        if (entry.dueAt > now) continue
        waiting.delete(key)
        due.push(entry)
      }
      return due
    },
  }
}
