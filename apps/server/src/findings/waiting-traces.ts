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

/** Traces that nobody looked at. */
export interface LeftOut {
  readonly traces: number
  /** Of which most of them are; null when there are none. */
  readonly projectId: number | null
}

/** Counts traces that nobody looks at: what is not looked for is not known to be missing. */
const createLeftOut = (clock: Clock) => {
  const counts = new Map<number, number>()
  let lastAt = 0
  const forgetOld = (): void => {
    if (clock.now() - lastAt >= LIMITS.FINDING_LEFT_OUT_TOLD_MS) counts.clear()
  }
  return {
    add: (projectId: number, more: number): void => {
      if (more === 0) return
      forgetOld()
      counts.set(projectId, (counts.get(projectId) ?? 0) + more)
      lastAt = clock.now()
    },
    /** Those since it began; none once it did not happen for long. */
    count: (): LeftOut => {
      forgetOld()
      let traces = 0
      let most: number | null = null
      for (const [projectId, count] of counts) {
        traces += count
        if (most === null || count > (counts.get(most) ?? 0)) most = projectId
      }
      return { traces, projectId: most }
    },
  }
}

/**
 * Traces that wait until nothing more comes of them. Projects have their turns one after the other, and when there is no
 * room, the one of which most wait gives way: whoever sends much keeps nobody else's from being looked at.
 */
export const createWaitingTraces = (clock: Clock) => {
  /** The project that had its turn last is the last, and so is the trace of which something came last. */
  const waiting = new Map<number, Map<string, WaitingTrace>>()
  const leftOut = createLeftOut(clock)
  let size = 0

  const find = (projectId: number, traceId: string): WaitingTrace | undefined => waiting.get(projectId)?.get(traceId)

  const remove = ({ projectId, traceId }: WaitingTrace): void => {
    const own = waiting.get(projectId)
    if (own?.delete(traceId) !== true) return
    size -= 1
    if (own.size === 0) waiting.delete(projectId)
  }

  const giveWay = (): void => {
    let most: Map<string, WaitingTrace> | null = null
    for (const own of waiting.values()) if (most === null || own.size > most.size) most = own
    const [oldest] = most?.values() ?? []
    if (oldest === undefined) return
    remove(oldest)
    leftOut.add(oldest.projectId, 1)
  }

  const add = (entry: WaitingTrace): void => {
    remove(entry)
    const own = waiting.get(entry.projectId) ?? new Map<string, WaitingTrace>()
    waiting.set(entry.projectId, own.set(entry.traceId, entry))
    size += 1
    if (size > LIMITS.FINDING_TRACES_WAITING) giveWay()
  }

  return {
    add,

    hear: (projectId: number, { traces, tracesLeftOut }: SpanNews): void => {
      const now = clock.now()
      leftOut.add(projectId, tracesLeftOut)
      for (const { traceId, ...news } of traces) {
        const before = find(projectId, traceId)
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
      if (find(entry.projectId, entry.traceId) === undefined) add(entry)
    },

    /** Those that waited long enough, one of each project in turn; of each the oldest first. */
    due: function* (now: number): Iterable<WaitingTrace> {
      let turns = [...waiting.values()].map((own) => dueOf(own, now))
      while (turns.length > 0) {
        const others: typeof turns = []
        for (const turn of turns) {
          const next = turn.next()
          if (next.done === true) continue
          yield next.value
          others.push(turn)
        }
        turns = others
      }
    },

    /** False when something more came of it meanwhile: then it goes on waiting. */
    take: (entry: WaitingTrace): boolean => {
      if (find(entry.projectId, entry.traceId) !== entry) return false
      remove(entry)
      const rest = waiting.get(entry.projectId)
      if (rest !== undefined && waiting.delete(entry.projectId)) waiting.set(entry.projectId, rest)
      return true
    },
  }
}

const dueOf = function* (own: ReadonlyMap<string, WaitingTrace>, now: number): Generator<WaitingTrace, undefined> {
  for (const entry of own.values()) if (entry.dueAt <= now) yield entry
}
