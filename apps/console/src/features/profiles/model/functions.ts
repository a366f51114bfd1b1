import type { CallTree } from './call-tree.ts'

/** How long each function ran, over all places from where it was called. Microseconds. */
export interface Functions {
  /** With all that it called; a function that calls itself is counted once. */
  readonly total: Float64Array
  readonly self: Float64Array
  /** By their own time, the heaviest first; those that never ran are left out. */
  readonly bySelf: Int32Array
}

/** Calls `visit` for each box, and says whether its function is among those above it. */
function eachBox(tree: CallTree, frames: number, visit: (box: number, isNested: boolean) => void): void {
  const onPath = new Int32Array(frames)
  const path: number[] = []
  for (let box = 0; box < tree.count; box += 1) {
    const depth = tree.depth[box] as number
    while (path.length > depth) {
      const left = path.pop() as number
      onPath[left] = (onPath[left] as number) - 1
    }
    const frame = tree.frame[box] as number
    visit(box, (onPath[frame] as number) > 0)
    onPath[frame] = (onPath[frame] as number) + 1
    path.push(frame)
  }
}

const widthOf = (tree: CallTree, box: number): number => (tree.to[box] as number) - (tree.from[box] as number)

export function functionsOf(tree: CallTree, frames: number): Functions {
  const total = new Float64Array(frames)
  const self = new Float64Array(frames)
  eachBox(tree, frames, (box, isNested) => {
    const frame = tree.frame[box] as number
    self[frame] = (self[frame] as number) + (tree.self[box] as number)
    if (!isNested) total[frame] = (total[frame] as number) + widthOf(tree, box)
  })
  const bySelf = Int32Array.from({ length: frames }, (_, frame) => frame).filter(
    (frame) => (total[frame] as number) > 0,
  )
  bySelf.sort(
    (one, other) =>
      (self[other] as number) - (self[one] as number) || (total[other] as number) - (total[one] as number),
  )
  return { total, self, bySelf }
}

/** A function beside another, and how long it ran there. */
export interface Neighbour {
  /** -1 where nobody called: the beginning of a stack. */
  readonly frame: number
  readonly time: number
}

/** Who called a function, and what it called, the heaviest first. */
export function neighboursOf(
  tree: CallTree,
  frames: number,
  frame: number,
): { readonly callers: readonly Neighbour[]; readonly callees: readonly Neighbour[] } {
  const callers = new Map<number, number>()
  const callees = new Map<number, number>()
  const add = (times: Map<number, number>, key: number, time: number): void =>
    void times.set(key, (times.get(key) ?? 0) + time)
  eachBox(tree, frames, (box, isNested) => {
    const above = tree.parent[box] as number
    const caller = above === -1 ? -1 : (tree.frame[above] as number)
    if (tree.frame[box] === frame && !isNested) add(callers, caller, widthOf(tree, box))
    if (caller === frame && tree.frame[box] !== frame) add(callees, tree.frame[box] as number, widthOf(tree, box))
  })
  const sorted = (times: ReadonlyMap<number, number>): Neighbour[] =>
    [...times].map(([one, time]) => ({ frame: one, time })).toSorted((one, other) => other.time - one.time)
  return { callers: sorted(callers), callees: sorted(callees) }
}
