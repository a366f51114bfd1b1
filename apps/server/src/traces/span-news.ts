import type { SpanDescription } from './describe/describe.ts'
import { isLongFrame, largestSize, ON_MAIN_THREAD } from './describe/known-names.ts'
import type { ReadSpan } from './span.ts'

/** Name of the kind of spans, by which its news are known. */
export const SPAN_ITEMS = 'spans'

/** What came of the spans of one kind of a trace, in numbers. */
export interface SpanSums {
  readonly count: number
  /** The most that have one text. */
  readonly alike: number
  /** Milliseconds. */
  readonly total: number
  readonly longest: number
  /** Bytes of the largest answer. */
  readonly largest: number
  /** Milliseconds of those that kept an app from drawing. */
  readonly blocked: number
}

export const NO_SPANS: SpanSums = { count: 0, alike: 0, total: 0, longest: 0, largest: 0, blocked: 0 }

/** Of the kinds by which spans are summed: frames of a page that took too long. The others are categories. */
export const LONG_FRAME = 'long_frame'

/** That spans of a trace came, for those who look at them again. Plain data. */
export interface TraceNews {
  readonly traceId: string
  /** Whether the root of a transaction is among them. */
  readonly hasRoot: boolean
  /** By kind. */
  readonly sums: Readonly<Record<string, SpanSums>>
}

/** What the news of a batch tell of a project. */
export interface SpanNews {
  readonly traces: readonly TraceNews[]
  /** How many more there were than news may name. */
  readonly tracesLeftOut: number
}

/** What came of a trace in several items. */
export const addSums = (
  one: Omit<TraceNews, 'traceId'>,
  more: Omit<TraceNews, 'traceId'>,
): Omit<TraceNews, 'traceId'> => {
  const sums: Record<string, SpanSums> = { ...one.sums }
  for (const [kind, added] of Object.entries(more.sums)) {
    const { count, alike, total, longest, largest, blocked } = sums[kind] ?? NO_SPANS
    sums[kind] = {
      count: count + added.count,
      alike: alike + added.alike,
      total: total + added.total,
      longest: Math.max(longest, added.longest),
      largest: Math.max(largest, added.largest),
      blocked: blocked + added.blocked,
    }
  }
  return { sums, hasRoot: one.hasRoot || more.hasRoot }
}

/** News of projects, which share the room there is: who has much keeps nobody else's from being told. The last are told. */
export const shareRoom = (
  byProject: ReadonlyMap<number, readonly TraceNews[]>,
  room: number,
): ReadonlyMap<number, SpanNews> => {
  const shares = new Map<number, SpanNews>()
  let left = room
  const ascending = [...byProject].toSorted(([, one], [, other]) => one.length - other.length)
  for (const [place, [projectId, news]] of ascending.entries()) {
    const share = Math.min(news.length, Math.floor(left / (ascending.length - place)))
    const tracesLeftOut = news.length - share
    shares.set(projectId, { traces: news.slice(tracesLeftOut), tracesLeftOut })
    left -= share
  }
  return shares
}

/** One of each trace, in the order of the last that came of it. */
export const mergeNews = (all: readonly TraceNews[]): readonly TraceNews[] => {
  const merged = new Map<string, TraceNews>()
  for (const { traceId, ...news } of all) {
    const before = merged.get(traceId)
    merged.delete(traceId)
    merged.set(traceId, { traceId, ...(before === undefined ? news : addSums(before, news)) })
  }
  return [...merged.values()]
}

interface Counted {
  hasRoot: boolean
  readonly sums: Map<string, { -readonly [Name in keyof SpanSums]: number } & { readonly texts: Map<string, number> }>
}

/** Counts the spans of one item. */
export const createSpanCounter = () => {
  const traces = new Map<string, Counted>()
  return {
    add: (span: ReadSpan, op: string, { category, text }: SpanDescription): void => {
      let trace = traces.get(span.traceId)
      if (trace === undefined) {
        trace = { hasRoot: false, sums: new Map() }
        traces.set(span.traceId, trace)
      }
      trace.hasRoot ||= span.isSegment
      if (category === '') return
      const key = isLongFrame(op) ? LONG_FRAME : category
      let sums = trace.sums.get(key)
      if (sums === undefined) {
        sums = { ...NO_SPANS, texts: new Map() }
        trace.sums.set(key, sums)
      }
      const took = span.duration / 1000
      sums.count += 1
      sums.total += took
      if (took > sums.longest) sums.longest = took
      if (category === 'http' || category === 'resource')
        sums.largest = Math.max(sums.largest, largestSize(span.attributes))
      if (span.attributes[ON_MAIN_THREAD] === true) sums.blocked += took
      const alike = (sums.texts.get(text) ?? 0) + 1
      sums.texts.set(text, alike)
      if (alike > sums.alike) sums.alike = alike
    },
    news: (): readonly TraceNews[] =>
      [...traces].map(([traceId, { hasRoot, sums }]) => ({
        traceId,
        hasRoot,
        sums: Object.fromEntries([...sums].map(([key, { texts: _texts, ...numbers }]) => [key, numbers])),
      })),
  }
}
