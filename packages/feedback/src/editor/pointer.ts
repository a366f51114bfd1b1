import type { Board } from './board.ts'
import { type Drag, dragCrop, dragMark, dragNewMark, handleOf } from './drags.ts'
import type { Point } from './geometry.ts'

/** Where the pointer is, in image pixels, inside what is shown. */
const pointAt = (board: Board, event: PointerEvent): Point => {
  const box = board.parts.stage.getBoundingClientRect()
  const shown = board.view()
  // By the stage's real size: the page may scale the widget's host.
  const ratio = shown.width / (box.width || 1)
  return {
    x: Math.min(Math.max(shown.x + (event.clientX - box.left) * ratio, shown.x), shown.x + shown.width),
    y: Math.min(Math.max(shown.y + (event.clientY - box.top) * ratio, shown.y), shown.y + shown.height),
  }
}

/** What a press begins: null when it only takes the selection off. */
const dragFrom = (board: Board, event: PointerEvent, target: Element): Drag | null => {
  const { pointerId } = event
  const start = pointAt(board, event)
  if (board.tool === 'crop') return dragCrop(board, pointerId, start, target)
  const id = Number(target.closest<HTMLElement>('.mark')?.dataset['id'] ?? Number.NaN)
  const mark = board.markOf(id)
  board.select(mark?.id ?? null)
  if (mark !== undefined) return dragMark(board, pointerId, start, mark, handleOf(target))
  return board.tool === null ? null : dragNewMark(board, pointerId, start, board.tool)
}

/** Mouse, touch and pen on the stage. */
export const listenToPointers = (board: Board): void => {
  const { stage } = board.parts
  let drag: Drag | null = null

  stage.addEventListener('pointerdown', (event) => {
    const { target } = event
    if (drag !== null || event.button !== 0 || board.isDisabled() || !(target instanceof Element)) return
    if (target.closest('.erase') !== null) return
    drag = dragFrom(board, event, target)
    if (drag === null) return
    // The default would start a selection or a native drag. Focus, which it would also give, is given here.
    event.preventDefault()
    target.closest<HTMLElement>('button')?.focus({ preventScroll: true })
    stage.setPointerCapture(event.pointerId)
  })
  stage.addEventListener('pointermove', (event) => {
    if (drag?.pointer !== event.pointerId) return
    if (board.tool === 'draw') for (const part of event.getCoalescedEvents?.() ?? []) drag.move(pointAt(board, part))
    drag.move(pointAt(board, event))
  })
  const endDrag = (event: PointerEvent): void => {
    if (drag?.pointer !== event.pointerId) return
    const ended = drag
    drag = null
    ended.end()
    board.history.seal()
  }
  stage.addEventListener('pointerup', endDrag)
  stage.addEventListener('pointercancel', endDrag)
}
