import { button, element, fill, icon, ICONS, place } from './dom.ts'
import { type Edit, type History, type Mark, withoutMark } from './edit.ts'
import { type Area, type Box, CORNERS, shownScale, wholePixels } from './geometry.ts'
import type { EditorOptions } from './index.ts'
import { paint } from './paint.ts'
import { type EditorParts, type Tool, toolNames } from './parts.ts'

const INLINE_HEIGHT_PX = 260
const SMALLEST_HEIGHT_PX = 80
const ROOM_PADDING_PX = 28

interface MarkElements {
  readonly group: HTMLElement
  readonly grip: HTMLButtonElement
  readonly erase: HTMLButtonElement
}

/** Shows an edit: the picture and its frame or marks, at the scale that fits. Knows the tool and the selected mark. */
export class Board {
  readonly options: EditorOptions
  readonly parts: EditorParts
  readonly history: History<Edit>
  readonly source: HTMLCanvasElement
  tool: Tool | null = null
  /** What had the focus before the large view. */
  opener: Element | null = null
  /** The selected mark's id. */
  selected: number | null = null
  /** What Cancel goes back to. */
  cropBefore: Box
  /** CSS pixels per image pixel. */
  scale = 1
  readonly #shownMarks = new Map<number, MarkElements>()
  #lastMark: number
  #frameRequest = 0

  constructor(options: EditorOptions, parts: EditorParts) {
    this.options = options
    this.parts = parts
    this.source = options.source
    this.history = options.history
    this.cropBefore = this.history.now.crop
    this.#lastMark = Math.max(0, ...this.history.now.marks.map(({ id }) => id))
  }

  newMarkId(): number {
    this.#lastMark += 1
    return this.#lastMark
  }

  /** Says it to screen readers: in the large view the form's own live region is out of their sight. */
  say(text: string): void {
    if (this.parts.large.open) this.parts.status.textContent = text
    else this.options.announce(text)
  }

