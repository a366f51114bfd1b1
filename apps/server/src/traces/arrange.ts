import type { Steps } from '../lib/sliced-work.ts'
import { LIMITS } from './limits.ts'

/** From the spans of a trace, in whatever order they came, to the rows of a waterfall. Pure, and without recursion. */

/** Spans between two of which other work of the thread can run. */
export const SPANS_PER_SLICE = 5000

export interface TraceSpan {
  /** 16 hex characters. */
  readonly id: string
  /** '' for none. */
  readonly parentId: string
  readonly projectId: number
  /** Which clock its times are of: spans of one service share one. */
  readonly clock: string
  /** Microseconds since the epoch. */
  readonly start: number
  /** Microseconds. */
  readonly duration: number
  /** It works on what another one left: it may well begin when its parent has ended. */
  readonly isAsync: boolean
}

export interface Arrangement {
  /** Depth first, children in the order in which they began: indexes of the spans as they were given. */
  readonly order: readonly number[]
  /** By place in `order`: the place of the parent, -1 for roots. */
  readonly parent: readonly number[]
  readonly depth: readonly number[]
  /** How many spans are below it; they stand right behind it. */
  readonly descendants: readonly number[]
  /** Microseconds in which none of its children ran. */
  readonly selfTime: readonly number[]
  /** Microseconds by which it is drawn later, as its service's clock differs from its parent's. */
  readonly shift: readonly number[]
  /** Places whose parent is not there. */
  readonly orphans: ReadonlySet<number>
  /** Places that were their own ancestor. */
  readonly cycles: ReadonlySet<number>
}

