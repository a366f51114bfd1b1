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

/** The way back to the form says so in words: it is what ends the work on a picture. */
const showEnlarge = ({ parts, options }: Board, name: 'enlarge' | 'shrink'): void => {
  const { enlarge } = parts
  const text = options.texts[name]
  enlarge.replaceChildren(name === 'shrink' ? text : icon(ICONS.enlarge))
  enlarge.setAttribute('aria-label', text)
  enlarge.title = name === 'shrink' ? '' : text
}

/** The large view is a dialog of its own, which the editor moves into. There a drag marks what the report is about. */
export const openLarge = (board: Board): void => {
  const { large, editor, home } = board.parts
  // A form that was closed meanwhile: what nobody sees must not lie over the page.
  if (large.open || home.getClientRects().length === 0) return
  board.opener = focused(home)
  home.closest('dialog')?.addEventListener('close', () => closeLarge(board), { once: true })
  large.append(editor)
  large.showModal()
  showEnlarge(board, 'shrink')
  board.tool ??= 'highlight'
  board.redraw()
  board.focusTool(board.tool)
}

/** At once, so that nobody sees a form without its picture. */
export const closeLarge = (board: Board): void => {
  board.parts.large.close()
  onLargeClosed(board)
}

/** Also when the browser closed the large view by itself. The focus goes back to where it was, if that is still shown. */
export const onLargeClosed = (board: Board): void => {
  const { home, editor, enlarge } = board.parts
  const { opener } = board
  if (editor.parentElement === home || !home.isConnected) return
  home.prepend(editor)
  showEnlarge(board, 'enlarge')
  // In the form a drag on the picture scrolls.
  if (board.tool !== 'crop') board.tool = null
  board.selected = null
  board.redraw()
  if (opener instanceof HTMLElement && opener.getClientRects().length > 0) opener.focus()
  else enlarge.focus()
}
