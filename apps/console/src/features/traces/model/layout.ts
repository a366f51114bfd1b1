import { SPAN_FLAGS } from '@firsthand/contract'
import { eachChild, hasFlag, rootsOf, type TraceModel } from './trace.ts'

/** So many siblings with the same operation and name become one row. */
export const FOLD_FROM = 5

export const NODE = { span: 0, fold: 1, missing: 2 } as const

/** Siblings that are alike, as one row. */
export interface Fold {
  readonly members: readonly number[]
  /** Microseconds of all of them together. */
  readonly sum: number
  readonly failed: number
  readonly from: number
  readonly to: number
}

/**
 * The rows that a trace could have, depth first: its spans, rows that stand for siblings that are alike, and one above spans
 * whose parent is not there. Entry `i` of every array is about node `i`; its descendants are the `size[i]` nodes behind it.
 */
export interface Layout {
  readonly count: number
  readonly kind: Uint8Array
  /** Its span; of a fold, the first; -1 for the row of missing parents. */
  readonly span: Int32Array
  readonly parent: Int32Array
  readonly depth: Int32Array
  readonly size: Int32Array
  /** Its place among its siblings, from 1, and how many these are. */
  readonly position: Int32Array
  readonly siblings: Int32Array
  readonly nodeOf: Int32Array
  readonly folds: ReadonlyMap<number, Fold>
}

interface Entry {
  readonly kind: number
  readonly span: number
  readonly members: readonly number[]
}

interface Waiting extends Entry {
  readonly parent: number
  readonly position: number
  readonly siblings: number
}

/** @param folds whether siblings that are alike become one row */
export function layOut(model: TraceModel, folds: boolean): Layout {
  const capacity = model.count + Math.floor(model.count / FOLD_FROM) + 1
  const numbers = (): Int32Array => new Int32Array(capacity)
  const kind = new Uint8Array(capacity)
  const [span, parent, depth, size, position, siblings] = [
    numbers(),
    numbers(),
    numbers(),
    numbers(),
    numbers(),
    numbers(),
  ] as const
  const nodeOf = new Int32Array(model.count)
  const foldOf = new Map<number, Fold>()
  const group = (spans: readonly number[]): Entry[] =>
    folds ? foldAlike(model, spans) : spans.map((one) => ({ kind: NODE.span, span: one, members: [] }))

  const waiting: Waiting[] = []
  const push = (entries: readonly Entry[], above: number): void => {
    for (let index = entries.length - 1; index >= 0; index -= 1)
      waiting.push({ ...(entries[index] as Entry), parent: above, position: index + 1, siblings: entries.length })
  }
  push(topEntries(model, group), -1)
  let count = 0
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const node = count
    count += 1
    kind[node] = entry.kind
    span[node] = entry.span
    parent[node] = entry.parent
    depth[node] = entry.parent === -1 ? 0 : (depth[entry.parent] as number) + 1
    position[node] = entry.position
    siblings[node] = entry.siblings
    if (entry.kind === NODE.span) {
      nodeOf[entry.span] = node
      const children: number[] = []
      eachChild(model, entry.span, (child) => children.push(child))
      push(group(children), node)
    } else if (entry.kind === NODE.fold) {
      foldOf.set(node, summarise(model, entry.members))
      push(
        entry.members.map((member) => ({ kind: NODE.span, span: member, members: [] })),
        node,
      )
    } else push(group(entry.members), node)
  }
  for (let node = count - 1; node >= 0; node -= 1) {
    const above = parent[node] as number
    if (above !== -1) size[above] = (size[above] as number) + (size[node] as number) + 1
  }
  return { count, kind, span, parent, depth, size, position, siblings, nodeOf, folds: foldOf }
}

