import { SPAN_FLAGS, type Trace } from '@firsthand/contract'
import { kindOf, KINDS } from '../kinds/kinds.ts'

export interface TraceError {
  readonly eventId: string
  readonly issueId: string
  readonly shortId: string
  readonly title: string
  readonly level: string
  readonly projectId: string
  /** Microseconds after the first span; below 0 for what was before it. */
  readonly at: number
  /** Index of its span; -1 when it names none that is here. */
  readonly span: number
}

export type TraceFinding = Trace['findings'][number]

export interface TraceLog {
  readonly id: string
  readonly level: string
  /** The beginning. */
  readonly body: string
  /** Microseconds after the first span; below 0 for what was before it. */
  readonly at: number
  /** Index of its span; -1 when it names none that is here. */
  readonly span: number
}

/**
 * A trace as it is drawn: entry `i` of every array is about span `i`, depth first. Times are microseconds after its
 * first span, with the clocks of its services put right: errors and log lines of a page may be minutes older.
 */
export interface TraceModel {
  readonly count: number
  readonly id: readonly string[]
  readonly parent: Int32Array
  readonly descendants: Int32Array
  readonly start: Float64Array
  readonly end: Float64Array
  readonly selfTime: Float64Array
  readonly shift: Float64Array
  readonly op: Int32Array
  readonly name: Int32Array
  readonly transaction: Int32Array
  readonly status: Int32Array
  readonly project: Int32Array
  readonly flags: Uint8Array
  /** Index in `KINDS`. */
  readonly kind: Uint8Array
  /** 1 where the span belongs to what a browser did. */
  readonly inBrowser: Uint8Array
  readonly words: readonly string[]
  readonly projects: Trace['projects']
  readonly errors: readonly TraceError[]
  readonly errorsOf: ReadonlyMap<number, readonly TraceError[]>
  readonly logs: readonly TraceLog[]
  readonly logsOf: ReadonlyMap<number, readonly TraceLog[]>
  /** Problems by the spans that show them. */
  readonly findingsOf: ReadonlyMap<number, TraceFinding>
  /** When the first span began, milliseconds since the epoch. */
  readonly startMs: number
  /** First and last moment that is drawn: what was before the first span is not. */
  readonly from: number
  readonly to: number
  /** First and last moment of its spans: errors and log lines of a page may come minutes after them. */
  readonly spans: { readonly from: number; readonly to: number }
  readonly truncated: boolean
  /** -1 when it is not here. */
  readonly indexOf: (id: string) => number
}

const MICROSECONDS = 1000

