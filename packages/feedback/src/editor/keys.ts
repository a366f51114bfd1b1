import { closeLarge, leaveCrop, undoOrRedo } from './actions.ts'
import type { Board } from './board.ts'
import { moveWithin, resizeWithin } from './drags.ts'
import { withMark } from './edit.ts'
import { type Corner, cornerOf, moveBox, moveCorner, type Point, smallestSelection } from './geometry.ts'

const CROP_STEP_PX = 1
const CROP_LEAP_PX = 10
const MARK_STEP_PX = 4

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** How far an arrow key goes, in image pixels. */
const arrowStep = (board: Board, key: string, cssPixels: number): Point | undefined => {
  const arrow = ARROWS[key]
  return arrow && { x: (arrow.x * cssPixels) / board.scale, y: (arrow.y * cssPixels) / board.scale }
}

/** Enter takes the crop; arrows move the frame or the corner that has the focus. */
const pressOnCrop = (board: Board, event: KeyboardEvent, target: HTMLElement): boolean => {
  if (event.key === 'Enter') {
    leaveCrop(board, true)
    return true
  }
  const by = arrowStep(board, event.key, event.shiftKey ? CROP_LEAP_PX : CROP_STEP_PX)
  if (by === undefined) return false
  const { history, source, scale } = board
  const { crop: from } = history.now
  const corner = target.dataset['corner'] as Corner | undefined
  const at = corner && cornerOf(from, corner)
  const crop =
    corner === undefined || at === undefined
      ? moveBox(from, by, source)
      : moveCorner(from, corner, { x: at.x + by.x, y: at.y + by.y }, source, smallestSelection(source, scale))
  board.change({ ...history.now, crop }, target)
  board.options.onChange()
  board.saySize(history.now.crop)
  return true
}

/** Delete erases the mark; arrows move it, with Shift they move its corner. */
const pressOnMark = (board: Board, event: KeyboardEvent, id: number): boolean => {
  const mark = board.markOf(id)
  if (mark === undefined) return false
  if (event.key === 'Delete' || event.key === 'Backspace') {
    board.eraseMark(id)
    return true
  }
  const by = arrowStep(board, event.key, MARK_STEP_PX)
  if (by === undefined) return false
  const box = event.shiftKey
    ? resizeWithin(mark.box, 'bottomRight', by, board.view(), board.scale)
    : moveWithin(mark.box, by, board.view())
  board.change(withMark(board.history.now, { ...mark, box }), `${id}${String(event.shiftKey)}`)
  board.options.onChange()
  board.saySize(box)
  return true
}

/** True when Escape meant something here: crop mode left, selection dropped, large view closed. */
export const pressEscape = (board: Board): boolean => {
  if (board.tool === 'crop') leaveCrop(board, false)
  else if (board.selected !== null) {
    const kind = board.markOf(board.selected)?.kind
    board.select(null)
    board.focusTool(kind)
  } else if (board.parts.large.open) closeLarge(board)
  else return false
  return true
}

const press = (board: Board, event: KeyboardEvent, target: HTMLElement): boolean => {
  const key = event.key.toLowerCase()
  if (event.key === 'Escape') return pressEscape(board)
  if (event.ctrlKey || event.metaKey) {
    if (key !== 'z' && key !== 'y') return false
    undoOrRedo(board, key === 'y' || event.shiftKey ? 'redo' : 'undo')
    return true
  }
  if (event.altKey) return false
  if (board.parts.frame.contains(target)) return pressOnCrop(board, event, target)
  const mark = target.dataset['mark']
  return mark !== undefined && pressOnMark(board, event, Number(mark))
}

export const listenToKeys = (board: Board): void => {
  board.parts.editor.addEventListener('keydown', (event) => {
    const { target } = event
    if (!(target instanceof HTMLElement) || board.isDisabled() || !press(board, event, target)) return
    event.preventDefault()
    event.stopPropagation()
  })
}
