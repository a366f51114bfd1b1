import type { SpanDescription } from './describe/describe.ts'
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
}

/** That spans of a trace came, for those who look at them again. Plain data. */
export interface TraceNews {
  readonly traceId: string
  /** Whether the root of a transaction is among them. */
  readonly hasRoot: boolean
  /** By category; of `ui`, by operation. */
  readonly sums: Readonly<Record<string, SpanSums>>
  /** Whether one of them kept an app from drawing. */
  readonly blocksMainThread: boolean
}

/** What the news of a batch tell of a project. */
export interface SpanNews {
  readonly traces: readonly TraceNews[]
}

interface Counted {
  hasRoot: boolean
  blocksMainThread: boolean
  readonly sums: Map<string, { -readonly [Name in keyof SpanSums]: number } & { readonly texts: Map<string, number> }>
}

const SIZES = [
  'http.response.body.size',
  'http.response_transfer_size',
  'http.decoded_response_content_length',
] as const

const sizeOf = ({ attributes }: ReadSpan): number => {
  for (const name of SIZES) {
    const size = Number(attributes[name])
    if (size > 0) return size
  }
  return 0
}

/** Counts the spans of one item. */
export const createSpanCounter = () => {
  const traces = new Map<string, Counted>()
  return {
    add: (span: ReadSpan, op: string, { category, text }: SpanDescription): void => {
      let trace = traces.get(span.traceId)
      if (trace === undefined) {
        trace = { hasRoot: false, blocksMainThread: false, sums: new Map() }
        traces.set(span.traceId, trace)
      }
      trace.hasRoot ||= span.isSegment
      trace.blocksMainThread ||= span.attributes['blocked_main_thread'] === true
      if (category === '') return
      const key = category === 'ui' ? op : category
      let sums = trace.sums.get(key)
      if (sums === undefined) {
        sums = { count: 0, alike: 0, total: 0, longest: 0, largest: 0, texts: new Map() }
        trace.sums.set(key, sums)
      }
      const took = span.duration / 1000
      sums.count += 1
      sums.total += took
      if (took > sums.longest) sums.longest = took
      if (category === 'http' || category === 'resource') sums.largest = Math.max(sums.largest, sizeOf(span))
      const alike = (sums.texts.get(text) ?? 0) + 1
      sums.texts.set(text, alike)
      if (alike > sums.alike) sums.alike = alike
    },
    news: (): readonly TraceNews[] =>
      [...traces].map(([traceId, { hasRoot, blocksMainThread, sums }]) => ({
        traceId,
        hasRoot,
        blocksMainThread,
        sums: Object.fromEntries([...sums].map(([key, { texts: _texts, ...numbers }]) => [key, numbers])),
      })),
  }
}
