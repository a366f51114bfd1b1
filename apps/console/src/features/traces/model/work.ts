import { eachChild, type TraceModel } from './trace.ts'

/** From, to, from, to …, ascending; microseconds. */
export type Stretches = Float64Array

/** Where the span had at least one child, cut to the span. */
export function childrenTime(model: TraceModel, span: number): Stretches {
  const [start, end] = [model.start[span] as number, model.end[span] as number]
  const children: number[] = []
  let isSorted = true
  eachChild(model, span, (child) => {
    const before = children.at(-1)
    if (before !== undefined && (model.start[before] as number) > (model.start[child] as number)) isSorted = false
    children.push(child)
  })
  // Clocks that were put right can change the order.
  if (!isSorted) children.sort((a, b) => (model.start[a] as number) - (model.start[b] as number))
  const merged: number[] = []
  for (const child of children) {
    const from = Math.max(start, model.start[child] as number)
    const to = Math.min(end, model.end[child] as number)
    if (to < from) continue
    const last = merged.at(-1)
    if (last !== undefined && from <= last) merged[merged.length - 1] = Math.max(last, to)
    else merged.push(from, to)
  }
  return Float64Array.from(merged)
}

/** Where the span itself was busy: what is left of it without its children. */
export function ownTime(model: TraceModel, span: number): Stretches {
  const covered = childrenTime(model, span)
  const own: number[] = []
  let cursor = model.start[span] as number
  for (let index = 0; index < covered.length; index += 2) {
    const from = covered[index] as number
    if (from > cursor) own.push(cursor, from)
    cursor = covered[index + 1] as number
  }
  const end = model.end[span] as number
  if (end > cursor || own.length === 0) own.push(Math.min(cursor, end), end)
  return Float64Array.from(own)
}

export interface Gap {
  readonly from: number
  readonly to: number
}

const GAP_FROM_MICROSECONDS = 100_000
const GAP_SHARE = 0.05

/**
 * Stretches between children in which nothing was recorded, long enough to ask why. Browsers wait for people and networks
 * all the time, so theirs are none.
 */
export function gapsOf(model: TraceModel, span: number): readonly Gap[] {
  if (model.inBrowser[span] === 1) return []
  const least = Math.max(
    GAP_FROM_MICROSECONDS,
    ((model.end[span] as number) - (model.start[span] as number)) * GAP_SHARE,
  )
  const covered = childrenTime(model, span)
  const gaps: Gap[] = []
  for (let index = 2; index < covered.length; index += 2) {
    const from = covered[index - 1] as number
    const to = covered[index] as number
    if (to - from >= least) gaps.push({ from, to })
  }
  return gaps
}

/** Asks once for each span: rows are drawn again with every step of the zoom. */
export function remembered<Value>(ask: (span: number) => Value): (span: number) => Value {
  const known = new Map<number, Value>()
  return (span) => {
    const found = known.get(span)
    if (found !== undefined) return found
    const value = ask(span)
    known.set(span, value)
    return value
  }
}

/** Where the trace went: microseconds that spans of each kind were busy themselves, in the order of `KINDS`. */
export function timeByKind(model: TraceModel, kinds: number): Float64Array {
  const sums = new Float64Array(kinds)
  for (let span = 0; span < model.count; span += 1) {
    const kind = model.kind[span] as number
    sums[kind] = (sums[kind] as number) + (model.selfTime[span] as number)
  }
  return sums
}

/** In a column of the minimap: nothing, or the kind of the deepest span; spans that wait for others are marked. */
export const COLUMN = { waits: 0x80, kind: 0x7f } as const

/**
 * One lane for each project, one byte for each column.
 *
 * @param columnOf of a moment of the trace
 */
export function minimapLanes(
  model: TraceModel,
  columns: number,
  columnOf: (at: number) => number,
): readonly Uint8Array[] {
  const lanes = model.projects.map(() => new Uint8Array(columns))
  for (let span = 0; span < model.count; span += 1) {
    const from = Math.floor(columnOf(model.start[span] as number))
    const to = Math.ceil(columnOf(model.end[span] as number))
    const waits = (model.descendants[span] as number) > 0 ? COLUMN.waits : 0
    lanes[model.project[span] as number]?.fill(((model.kind[span] as number) + 1) | waits, from, Math.max(to, from + 1))
  }
  return lanes
}

/** How much of each column is covered by the spans, 0 to 1: how dense a folded row is. */
export function density(
  model: TraceModel,
  spans: readonly number[],
  from: number,
  to: number,
  columns: number,
): Float32Array {
  const dense = new Float32Array(columns)
  const scale = columns / (to - from)
  for (const span of spans) {
    const left = Math.max(0, ((model.start[span] as number) - from) * scale)
    const right = Math.min(columns, ((model.end[span] as number) - from) * scale)
    if (right < 0 || left >= columns) continue
    for (let column = Math.floor(left); column < right || column === Math.floor(left); column += 1) {
      if (column >= columns) break
      const part = Math.max(0, Math.min(right, column + 1) - Math.max(left, column))
      dense[column] = Math.min(1, (dense[column] as number) + Math.max(part, 0.08))
    }
  }
  return dense
}
