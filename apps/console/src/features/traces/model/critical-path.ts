import { SPAN_FLAGS } from '@firsthand/contract'
import { eachChild, hasFlag, rootsOf, type TraceModel, wordOf } from './trace.ts'

/** What the trace waited for, from its end to its beginning: at each moment, the span that would have ended it sooner. */
export interface CriticalPath {
  /** Sections of span `i` are those from `first[i]` up to `first[i + 1]`, latest first. */
  readonly first: Int32Array
  readonly from: Float64Array
  readonly to: Float64Array
  /** Microseconds of each span. */
  readonly time: Float64Array
  readonly total: number
}

/** What was put in a queue or taken out of it: nobody waited for it. */
const ASYNC = /^(queue|messaging|topic)\b/
/** A trace of thousands of unconnected spans has no path worth a comparison of all with all. */
const MOST_ROOTS = 100

interface Frame {
  readonly span: number
  /** Of what is in question of the span: it may be cut to its parent. */
  readonly from: number
  readonly to: number
  /** Everything later is accounted for. */
  cursor: number
  /** Last end first. */
  readonly children: readonly number[]
  next: number
}

/**
 * Walks back from the end of each main root: to the last child that ended before, into it, and on from where it began; time
 * without a child belongs to the parent. Children are cut to their parent; those outside of it, and those that nobody
 * waited for, do not count.
 */
export function criticalPath(model: TraceModel): CriticalPath {
  const spans: number[] = []
  const begins: number[] = []
  const ends: number[] = []
  const add = (span: number, from: number, to: number): void => {
    if (to <= from) return
    spans.push(span)
    begins.push(from)
    ends.push(to)
  }
  for (const root of mainRoots(model)) {
    const stack: Frame[] = [frameOf(model, root, model.start[root] as number, model.end[root] as number)]
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const child = nextChild(model, frame)
      if (child === -1) {
        add(frame.span, frame.from, frame.cursor)
        stack.pop()
        continue
      }
      const to = Math.min(model.end[child] as number, frame.to)
      const from = Math.max(model.start[child] as number, frame.from)
      add(frame.span, to, frame.cursor)
      frame.cursor = from
      stack.push(frameOf(model, child, from, to))
    }
  }
  return bySpan(model.count, spans, begins, ends)
}

/**
 * The roots that the trace is about: the longest, and those that ran while none of these did. Work that was queued, or
 * whose caller is not known, counts only when there is nothing else.
 */
function mainRoots(model: TraceModel): readonly number[] {
  const roots = rootsOf(model)
  const known = roots.filter(
    (root) => !hasFlag(model, root, SPAN_FLAGS.orphan) && !ASYNC.test(wordOf(model, model.op[root])),
  )
  const length = (root: number): number => (model.end[root] as number) - (model.start[root] as number)
  const main: number[] = []
  for (const root of (known.length === 0 ? roots : known).toSorted((a, b) => length(b) - length(a))) {
    if (main.length === MOST_ROOTS) break
    const [start, end] = [model.start[root] as number, model.end[root] as number]
    if (main.every((other) => (model.end[other] as number) <= start || (model.start[other] as number) >= end))
      main.push(root)
  }
  return main
}

function nextChild(model: TraceModel, frame: Frame): number {
  while (frame.next < frame.children.length) {
    const child = frame.children[frame.next] as number
    frame.next += 1
    if (Math.min(model.end[child] as number, frame.to) <= frame.cursor) return child
  }
  return -1
}

function frameOf(model: TraceModel, span: number, from: number, to: number): Frame {
  const children: number[] = []
  eachChild(model, span, (child) => {
    const isWithin = (model.end[child] as number) > from && (model.start[child] as number) < to
    if (isWithin && !ASYNC.test(wordOf(model, model.op[child]))) children.push(child)
  })
  const ending = (child: number): number => Math.min(model.end[child] as number, to)
  // Of those that end together, the one that began first covers most.
  children.sort((a, b) => ending(b) - ending(a) || (model.start[a] as number) - (model.start[b] as number))
  return { span, from, to, cursor: to, children, next: 0 }
}

function bySpan(
  count: number,
  spans: readonly number[],
  begins: readonly number[],
  ends: readonly number[],
): CriticalPath {
  const first = new Int32Array(count + 1)
  for (const span of spans) first[span + 1] = (first[span + 1] as number) + 1
  for (let span = 0; span < count; span += 1) first[span + 1] = (first[span + 1] as number) + (first[span] as number)
  const free = first.slice()
  const from = new Float64Array(spans.length)
  const to = new Float64Array(spans.length)
  const time = new Float64Array(count)
  let total = 0
  for (const [index, span] of spans.entries()) {
    const place = free[span] as number
    free[span] = place + 1
    from[place] = begins[index] as number
    to[place] = ends[index] as number
    const length = to[place] - from[place]
    time[span] = (time[span] as number) + length
    total += length
  }
  return { first, from, to, time, total }
}
