import type { ProfileModel } from './profile.ts'

/**
 * The boxes of a flame graph: a function, called by the one above it, for a stretch of the axis. Depth first, so that what
 * a box called stands behind it; as arrays, because there may be millions.
 */
export interface CallTree {
  readonly count: number
  readonly frame: Int32Array
  /** Index of the box above; -1 for roots. */
  readonly parent: Int32Array
  readonly depth: Int32Array
  /** Microseconds on the axis. */
  readonly from: Float64Array
  readonly to: Float64Array
  /** Microseconds of it in which the function itself ran. */
  readonly self: Float64Array
  /** Boxes by depth, from left to right. */
  readonly rows: readonly Int32Array[]
  /** Length of the axis. */
  readonly length: number
}

/** In the order of time; or the same stacks together, the heaviest first. */
export type Order = 'time' | 'heavy'

interface Open {
  readonly frame: number[]
  readonly parent: number[]
  readonly depth: number[]
  readonly from: number[]
  readonly to: number[]
  readonly self: number[]
}

const newBoxes = (): Open => ({ frame: [], parent: [], depth: [], from: [], to: [], self: [] })

function closed(boxes: Open, length: number): CallTree {
  const rows: number[][] = []
  boxes.depth.forEach((depth, box) => (rows[depth] ??= []).push(box))
  return {
    count: boxes.frame.length,
    frame: Int32Array.from(boxes.frame),
    parent: Int32Array.from(boxes.parent),
    depth: Int32Array.from(boxes.depth),
    from: Float64Array.from(boxes.from),
    to: Float64Array.from(boxes.to),
    self: Float64Array.from(boxes.self),
    rows: rows.map((row) => Int32Array.from(row)),
    length,
  }
}

/** Times that differ by less are the same moment: they were rounded. */
const SAME_MICROSECONDS = 2

/** @param showsWaiting leaves room on the axis for the time in which nothing ran; without it, that is cut out */
export function inOrderOfTime(model: ProfileModel, showsWaiting: boolean): CallTree {
  const { sampleAt, sampleStack, sampleWeight, stackFrame, stackParent } = model
  const boxes = newBoxes()
  /** Boxes that are open, by depth, and the stacks that they stand for. */
  let open: number[] = []
  let openStacks: number[] = []
  let position = 0
  let end = sampleAt[0] ?? 0
  for (let sample = 0; sample < sampleStack.length; sample += 1) {
    const at = sampleAt[sample] as number
    const weight = sampleWeight[sample] as number
    const stack = sampleStack[sample] as number
    const gap = at - end
    if (gap > SAME_MICROSECONDS && showsWaiting) position += gap
    const path = pathOf(stackParent, stack)
    const kept = gap > SAME_MICROSECONDS ? 0 : commonLength(path, openStacks)
    open = open.slice(0, kept)
    openStacks = path
    end = at + weight
    if (stack === -1) {
      if (showsWaiting) position += weight
      continue
    }
    for (let depth = kept; depth < path.length; depth += 1) {
      open.push(boxes.frame.length)
      boxes.frame.push(stackFrame[path[depth] as number] as number)
      boxes.parent.push(open[depth - 1] ?? -1)
      boxes.depth.push(depth)
      boxes.from.push(position)
      boxes.to.push(position)
      boxes.self.push(0)
    }
    position += weight
    for (const box of open) boxes.to[box] = position
    const leaf = open.at(-1)
    if (leaf !== undefined) boxes.self[leaf] = (boxes.self[leaf] ?? 0) + weight
  }
  return closed(boxes, position)
}

/** Stacks from the root down to one; none for -1. */
function pathOf(parent: Int32Array, stack: number): number[] {
  const path: number[] = []
  for (let place = stack; place !== -1; place = parent[place] ?? -1) path.push(place)
  return path.reverse()
}

function commonLength(one: readonly number[], other: readonly number[]): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index += 1) if (one[index] !== other[index]) return index
  return length
}

