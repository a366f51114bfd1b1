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

/** What one project sent of a trace. */
export const keyOf = ({ projectId, traceId }: Pick<WaitingTrace, 'projectId' | 'traceId'>): string =>
  `${projectId} ${traceId}`

/** Counts traces that nobody looks at: what is not looked for is not known to be missing. */
const createLeftOut = (clock: Clock) => {
  let count = 0
  let lastAt = 0
  const forgetOld = (): void => {
    if (clock.now() - lastAt >= LIMITS.FINDING_LEFT_OUT_TOLD_MS) count = 0
  }
  return {
    add: (more: number): void => {
      if (more === 0) return
      forgetOld()
      count += more
      lastAt = clock.now()
    },
    /** Those since it began; 0 once it did not happen for long. */
    count: (): number => {
      forgetOld()
      return count
    },
  }
}

/** Traces that wait until nothing more comes of them. */
export const createWaitingTraces = (clock: Clock) => {
  const waiting = new Map<string, WaitingTrace>()
  const leftOut = createLeftOut(clock)

  const add = (entry: WaitingTrace): void => {
    const key = keyOf(entry)
    waiting.delete(key)
    waiting.set(key, entry)
    const [oldest] = waiting.keys()
    if (waiting.size <= LIMITS.FINDING_TRACES_WAITING || oldest === undefined) return
    waiting.delete(oldest)
    leftOut.add(1)
  }

  return {
    add,

    hear: (projectId: number, { traces, tracesLeftOut }: SpanNews): void => {
      const now = clock.now()
      leftOut.add(tracesLeftOut)
      for (const { traceId, ...news } of traces) {
        const before = waiting.get(keyOf({ projectId, traceId }))
        add({
          projectId,
          traceId,
          news: before === undefined ? news : addSums(before.news, news),
          firstAt: before?.firstAt ?? now,
          dueAt: now + LIMITS.FINDING_SETTLE_MS,
        })
      }
    },

    leftOut: leftOut.count,
    leaveOut: leftOut.add,

    /** It was taken, but could not be looked at; what came of it meanwhile waits already and is enough. */
    putBack: (entry: WaitingTrace): void => {
      if (!waiting.has(keyOf(entry))) add(entry)
    },

    /** Those that waited long enough, the oldest first. */
    due: function* (now: number): Iterable<WaitingTrace> {
      for (const entry of waiting.values()) if (entry.dueAt <= now) yield entry
    },

    /** False when something more came of it meanwhile: then it goes on waiting. */
    take: (entry: WaitingTrace): boolean => {
      const key = keyOf(entry)
      return waiting.get(key) === entry && waiting.delete(key)
    },
  }
}