/** @param spans in the order of their start */
export const arrange = function* (spans: readonly TraceSpan[]): Steps<Arrangement> {
  const { parents, orphans } = yield* findParents(spans)
  const cycles = breakCycles(parents)
  yield
  const children = childrenOf(parents)
  const roots = parents.flatMap((parent, index) => (parent === NONE ? [index] : []))

  const order: number[] = []
  const placeOf = spans.map(() => 0)
  const depth: number[] = []
  const waiting = roots.toReversed().map((index) => ({ index, level: 0 }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { index, level } = next
    if (order.length % SPANS_PER_SLICE === SPANS_PER_SLICE - 1) yield
    placeOf[index] = order.length
    order.push(index)
    depth.push(level)
    const below = children[index] ?? []
    for (let at = below.length - 1; at >= 0; at -= 1) waiting.push({ index: below[at] ?? 0, level: level + 1 })
  }
  const parent = order.map((index) => {
    const above = parents[index] ?? NONE
    return above === NONE ? NONE : (placeOf[above] ?? NONE)
  })
  yield
  const selfTime: number[] = []
  for (const index of order) {
    if (selfTime.length % SPANS_PER_SLICE === SPANS_PER_SLICE - 1) yield
    selfTime.push(selfTimeOf(spans, index, children[index] ?? []))
  }
  yield
  const placesOf = (found: ReadonlySet<number>): Set<number> => new Set([...found].map((index) => placeOf[index] ?? 0))
  return {
    order,
    parent,
    depth,
    descendants: countDescendants(parent),
    selfTime,
    shift: shiftClocks(
      order.map((index) => spans[index]).filter((span) => span !== undefined),
      parent,
    ),
    orphans: placesOf(orphans),
    cycles: placesOf(cycles),
  }
}

const NONE = -1

/** Two services may have used one id: the parent of the same project is meant then, else the first. */
const findParents = function* (spans: readonly TraceSpan[]) {
  const anywhere = new Map<string, number>()
  const inProject = new Map<string, number>()
  for (const [index, { id, projectId }] of spans.entries()) {
    if (index % SPANS_PER_SLICE === SPANS_PER_SLICE - 1) yield
    if (!anywhere.has(id)) anywhere.set(id, index)
    const key = `${projectId}:${id}`
    if (!inProject.has(key)) inProject.set(key, index)
  }
  const orphans = new Set<number>()
  const parents: number[] = []
  for (const [index, { parentId, projectId }] of spans.entries()) {
    if (index % SPANS_PER_SLICE === SPANS_PER_SLICE - 1) yield
    const found = inProject.get(`${projectId}:${parentId}`) ?? anywhere.get(parentId)
    if (parentId !== '' && found === undefined) orphans.add(index)
    parents.push(parentId === '' ? NONE : (found ?? NONE))
  }
  return { parents, orphans }
}

/** Cuts each cycle at its earliest span. @returns where it was cut */
const breakCycles = (parents: number[]): Set<number> => {
  const cut = new Set<number>()
  /** 0: not seen; otherwise the number of the walk that saw it. */
  const seen = new Uint32Array(parents.length)
  for (let start = 0; start < parents.length; start += 1) {
    const walk = start + 1
    let at = start
    while (at !== NONE && seen[at] === 0) {
      seen[at] = walk
      at = parents[at] ?? NONE
    }
    if (at === NONE || seen[at] !== walk) continue
    let earliest = at
    for (let next = parents[at] ?? NONE; next !== at && next !== NONE; next = parents[next] ?? NONE) {
      earliest = Math.min(earliest, next)
    }
    parents[earliest] = NONE
    cut.add(earliest)
  }
  return cut
}

const childrenOf = (parents: readonly number[]): (number[] | undefined)[] => {
  const children: (number[] | undefined)[] = Array.from({ length: parents.length })
  parents.forEach((parent, index) => {
    if (parent === NONE) return
    const known = children[parent]
    if (known === undefined) children[parent] = [index]
    else known.push(index)
  })
  return children
}

const countDescendants = (parent: readonly number[]): number[] => {
  const descendants = parent.map(() => 0)
  for (let place = parent.length - 1; place >= 0; place -= 1) {
    const above = parent[place] ?? NONE
    if (above !== NONE) descendants[above] = (descendants[above] ?? 0) + (descendants[place] ?? 0) + 1
  }
  return descendants
}

/** Its duration without what its children took together, wherever they overlap or stand out. */
const selfTimeOf = (spans: readonly TraceSpan[], index: number, children: readonly number[]): number => {
  const span = spans[index]
  if (span === undefined) return 0
  const end = span.start + span.duration
  let covered = 0
  let until = span.start
  for (const child of children) {
    const below = spans[child]
    if (below === undefined) continue
    const from = Math.max(below.start, until)
    const to = Math.min(below.start + below.duration, end)
    if (to > from) {
      covered += to - from
      until = to
    }
  }
  return Math.max(0, span.duration - covered)
}

/** One that only ends a little later than its parent was not put out by a clock: answers are read while they are sent. */
const isInside = ({ start, duration }: TraceSpan, from: number, to: number): boolean =>
  start >= from && start < to && start + duration - to < duration / 2

const LARGEST_SHIFT = LIMITS.TRACE_SHIFT_MS * 1000

/**
 * Services have clocks of their own. Where a span of another service stands out of its parent, it and what is below it of
 * that service is drawn inside: one that is longer and begins too early from its parent's start, one that is shorter in
 * the middle, as if the way there and back took equally long (as Jaeger does). Times that are stored stay as they are.
 *
 * @param spans in the order of the waterfall
 */
const shiftClocks = (spans: readonly TraceSpan[], parent: readonly number[]): number[] => {
  const shift = spans.map(() => 0)
  spans.forEach((span, place) => {
    const at = parent[place] ?? NONE
    const above = spans[at]
    if (above === undefined) return
    const inherited = shift[at] ?? 0
    if (above.clock === span.clock) {
      shift[place] = inherited
      return
    }
    const start = above.start + inherited
    const end = start + above.duration
    let moved = 0
    if (span.isAsync) moved = Math.max(0, start - span.start)
    else if (span.duration > above.duration) moved = Math.max(0, start - span.start)
    else if (!isInside(span, start, end)) {
      moved = start + Math.round((above.duration - span.duration) / 2) - span.start
    }
    shift[place] = Math.abs(moved) > LARGEST_SHIFT ? 0 : moved
  })
  return shift
}