  saySize(box: Box): void {
    this.say(fill(this.options.texts.size, this.#sizeOf(box)))
  }

  nameOf(tool: Tool): string {
    return toolNames(this.options.texts).find(([name]) => name === tool)?.[1] ?? tool
  }

  /** The part of the picture on the stage, in image pixels: all of it while cropping, else what is inside the crop. */
  view(): Box {
    const { width, height } = this.source
    return this.tool === 'crop' ? { x: 0, y: 0, width, height } : wholePixels(this.history.now.crop, this.source)
  }

  layOut(): void {
    const { room, stage, large } = this.parts
    const shown = this.view()
    const width = Math.max(1, room.clientWidth - ROOM_PADDING_PX)
    const height = large.open ? Math.max(SMALLEST_HEIGHT_PX, room.clientHeight - ROOM_PADDING_PX) : INLINE_HEIGHT_PX
    this.scale = shownScale(shown, { width, height })
    stage.style.width = `${shown.width * this.scale}px`
    stage.style.height = `${shown.height * this.scale}px`
    this.drawOverlays()
  }

  /** Frame, marks and the state of the buttons. */
  drawOverlays(): void {
    const { frame, shade, cancel, apply, undo, redo, stage, toolButtons } = this.parts
    const isCropping = this.tool === 'crop'
    frame.hidden = shade.hidden = !isCropping
    cancel.hidden = apply.hidden = !isCropping
    undo.hidden = redo.hidden = isCropping
    stage.dataset['tool'] = this.tool ?? ''
    if (isCropping) this.#drawFrame()
    for (const [name, made] of toolButtons) made.setAttribute('aria-pressed', String(this.tool === name))
    undo.setAttribute('aria-disabled', String(!this.history.canUndo))
    redo.setAttribute('aria-disabled', String(!this.history.canRedo))
    this.#drawMarks(isCropping ? [] : this.history.now.marks)
  }

  #drawFrame(): void {
    const { frame, shade, mover, size } = this.parts
    const { texts } = this.options
    const { crop } = this.history.now
    place(frame.style, this.#inCss(crop))
    place(shade.style, this.#inCss(crop))
    size.textContent = fill(texts.size, this.#sizeOf(crop))
    mover.setAttribute('aria-label', `${texts.cropFrame}, ${size.textContent}`)
  }

  #drawMarks(marks: readonly Mark[]): void {
    const { texts } = this.options
    for (const [id, { group }] of this.#shownMarks) {
      if (marks.some((mark) => mark.id === id)) continue
      group.remove()
      this.#shownMarks.delete(id)
    }
    for (const [index, mark] of marks.entries()) {
      const shown = this.#shownMarks.get(mark.id) ?? this.#newMarkElements(mark)
      place(shown.group.style, this.#inCss(mark.box))
      shown.group.classList.toggle('selected', mark.id === this.selected)
      const values = { tool: this.nameOf(mark.kind), number: index + 1, ...this.#sizeOf(mark.box) }
      shown.grip.setAttribute('aria-label', fill(texts.mark, values))
      shown.erase.setAttribute('aria-label', fill(texts.deleteMark, values))
    }
  }

  #newMarkElements({ id, kind }: Mark): MarkElements {
    const grip = element('button', {
      type: 'button',
      class: 'grip',
      'data-mark': String(id),
      'aria-describedby': this.parts.markHelpId,
    })
    grip.addEventListener('focus', () => this.select(id))
    const handles = CORNERS.map((corner) => element('span', { class: 'handle', 'data-corner': corner }))
    const erase = button({ class: 'erase' }, icon(ICONS.close), () => this.eraseMark(id))
    const group = element('div', { class: `mark ${kind}`, 'data-id': String(id) }, grip, ...handles, erase)
    this.parts.marks.append(group)
    const made = { group, grip, erase }
    this.#shownMarks.set(id, made)
    return made
  }

  paintNow(): void {
    paint(this.parts.canvas, this.source, this.history.now, this.view())
  }

  /** Lays out at once, paints with the next frame. */
  redraw(): void {
    this.layOut()
    this.#frameRequest ||= requestAnimationFrame(() => {
      this.#frameRequest = 0
      this.paintNow()
    })
  }

  /** Shows another edit. Those that follow one another under the same `joined` key are one step of undo. */
  change(edit: Edit, joined: unknown = null): void {
    this.history.push(edit, joined)
    this.redraw()
  }

  select(id: number | null): void {
    if (this.selected === id) return
    this.selected = id
    this.history.seal()
    this.drawOverlays()
  }

  markOf(id: number | null): Mark | undefined {
    return this.history.now.marks.find((mark) => mark.id === id)
  }

  eraseMark(id: number): void {
    const mark = this.markOf(id)
    if (mark === undefined) return
    this.selected = null
    this.change(withoutMark(this.history.now, id))
    this.options.onChange()
    this.focusTool(mark.kind)
    this.say(fill(this.options.texts.markDeleted, { tool: this.nameOf(mark.kind) }))
  }

  focusTool(tool: Tool | undefined): void {
    this.parts.toolButtons.find(([name]) => name === tool)?.[1].focus()
  }

  focusMark(id: number, options?: FocusOptions): void {
    this.#shownMarks.get(id)?.grip.focus(options)
  }

  /** A form that is being sent disables its fieldset, and the editor with it. */
  isDisabled(): boolean {
    return this.parts.editor.closest('fieldset:disabled') !== null
  }

  destroy(): void {
    cancelAnimationFrame(this.#frameRequest)
    if (this.parts.large.open) this.parts.large.close()
    this.parts.home.remove()
  }

  #inCss(box: Box): Box {
    const origin = this.view()
    return {
      x: (box.x - origin.x) * this.scale,
      y: (box.y - origin.y) * this.scale,
      width: box.width * this.scale,
      height: box.height * this.scale,
    }
  }

  #sizeOf(box: Box): { width: number; height: number } {
    const { width, height }: Area = wholePixels(box, this.source)
    return { width, height }
  }
}