/** The roots; those whose parent is missing stand together below a row that says so, where the first of them would. */
function topEntries(model: TraceModel, group: (spans: readonly number[]) => Entry[]): Entry[] {
  const roots = rootsOf(model)
  const orphans = roots.filter((root) => hasFlag(model, root, SPAN_FLAGS.orphan))
  const first = orphans[0]
  if (first === undefined) return group(roots)
  const isOrphan = new Set(orphans)
  const entries = group(roots.filter((root) => !isOrphan.has(root)))
  const at = entries.findIndex((entry) => entry.span > first)
  return entries.toSpliced(at === -1 ? entries.length : at, 0, { kind: NODE.missing, span: -1, members: orphans })
}

function foldAlike(model: TraceModel, spans: readonly number[]): Entry[] {
  const single = (span: number): Entry => ({ kind: NODE.span, span, members: [] })
  if (spans.length < FOLD_FROM) return spans.map(single)
  const keyOf = (span: number): number =>
    (model.op[span] as number) * (model.words.length + 1) + (model.name[span] as number)
  const alike = Map.groupBy(spans, keyOf)
  if (alike.size === spans.length) return spans.map(single)
  const entries: Entry[] = []
  for (const span of spans) {
    const members = alike.get(keyOf(span)) ?? []
    if (members.length < FOLD_FROM) entries.push(single(span))
    else if (members[0] === span) entries.push({ kind: NODE.fold, span, members })
  }
  return entries
}

function summarise(model: TraceModel, members: readonly number[]): Fold {
  let sum = 0
  let failed = 0
  let from = Infinity
  let to = -Infinity
  for (const member of members) {
    sum += (model.end[member] as number) - (model.start[member] as number)
    failed += Number(hasFlag(model, member, SPAN_FLAGS.failed))
    from = Math.min(from, model.start[member] as number)
    to = Math.max(to, model.end[member] as number)
  }
  return { members, sum, failed, from, to }
}

/** Which nodes hide what is below them, at first: rows of spans that are alike. */
export function initiallyClosed(layout: Layout): Uint8Array {
  const closed = new Uint8Array(layout.count)
  for (const node of layout.folds.keys()) closed[node] = 1
  return closed
}

/**
 * What was closed by hand stays closed in another layout of the same trace.
 *
 * @param placeOf where a span is by now, once more of the trace came; -1 when it is gone
 */
export function carryClosed(
  from: Layout,
  closed: Uint8Array,
  to: Layout,
  placeOf: (span: number) => number = (span) => span,
): Uint8Array {
  const next = initiallyClosed(to)
  for (let node = 0; node < from.count; node += 1) {
    if (closed[node] !== 1 || from.kind[node] !== NODE.span) continue
    const span = placeOf(from.span[node] as number)
    if (span !== -1) next[to.nodeOf[span] as number] = 1
  }
  return next
}

/** The nodes that are shown, from top to bottom. */
export function visibleRows(layout: Layout, closed: Uint8Array): Int32Array {
  const rows = new Int32Array(layout.count)
  let shown = 0
  for (let node = 0; node < layout.count; shown += 1) {
    rows[shown] = node
    node += closed[node] === 1 ? (layout.size[node] as number) + 1 : 1
  }
  return rows.subarray(0, shown)
}

/** The row of a node, or of the closed node that hides it; -1 when there are no rows. */
export function rowOf(rows: Int32Array, node: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle] as number) <= node) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Opens whatever hides the node. The same array when nothing does. */
export function reveal(layout: Layout, closed: Uint8Array, node: number): Uint8Array {
  let next = closed
  for (let above = layout.parent[node] ?? -1; above !== -1; above = layout.parent[above] as number) {
    if (closed[above] === 0) continue
    if (next === closed) next = closed.slice()
    next[above] = 0
  }
  return next
}

export function toggled(closed: Uint8Array, node: number, isClosed: boolean): Uint8Array {
  const next = closed.slice()
  next[node] = Number(isClosed)
  return next
}

/** The row under a height of the list; -1 below the last one. */
export function rowAt(rows: Int32Array, rowHeight: number, y: number): number {
  const row = Math.floor(y / rowHeight)
  return y >= 0 && row < rows.length ? row : -1
}
