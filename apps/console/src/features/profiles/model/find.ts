import type { CallTree } from './call-tree.ts'
import type { ProfileModel } from './profile.ts'

/** What a search hits: functions, and the boxes that stand for them. */
export interface Hits {
  /** 1 for each function that it hits; null without a search. */
  readonly isHit: Uint8Array | null
  readonly functions: number
  /** From left to right, from top to bottom. */
  readonly boxes: Int32Array
  /** Share of the time in which one of them was on the stack. */
  readonly share: number
}

const NOTHING: Hits = { isHit: null, functions: 0, boxes: new Int32Array(), share: 0 }

export function findFunctions(model: ProfileModel, tree: CallTree, query: string): Hits {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return NOTHING
  const isHit = new Uint8Array(model.frames)
  let functions = 0
  for (let frame = 0; frame < model.frames; frame += 1) {
    const text = `${model.name[frame] ?? ''} ${model.place[frame] ?? ''}`.toLowerCase()
    if (!text.includes(wanted)) continue
    isHit[frame] = 1
    functions += 1
  }
  const boxes: number[] = []
  let covered = 0
  let end = -1
  for (let box = 0; box < tree.count; box += 1) {
    if (isHit[tree.frame[box] as number] !== 1) continue
    boxes.push(box)
    // Boxes come from left to right, callers before what they called: what begins within a hit is part of it.
    if ((tree.from[box] as number) < end) continue
    end = tree.to[box] as number
    covered += end - (tree.from[box] as number)
  }
  return { isHit, functions, boxes: Int32Array.from(boxes), share: model.ran === 0 ? 0 : covered / model.ran }
}

/** The hit behind (or before) a box, beginning anew at the end; -1 when there is none. */
export function nextHit(boxes: Int32Array, box: number, step: 1 | -1): number {
  if (boxes.length === 0) return -1
  const at = boxes.findIndex((one) => one >= box)
  if (step === 1) {
    const next = boxes.findIndex((one) => one > box)
    return boxes[next === -1 ? 0 : next] as number
  }
  return boxes[at <= 0 ? boxes.length - 1 : at - 1] as number
}
