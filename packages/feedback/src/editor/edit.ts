import { boundsOf, type Area, type Box, type Point } from './geometry.ts'

export type MarkKind = 'highlight' | 'hide' | 'draw' | 'arrow'

/** A mark on the picture. `path` (draw, arrow) has points from 0 to 1 inside the box, so that moving and resizing the box is all there is. */
export interface Mark {
  readonly id: number
  readonly kind: MarkKind
  readonly box: Box
  readonly path: readonly Point[]
}

/** Everything the visitor did to one picture. A value: undo keeps the earlier ones. */
export interface Edit {
  readonly crop: Box
  readonly marks: readonly Mark[]
}

export const untouched = ({ width, height }: Area): Edit => ({ crop: { x: 0, y: 0, width, height }, marks: [] })

/** A mark through points in image pixels. A stroke that is a straight line still gets a box that can be grabbed. */
export const markThrough = (id: number, kind: MarkKind, points: readonly Point[]): Mark => {
  const tight = boundsOf(points)
  const box = { ...tight, width: Math.max(1, tight.width), height: Math.max(1, tight.height) }
  const isPath = kind === 'draw' || kind === 'arrow'
  return {
    id,
    kind,
    box,
    path: isPath ? points.map(({ x, y }) => ({ x: (x - box.x) / box.width, y: (y - box.y) / box.height })) : [],
  }
}

/** A ring, or an arrow from bottom left to top right: what the keyboard puts where the pointer would draw. */
export const markByKeyboard = (id: number, kind: MarkKind, view: Box): Mark => {
  const width = Math.max(Math.min(24, view.width), view.width / 4)
  const height = Math.max(Math.min(24, view.height), view.height / 4)
  const box = { x: view.x + (view.width - width) / 2, y: view.y + (view.height - height) / 2, width, height }
  return {
    id,
    kind,
    box,
    path:
      kind === 'draw'
        ? RING
        : kind === 'arrow'
          ? [
              { x: 0, y: 1 },
              { x: 1, y: 0 },
            ]
          : [],
  }
}

const RING: readonly Point[] = Array.from({ length: 33 }, (_, step) => {
  const turn = (step / 32) * 2 * Math.PI
  return { x: 0.5 + Math.cos(turn) / 2, y: 0.5 + Math.sin(turn) / 2 }
})

export const withMark = (edit: Edit, mark: Mark): Edit => ({
  ...edit,
  marks: [...edit.marks.filter((m) => m.id !== mark.id), mark],
})
export const withoutMark = (edit: Edit, id: number): Edit => ({
  ...edit,
  marks: edit.marks.filter((mark) => mark.id !== id),
})

const UNDO_STEPS = 100

/** Undo and redo over values. Edits that follow one another under the same `joined` key are one step (a drag, held arrow keys). */
export class History<Value> {
  #past: Value[] = []
  #future: Value[] = []
  #joined: unknown = null
  #now: Value

  constructor(first: Value) {
    this.#now = first
  }

  get now(): Value {
    return this.#now
  }

  get canUndo(): boolean {
    return this.#past.length > 0
  }

  get canRedo(): boolean {
    return this.#future.length > 0
  }

  push(next: Value, joined: unknown = null): void {
    if (joined === null || joined !== this.#joined) {
      this.#past.push(this.#now)
      if (this.#past.length > UNDO_STEPS) this.#past.shift()
    }
    this.#joined = joined
    this.#now = next
    this.#future = []
  }

  /** The next edit is a step of its own. */
  seal(): void {
    this.#joined = null
  }

  undo(): void {
    const last = this.#past.pop()
    if (last === undefined) return
    this.#future.push(this.#now)
    this.#now = last
    this.#joined = null
  }

  redo(): void {
    const next = this.#future.pop()
    if (next === undefined) return
    this.#past.push(this.#now)
    this.#now = next
    this.#joined = null
  }
}
