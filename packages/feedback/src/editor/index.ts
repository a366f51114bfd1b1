import type { PictureTexts } from '../text/picture.en.ts'
import { chooseTool, closeLarge, leaveCrop, onLargeClosed, openLarge, undoOrRedo } from './actions.ts'
import { Board } from './board.ts'
import { type Edit, History, untouched } from './edit.ts'
import { type Area, wholePixels } from './geometry.ts'
import { listenToKeys, pressEscape } from './keys.ts'
import { paint } from './paint.ts'
import { buildParts } from './parts.ts'
import { listenToPointers } from './pointer.ts'

export interface EditorOptions {
  readonly texts: PictureTexts
  /** The picture as taken. Never changed. */
  readonly source: HTMLCanvasElement
  readonly history: History<Edit>
  /** For the editor's accessible name. */
  readonly number: number
  announce(text: string): void
  /** The edit changed: what is sent must be encoded again. */
  onChange(): void
  onRemove(): void
}

export interface Editor {
  readonly element: HTMLElement
  /** Shows it in the large view. Its element must be in the document. */
  enlarge(): void
  /** Says it where screen readers hear it: in the large view the form's live region is out of their sight. */
  say(text: string): void
  /** True when Escape meant something here: crop mode left, selection dropped, large view closed. */
  handleEscape(): boolean
  destroy(): void
}

/** Edited pixels on a canvas of their own: exactly what is sent. */
export const renderEdit = (source: HTMLCanvasElement, edit: Edit): HTMLCanvasElement => {
  const canvas = document.createElement('canvas')
  paint(canvas, source, edit, wholePixels(edit.crop, source))
  return canvas
}

export const newHistory = (source: Area): History<Edit> => new History(untouched(source))

/**
 * The picture editor: a stage with the picture, a frame or marks above it as real, focusable elements, and the tools.
 * The crop frame counts at once: what is inside is what would be sent, also when nobody presses Apply.
 */
export const createEditor = (options: EditorOptions): Editor => {
  const parts = buildParts(options.texts, options.number, {
    choose: (tool, isByKey) => chooseTool(board, tool, isByKey),
    undo: () => undoOrRedo(board, 'undo'),
    redo: () => undoOrRedo(board, 'redo'),
    toggleLarge: () => (parts.large.open ? closeLarge(board) : openLarge(board)),
    remove: options.onRemove,
    leaveCrop: (isKept) => leaveCrop(board, isKept),
  })
  const board = new Board(options, parts)
  parts.large.addEventListener('close', () => onLargeClosed(board))
  listenToPointers(board)
  listenToKeys(board)
  const observer = new ResizeObserver(() => board.layOut())
  observer.observe(parts.room)
  board.layOut()
  board.paintNow()
  return {
    element: parts.home,
    enlarge: () => openLarge(board),
    say: (text) => board.say(text),
    handleEscape: () => pressEscape(board),
    destroy: () => {
      observer.disconnect()
      board.destroy()
    },
  }
}