export function readTrace(trace: Trace): TraceModel {
  const { spans, words } = trace
  const count = spans.id.length
  const start = new Float64Array(count)
  const end = new Float64Array(count)
  const parent = Int32Array.from(spans.parent)
  const op = Int32Array.from(spans.op)
  const flags = Uint8Array.from(spans.flags)
  const project = Int32Array.from(spans.project)
  const kinds = Uint8Array.from(words, (word) => KINDS.indexOf(kindOf(word)))
  const kind = new Uint8Array(count)
  const inBrowser = new Uint8Array(count)
  const browser = KINDS.indexOf('browser')
  for (let span = 0; span < count; span += 1) {
    start[span] = (spans.start[span] ?? 0) + (spans.shift[span] ?? 0)
    end[span] = (start[span] as number) + Math.max(0, spans.duration[span] ?? 0)
    kind[span] = kinds[op[span] as number] ?? 0
    const above = parent[span] as number
    const isSegment = above < 0 || ((flags[span] as number) & SPAN_FLAGS.segment) !== 0
    // What an SDK of a browser measured is of the kind "browser" at its root.
    inBrowser[span] = isSegment
      ? Number(kind[span] === browser)
      : Number(inBrowser[above] === 1 && project[above] === project[span])
  }
  const origin = count === 0 ? 0 : start.reduce((first, at) => Math.min(first, at), Infinity)
  for (let span = 0; span < count; span += 1) {
    start[span] = (start[span] as number) - origin
    end[span] = (end[span] as number) - origin
  }
  const startMs = Date.parse(trace.start) + origin / MICROSECONDS
  // Most traces are opened without a span in the address.
  let indexes: ReadonlyMap<string, number> | undefined
  const indexOf = (id: string): number => {
    if (id === '') return -1
    indexes ??= new Map(spans.id.map((one, index) => [one, index]))
    return indexes.get(id) ?? -1
  }
  /** What a service said of itself is as wrong as the clock of its spans: it is drawn with them. */
  const markOf = ({ timestamp, spanId }: { readonly timestamp: string; readonly spanId: string }) => {
    const span = indexOf(spanId)
    return { at: (Date.parse(timestamp) - startMs) * MICROSECONDS + (spans.shift[span] ?? 0), span }
  }
  const errors = trace.errors.map((error) => ({
    ...error,
    ...markOf(error),
  }))
  const logs = trace.logs.map(({ id, level, body, timestamp, spanId }) => ({
    id,
    level,
    body,
    ...markOf({ timestamp, spanId }),
  }))
  return {
    count,
    id: spans.id,
    parent,
    descendants: Int32Array.from(spans.descendants),
    start,
    end,
    selfTime: Float64Array.from(spans.selfTime),
    shift: Float64Array.from(spans.shift),
    op,
    name: Int32Array.from(spans.name),
    transaction: Int32Array.from(spans.transaction),
    status: Int32Array.from(spans.status),
    project,
    flags,
    kind,
    inBrowser,
    words,
    projects: trace.projects,
    errors,
    errorsOf: Map.groupBy(
      errors.filter((error) => error.span !== -1),
      (error) => error.span,
    ),
    logs,
    logsOf: Map.groupBy(
      logs.filter((log) => log.span !== -1),
      (log) => log.span,
    ),
    findingsOf: new Map(
      trace.findings.flatMap((finding) =>
        finding.spanIds.map((id) => [indexOf(id), finding] as const).filter(([span]) => span !== -1),
      ),
    ),
    startMs,
    ...extent(
      start,
      end,
      [...errors, ...logs].filter(({ at }) => count === 0 || at >= 0),
    ),
    spans: extent(start, end, count === 0 ? [...errors, ...logs] : []),
    truncated: trace.truncated,
    indexOf,
  }
}

function extent(
  start: Float64Array,
  end: Float64Array,
  moments: readonly { readonly at: number }[],
): { readonly from: number; readonly to: number } {
  let from = Infinity
  let to = -Infinity
  for (let span = 0; span < start.length; span += 1) {
    from = Math.min(from, start[span] as number)
    to = Math.max(to, end[span] as number)
  }
  for (const { at } of moments) {
    from = Math.min(from, at)
    to = Math.max(to, at)
  }
  if (!Number.isFinite(from)) return { from: 0, to: MICROSECONDS }
  // A moment without length, such as a single error, still needs an axis.
  return { from, to: to > from ? to : from + MICROSECONDS }
}

/** Calls back for each direct child, in the order in which they began. */
export function eachChild(model: TraceModel, span: number, use: (child: number) => void): void {
  const last = span + (model.descendants[span] as number)
  for (let child = span + 1; child <= last; child += (model.descendants[child] as number) + 1) use(child)
}

/** All spans without a parent. */
export function rootsOf(model: TraceModel): number[] {
  const roots: number[] = []
  for (let root = 0; root < model.count; root += (model.descendants[root] as number) + 1) roots.push(root)
  return roots
}

export function hasFlag(model: TraceModel, span: number, flag: number): boolean {
  return ((model.flags[span] as number) & flag) !== 0
}

export function wordOf(model: TraceModel, index: number | undefined): string {
  return model.words[index ?? -1] ?? ''
}

/**
 * What the span is called: SDKs leave the description out where the operation says all. What one service did is called as in
 * lists, by its transaction: some SDKs call the root of all pages "Pageload", and that of all requests "GET".
 */
export function nameOf(model: TraceModel, span: number): string {
  const transaction = hasFlag(model, span, SPAN_FLAGS.segment) ? wordOf(model, model.transaction[span]) : ''
  return transaction || wordOf(model, model.name[span]) || wordOf(model, model.op[span]) || 'span without a name'
}
