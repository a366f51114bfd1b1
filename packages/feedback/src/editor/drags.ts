import type { Board } from './board.ts'
import { type Mark, type MarkKind, markThrough, withMark } from './edit.ts'
import {
  type Box,
  boxBetween,
  type Corner,
  cornerOf,
  keepInside,
  moveBox,
  moveCorner,
  type Point,
  smallestSelection,
} from './geometry.ts'

/** A drag in progress, in image pixels: what it draws is one step of undo. */
export interface Drag {
  readonly pointer: number
  move(to: Point): void
  end(): void
}

/** A press without a drag does not make a mark. */
const SMALLEST_MARK_PX = 4

const between = (start: Point, to: Point): Point => ({ x: to.x - start.x, y: to.y - start.y })
const plus = (point: Point, by: Point): Point => ({ x: point.x + by.x, y: point.y + by.y })

/** By a corner it resizes the crop, by the frame it moves it, and beside it (or where all is selected) it draws another. */
export const dragCrop = (board: Board, pointer: number, start: Point, target: Element): Drag => {
  const { history, source, parts } = board
  const step = {}
  const from = history.now.crop
  const smallest = smallestSelection(source, board.scale)
  const corner = handleOf(target)
  const isWhole = from.width >= source.width && from.height >= source.height
  const isMoving = target === parts.mover && !isWhole
  const cropAt = (to: Point): Box => {
    const by = between(start, to)
    if (corner !== undefined) return moveCorner(from, corner, plus(cornerOf(from, corner), by), source, smallest)
    return isMoving ? moveBox(from, by, source) : keepInside(boxBetween(start, to), source, smallest)
  }
  return {
    pointer,
    move: (to) => board.change({ ...history.now, crop: cropAt(to) }, step),
    end: () => {
      if (history.now.crop === from) return
      board.options.onChange()
      board.saySize(history.now.crop)
    },
  }
}

/** @param corner by which the mark is resized; without one it is moved */
export const dragMark = (board: Board, pointer: number, start: Point, mark: Mark, corner: Corner | undefined): Drag => {
  const { history } = board
  const step = {}
  const bounds = board.view()
  return {
    pointer,
    move: (to) => {
      const by = between(start, to)
      const box =
        corner === undefined
          ? moveWithin(mark.box, by, bounds)
          : resizeWithin(mark.box, corner, by, bounds, board.scale)
      board.change(withMark(history.now, { ...mark, box }), step)
    },
    end: () => {
      const now = board.markOf(mark.id)
      if (now === undefined || now.box === mark.box) return
      board.options.onChange()
      board.saySize(now.box)
    },
  }
}

export const dragNewMark = (board: Board, pointer: number, start: Point, kind: MarkKind): Drag => {
  const { history } = board
  const id = board.newMarkId()
  const points: Point[] = [start]
  return {
    pointer,
    move: (to) => {
      if (kind === 'draw') points.push(to)
      else points[1] = to
      board.change(withMark(history.now, markThrough(id, kind, points)), id)
    },
    end: () => {
      const made = board.markOf(id)
      if (made === undefined) return
      if (Math.max(made.box.width, made.box.height) * board.scale < SMALLEST_MARK_PX) {
        history.undo()
        board.redraw()
        return
      }
      board.selected = id
      history.seal()
      board.drawOverlays()
      board.focusMark(id, { preventScroll: true })
      board.options.onChange()
      board.saySize(made.box)
    },
  }
}

export const handleOf = (target: Element): Corner | undefined =>
  target.closest<HTMLElement>('.handle')?.dataset['corner'] as Corner | undefined

/** Marks may reach beyond the crop of the moment, but are moved inside what is shown. */
export const moveWithin = (box: Box, by: Point, bounds: Box): Box => {
  const moved = moveBox({ ...box, x: box.x - bounds.x, y: box.y - bounds.y }, by, bounds)
  return { ...box, x: moved.x + bounds.x, y: moved.y + bounds.y }
}

export const resizeWithin = (box: Box, corner: Corner, by: Point, bounds: Box, scale: number): Box => {
  const smallest = { width: SMALLEST_MARK_PX / scale, height: SMALLEST_MARK_PX / scale }
  const inBounds = { ...box, x: box.x - bounds.x, y: box.y - bounds.y }
  const resized = moveCorner(inBounds, corner, plus(cornerOf(inBounds, corner), by), bounds, smallest)
  return { ...resized, x: resized.x + bounds.x, y: resized.y + bounds.y }
}