/** Each place of the call tree once, as wide as all of its time; the heaviest first. */
export function heaviestFirst(model: ProfileModel): CallTree {
  const { sampleStack, sampleWeight, stackFrame, stackParent } = model
  const self = new Float64Array(stackFrame.length)
  sampleStack.forEach((stack, sample) => {
    if (stack !== -1) self[stack] = (self[stack] as number) + (sampleWeight[sample] as number)
  })
  const total = Float64Array.from(self)
  for (let stack = stackFrame.length - 1; stack >= 0; stack -= 1) {
    const above = stackParent[stack] as number
    if (above !== -1) total[above] = (total[above] as number) + (total[stack] as number)
  }
  const below = childrenOf(stackParent)
  const byWeight = (one: number, other: number): number => (total[other] as number) - (total[one] as number)
  const boxes = newBoxes()
  const left: { readonly stack: number; readonly parent: number; readonly from: number }[] = []
  /** The last is taken first, so the heaviest is put last. */
  const put = (stacks: readonly number[], parent: number, from: number): void => {
    let position = from
    const placed = stacks.toSorted(byWeight).flatMap((stack) => {
      const at = position
      position += total[stack] as number
      return total[stack] === 0 ? [] : [{ stack, parent, from: at }]
    })
    left.push(...placed.reverse())
  }
  put(below.roots, -1, 0)
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const box = boxes.frame.length
    boxes.frame.push(stackFrame[next.stack] as number)
    boxes.parent.push(next.parent)
    boxes.depth.push(next.parent === -1 ? 0 : (boxes.depth[next.parent] as number) + 1)
    boxes.from.push(next.from)
    boxes.to.push(next.from + (total[next.stack] as number))
    boxes.self.push(self[next.stack] as number)
    put(below.of(next.stack), box, next.from)
  }
  return closed(boxes, model.ran)
}

function childrenOf(parent: Int32Array) {
  const first = new Int32Array(parent.length).fill(-1)
  const next = new Int32Array(parent.length).fill(-1)
  const roots: number[] = []
  for (let stack = parent.length - 1; stack >= 0; stack -= 1) {
    const above = parent[stack] as number
    if (above === -1) roots.push(stack)
    else {
      next[stack] = first[above] as number
      first[above] = stack
    }
  }
  return {
    roots,
    of: (stack: number): number[] => {
      const found: number[] = []
      for (let child = first[stack] as number; child !== -1; child = next[child] as number) found.push(child)
      return found
    },
  }
}

/** The box at a place of the graph; -1 where there is none. */
export function boxAt(tree: CallTree, depth: number, at: number): number {
  const row = tree.rows[depth]
  if (row === undefined) return -1
  const box = row[firstAfter(tree, row, at) - 1] ?? -1
  return box !== -1 && at < (tree.to[box] as number) ? box : -1
}

/** How many boxes of a row begin at a moment or before it. */
export function firstAfter(tree: CallTree, row: Int32Array, at: number): number {
  let [low, high] = [0, row.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((tree.from[row[middle] as number] as number) <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** What an arrow key leads to: the caller, the heaviest of what it called, the one beside it; the same box when there is none. */
export function neighbour(tree: CallTree, box: number, way: 'up' | 'down' | 'left' | 'right'): number {
  if (tree.count === 0) return -1
  if (box === -1) return tree.rows[0]?.[0] ?? -1
  const depth = tree.depth[box] as number
  if (way === 'up') return tree.parent[box] === -1 ? box : (tree.parent[box] as number)
  if (way === 'down') return heaviestBelow(tree, box)
  const row = tree.rows[depth] ?? new Int32Array()
  const place = firstAfter(tree, row, tree.from[box] as number) - 1
  return row[way === 'left' ? place - 1 : place + 1] ?? box
}

function heaviestBelow(tree: CallTree, box: number): number {
  const row = tree.rows[(tree.depth[box] as number) + 1]
  if (row === undefined) return box
  let found = box
  let most = -1
  for (let index = Math.max(0, firstAfter(tree, row, tree.from[box] as number) - 1); index < row.length; index += 1) {
    const child = row[index] as number
    if ((tree.from[child] as number) >= (tree.to[box] as number)) break
    if (tree.parent[child] !== box) continue
    const width = (tree.to[child] as number) - (tree.from[child] as number)
    if (width > most) [found, most] = [child, width]
  }
  return found
}

/** The widest box of a function; -1 when it has none. */
export function widestOf(tree: CallTree, frame: number): number {
  let found = -1
  let most = -1
  for (let box = 0; box < tree.count; box += 1) {
    if (tree.frame[box] !== frame) continue
    const width = (tree.to[box] as number) - (tree.from[box] as number)
    if (width > most) [found, most] = [box, width]
  }
  return found
}
