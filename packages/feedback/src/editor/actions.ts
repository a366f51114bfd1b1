import type { Board } from './board.ts'
import { fill, icon, ICONS } from './dom.ts'
import { markByKeyboard, withMark } from './edit.ts'
import { wholePixels } from './geometry.ts'
import type { Tool } from './parts.ts'

/** Takes a tool. By key a mark is put on the picture at once, because there is no pointer to draw it with. */
export const chooseTool = (board: Board, tool: Tool, isByKey: boolean): void => {
  if (tool === 'crop') {
    if (board.tool === 'crop') return leaveCrop(board, true)
    board.tool = 'crop'
    board.selected = null
    board.cropBefore = board.history.now.crop
  } else {
    board.tool = tool
    if (isByKey) {
      const { history, source } = board
      const mark = markByKeyboard(board.newMarkId(), tool, wholePixels(history.now.crop, source))
      board.change(withMark(history.now, mark))
      board.options.onChange()
      board.focusMark(mark.id)
      board.saySize(mark.box)
    }
  }
  board.redraw()
  if (tool === 'crop' && isByKey) board.parts.corners[0]?.[1].focus()
}

/** @param isKept false goes back to the crop of before */
export const leaveCrop = (board: Board, isKept: boolean): void => {
  const { history, parts, options } = board
  const { crop } = history.now
  if (!isKept && crop !== board.cropBefore) {
    board.change({ ...history.now, crop: board.cropBefore })
    options.onChange()
  }
  const hadFocus = [parts.frame, parts.cancel, parts.apply].some((part) => part.contains(focused(parts.editor)))
  board.tool = null
  board.redraw()
  if (hadFocus) board.focusTool('crop')
  const { width, height } = wholePixels(crop, board.source)
  board.say(isKept ? fill(options.texts.cropApplied, { width, height }) : options.texts.cropCancelled)
}

const focused = (inside: Element): Element | null => {
  const root = inside.getRootNode()
  return root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null
}

export const undoOrRedo = (board: Board, way: 'undo' | 'redo'): void => {
  const { history, options } = board
  if (!(way === 'undo' ? history.canUndo : history.canRedo)) return
  history[way]()
  board.selected = null
  board.redraw()
  options.onChange()
  board.say(way === 'undo' ? options.texts.undone : options.texts.redone)
}

const showEnlarge = ({ parts, options }: Board, name: 'enlarge' | 'shrink'): void => {
  const { enlarge } = parts
  enlarge.replaceChildren(icon(ICONS[name]))
  enlarge.setAttribute('aria-label', options.texts[name])
  enlarge.title = options.texts[name]
}

/** The large view is a dialog of its own, which the editor moves into. */
export const toggleLarge = (board: Board): void => {
  const { large, editor, enlarge } = board.parts
  if (large.open) return large.close()
  large.append(editor)
  large.showModal()
  showEnlarge(board, 'shrink')
  board.layOut()
  enlarge.focus()
}

/** Also when the browser closed the large view by itself. */
export const onLargeClosed = (board: Board): void => {
  const { home, editor, enlarge } = board.parts
  home.prepend(editor)
  showEnlarge(board, 'enlarge')
  board.layOut()
  enlarge.focus()
}
