import type { PictureTexts } from '../text/picture.en.ts'
import { button, element, fill, icon, ICONS, place } from './dom.ts'
import {
  type Edit,
  History,
  type Mark,
  markByKeyboard,
  type MarkKind,
  markThrough,
  untouched,
  withMark,
  withoutMark,
} from './edit.ts'
import {
  type Area,
  type Box,
  boxBetween,
  type Corner,
  cornerOf,
  CORNERS,
  keepInside,
  moveBox,
  moveCorner,
  type Point,
  shownScale,
  smallestSelection,
  wholePixels,
} from './geometry.ts'
import { paint } from './paint.ts'

export interface EditorOptions {
  readonly texts: PictureTexts
  /** The picture as taken. Never changed. */
  readonly source: HTMLCanvasElement
  readonly history: History<Edit>
  /** For the editor's accessible name. */
  readonly number: number
  /** Starts with the crop frame around the whole picture. */
  readonly startWithCrop: boolean
  announce(text: string): void
  /** The edit changed: what is sent must be encoded again. */
  onChange(): void
  onRemove(): void
}

export interface Editor {
  readonly element: HTMLElement
  /** True when Escape meant something here: crop mode left, selection dropped, large view closed. */
  handleEscape(): boolean
  destroy(): void
}

type Tool = 'crop' | MarkKind

/** A finished drag: what it drew is one step of undo. */
interface Drag {
  readonly pointer: number
  move(to: Point): void
  end(): void
}

const KEY_STEP_PX = 1
const KEY_LEAP_PX = 10
const MARK_STEP_PX = 4
/** A press without a drag does not make a mark. */
const SMALLEST_MARK_PX = 4
const INLINE_HEIGHT_PX = 260
const ROOM_PADDING_PX = 28

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
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
  const { texts, source, history } = options
  let tool: Tool | null = options.startWithCrop ? 'crop' : null
  let cropBefore = history.now.crop
  let selected: number | null = null
  let drag: Drag | null = null
  let scale = 1
  let nextMark = Math.max(0, ...history.now.marks.map(({ id }) => id)) + 1

  const status = element('div', { role: 'status', class: 'quiet' })
  const say = (text: string): void => {
    if (large.open) status.textContent = text
    else options.announce(text)
  }

  const canvas = element('canvas', { 'aria-hidden': 'true' })
  const shade = element('div', { class: 'shade' })
  const clip = element('div', { class: 'clip' }, canvas, shade)
  const help = element('p', { class: 'quiet', id: 'fh-crop-help' }, texts.cropHelp)
  const markHelp = element('p', { class: 'quiet', id: 'fh-mark-help' }, texts.markHelp)
  const mover = element('button', { type: 'button', class: 'mover', 'aria-describedby': help.id })
  const corners = CORNERS.map((corner) => {
    const handle = element('button', {
      type: 'button',
      class: 'handle',
      'data-corner': corner,
      'aria-label': texts[corner],
      'aria-describedby': help.id,
    })
    return [corner, handle] as const
  })
  const size = element('span', { class: 'size', 'aria-hidden': 'true' })
  const frame = element('div', { class: 'frame' }, mover, size, ...corners.map(([, handle]) => handle))
  const marks = element('div', { class: 'marks' })
  const stage = element('div', { class: 'stage' }, clip, marks, frame)
  const room = element('div', { class: 'room' }, stage)

  const toolNames: readonly (readonly [Tool, string])[] = [
    ['crop', texts.crop],
    ['highlight', texts.highlightToolText],
    ['hide', texts.hideToolText],
    ['draw', texts.draw],
    ['arrow', texts.arrow],
  ]
  const nameOf = (kind: Tool): string => toolNames.find(([name]) => name === kind)?.[1] ?? kind
  const toolButtons = toolNames.map(([name, label]) => {
    // detail is 0 when the button was pressed by key (or by assistive technology): then the mark is put there at once.
    const made = button({ class: 'tool', 'data-tool': name }, label, ({ detail }) => choose(name, detail === 0))
    return [name, made] as const
  })
  const iconButton = (
    name: keyof typeof ICONS,
    label: string,
    onClick: () => void,
    action: string = name,
  ): HTMLButtonElement =>
    button({ class: 'tool icon', 'aria-label': label, title: label, 'data-action': action }, icon(ICONS[name]), onClick)
  const undo = iconButton('undo', texts.undo, () => step('undo'))
  const redo = iconButton('redo', texts.redo, () => step('redo'))
  const enlarge = iconButton('enlarge', texts.enlarge, () => toggleLarge())
  const remove = iconButton('remove', texts.removeScreenshotButtonLabel, options.onRemove)
  // While cropping they stand where undo and redo do: no second row of buttons above those of the form.
  const cancel = iconButton('close', texts.cancel, () => leaveCrop(false), 'cancel')
  const apply = iconButton('check', texts.apply, () => leaveCrop(true), 'apply')
  const tools = element(
    'div',
    { class: 'tools', role: 'group', 'aria-label': texts.tools },
    ...toolButtons.map(([, made]) => made),
    element('span', { class: 'icons' }, undo, redo, enlarge, remove, cancel, apply),
  )
  const editor = element(
    'div',
    { class: 'editor', role: 'group', 'aria-label': fill(texts.editor, { number: options.number }) },
    room,
    tools,
    help,
    markHelp,
    status,
  )
  const large = element('dialog', { class: 'large', 'aria-label': fill(texts.editor, { number: options.number }) })
  const home = element('div', { class: 'editor-home' }, editor, large)

  /** The part of the picture on the stage: all of it while cropping, else what is inside the crop. */
  const view = (): Box =>
    tool === 'crop' ? { x: 0, y: 0, width: source.width, height: source.height } : wholePixels(history.now.crop, source)
  const inCss = (box: Box): Box => {
    const origin = view()
    return {
      x: (box.x - origin.x) * scale,
      y: (box.y - origin.y) * scale,
      width: box.width * scale,
      height: box.height * scale,
    }
  }
  const sizeOf = (box: Box): { width: number; height: number } => {
    const { width, height } = wholePixels(box, source)
    return { width, height }
  }
  const saySize = (box: Box): void => say(fill(texts.size, sizeOf(box)))

  const layOut = (): void => {
    const shown = view()
    const width = Math.max(1, room.clientWidth - ROOM_PADDING_PX)
    const height = large.open ? Math.max(80, room.clientHeight - ROOM_PADDING_PX) : INLINE_HEIGHT_PX
    scale = shownScale(shown, { width, height })
    stage.style.width = `${shown.width * scale}px`
    stage.style.height = `${shown.height * scale}px`
    drawOverlays()
  }

  const drawOverlays = (): void => {
    const { crop, marks: list } = history.now
    const cropping = tool === 'crop'
    frame.hidden = shade.hidden = !cropping
    cancel.hidden = apply.hidden = !cropping
    undo.hidden = redo.hidden = cropping
    stage.dataset['tool'] = tool ?? ''
    if (cropping) {
      place(frame.style, inCss(crop))
      place(shade.style, inCss(crop))
      mover.setAttribute('aria-label', `${texts.cropFrame}, ${fill(texts.size, sizeOf(crop))}`)
      size.textContent = fill(texts.size, sizeOf(crop))
    }
    for (const [name, made] of toolButtons) made.setAttribute('aria-pressed', String(tool === name))
    undo.setAttribute('aria-disabled', String(!history.canUndo))
    redo.setAttribute('aria-disabled', String(!history.canRedo))
    drawMarks(cropping ? [] : list)
  }

  const shownMarks = new Map<number, { group: HTMLElement; grip: HTMLButtonElement; erase: HTMLButtonElement }>()
  const drawMarks = (list: readonly Mark[]): void => {
    for (const [id, { group }] of shownMarks) {
      if (list.some((mark) => mark.id === id)) continue
      group.remove()
      shownMarks.delete(id)
    }
    for (const [index, mark] of list.entries()) {
      const shown = shownMarks.get(mark.id) ?? newMarkElement(mark)
      place(shown.group.style, inCss(mark.box))
      shown.group.classList.toggle('selected', mark.id === selected)
      const values = { tool: nameOf(mark.kind), number: index + 1, ...sizeOf(mark.box) }
      shown.grip.setAttribute('aria-label', fill(texts.mark, values))
      shown.erase.setAttribute('aria-label', fill(texts.deleteMark, values))
    }
  }

  const newMarkElement = ({ id, kind }: Mark) => {
    const grip = element('button', {
      type: 'button',
      class: 'grip',
      'data-mark': String(id),
      'aria-describedby': markHelp.id,
    })
    grip.addEventListener('focus', () => select(id))
    const handles = CORNERS.map((corner) => element('span', { class: 'handle', 'data-corner': corner }))
    const erase = button({ class: 'erase' }, icon(ICONS.close), () => eraseMark(id))
    const group = element('div', { class: `mark ${kind}`, 'data-id': String(id) }, grip, ...handles, erase)
    marks.append(group)
    const shown = { group, grip, erase }
    shownMarks.set(id, shown)
    return shown
  }

  let frameRequest = 0
  const repaint = (): void => {
    frameRequest ||= requestAnimationFrame(() => {
      frameRequest = 0
      paint(canvas, source, history.now, view())
    })
  }

  const change = (edit: Edit, joined: unknown = null): void => {
    history.push(edit, joined)
    layOut()
    repaint()
  }
  const commit = (): void => options.onChange()

  const select = (id: number | null): void => {
    if (selected === id) return
    selected = id
    history.seal()
    drawOverlays()
  }

  const choose = (name: Tool, byKey: boolean): void => {
    if (name === 'crop') {
      if (tool === 'crop') return leaveCrop(true)
      tool = 'crop'
      selected = null
      cropBefore = history.now.crop
    } else {
      tool = name
      if (byKey) {
        const mark = markByKeyboard(nextMark++, name, wholePixels(history.now.crop, source))
        change(withMark(history.now, mark))
        commit()
        shownMarks.get(mark.id)?.grip.focus()
        saySize(mark.box)
      }
    }
    layOut()
    repaint()
    if (name === 'crop' && byKey) corners[0]?.[1].focus()
  }

  const leaveCrop = (keep: boolean): void => {
    const { crop } = history.now
    if (!keep && crop !== cropBefore) {
      change({ ...history.now, crop: cropBefore })
      commit()
    }
    const inside = [frame, cancel, apply].some((part) => part.contains(focused()))
    tool = null
    layOut()
    repaint()
    if (inside) toolButtons[0]?.[1].focus()
    say(keep ? fill(texts.cropApplied, sizeOf(crop)) : texts.cropCancelled)
  }

  const focused = (): Element | null => {
    const root = editor.getRootNode()
    return root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null
  }

  const step = (way: 'undo' | 'redo'): void => {
    if (!(way === 'undo' ? history.canUndo : history.canRedo)) return
    history[way]()
    selected = null
    layOut()
    repaint()
    commit()
    say(way === 'undo' ? texts.undone : texts.redone)
  }

  const eraseMark = (id: number): void => {
    const mark = history.now.marks.find((candidate) => candidate.id === id)
    if (mark === undefined) return
    selected = null
    change(withoutMark(history.now, id))
    commit()
    toolButtons.find(([name]) => name === mark.kind)?.[1].focus()
    say(fill(texts.markDeleted, { tool: nameOf(mark.kind) }))
  }

  const toggleLarge = (): void => {
    if (large.open) {
      large.close()
      return
    }
    large.append(editor)
    large.showModal()
    enlarge.replaceChildren(icon(ICONS.shrink))
    enlarge.setAttribute('aria-label', texts.shrink)
    enlarge.title = texts.shrink
    layOut()
    enlarge.focus()
  }
  large.addEventListener('close', () => {
    home.prepend(editor)
    enlarge.replaceChildren(icon(ICONS.enlarge))
    enlarge.setAttribute('aria-label', texts.enlarge)
    enlarge.title = texts.enlarge
    layOut()
    enlarge.focus()
  })

  const pointAt = (event: PointerEvent): Point => {
    const box = stage.getBoundingClientRect()
    const shown = view()
    // By the stage's real size: the page may scale the widget's host.
    const ratio = shown.width / (box.width || 1)
    return {
      x: Math.min(Math.max(shown.x + (event.clientX - box.left) * ratio, shown.x), shown.x + shown.width),
      y: Math.min(Math.max(shown.y + (event.clientY - box.top) * ratio, shown.y), shown.y + shown.height),
    }
  }

  const cropDrag = (pointer: number, start: Point, target: Element): Drag => {
    const key = {}
    const from = history.now.crop
    const smallest = smallestSelection(source, scale)
    const corner = target.closest<HTMLElement>('.handle')?.dataset['corner'] as Corner | undefined
    const isWhole = from.width >= source.width && from.height >= source.height
    const moves = target === mover && !isWhole
    const grab = corner === undefined ? { x: 0, y: 0 } : cornerOf(from, corner)
    return {
      pointer,
      move: (to) => {
        const by = { x: to.x - start.x, y: to.y - start.y }
        const crop =
          corner !== undefined
            ? moveCorner(from, corner, { x: grab.x + by.x, y: grab.y + by.y }, source, smallest)
            : moves
              ? moveBox(from, by, source)
              : keepInside(boxBetween(start, to), source, smallest)
        change({ ...history.now, crop }, key)
      },
      end: () => {
        if (history.now.crop === from) return
        commit()
        saySize(history.now.crop)
      },
    }
  }

  const markDrag = (pointer: number, start: Point, mark: Mark, corner: Corner | undefined): Drag => {
    const key = {}
    const bounds = view()
    const grab = corner === undefined ? start : cornerOf(mark.box, corner)
    return {
      pointer,
      move: (to) => {
        const by = { x: to.x - start.x, y: to.y - start.y }
        const box =
          corner === undefined
            ? moveWithin(mark.box, by, bounds)
            : resizeWithin(mark.box, corner, { x: grab.x + by.x, y: grab.y + by.y }, bounds)
        change(withMark(history.now, { ...mark, box }), key)
      },
      end: () => {
        const now = history.now.marks.find(({ id }) => id === mark.id)
        if (now === undefined || now.box === mark.box) return
        commit()
        saySize(now.box)
      },
    }
  }

  const newMarkDrag = (pointer: number, start: Point, kind: MarkKind): Drag => {
    const id = nextMark++
    const points: Point[] = [start]
    return {
      pointer,
      move: (to) => {
        if (kind === 'draw') points.push(to)
        else points[1] = to
        change(withMark(history.now, markThrough(id, kind, points)), id)
      },
      end: () => {
        const made = history.now.marks.find((mark) => mark.id === id)
        if (made === undefined) return
        if (Math.max(made.box.width, made.box.height) * scale < SMALLEST_MARK_PX) {
          history.undo()
          layOut()
          repaint()
          return
        }
        selected = id
        history.seal()
        drawOverlays()
        shownMarks.get(id)?.grip.focus({ preventScroll: true })
        commit()
        saySize(made.box)
      },
    }
  }

  /** Marks may reach beyond the crop of the moment, but are moved inside what is shown. */
  const moveWithin = (box: Box, by: Point, bounds: Box): Box => {
    const moved = moveBox({ ...box, x: box.x - bounds.x, y: box.y - bounds.y }, by, bounds)
    return { ...box, x: moved.x + bounds.x, y: moved.y + bounds.y }
  }
  const resizeWithin = (box: Box, corner: Corner, to: Point, bounds: Box): Box => {
    const smallest = { width: SMALLEST_MARK_PX / scale, height: SMALLEST_MARK_PX / scale }
    const at = { x: to.x - bounds.x, y: to.y - bounds.y }
    const resized = moveCorner({ ...box, x: box.x - bounds.x, y: box.y - bounds.y }, corner, at, bounds, smallest)
    return { ...resized, x: resized.x + bounds.x, y: resized.y + bounds.y }
  }

  const isDisabled = (): boolean => editor.closest('fieldset:disabled') !== null

  stage.addEventListener('pointerdown', (event) => {
    const target = event.target
    if (drag !== null || event.button !== 0 || isDisabled() || !(target instanceof Element)) return
    if (target.closest('.erase') !== null) return
    const start = pointAt(event)
    const id = Number(target.closest<HTMLElement>('.mark')?.dataset['id'] ?? Number.NaN)
    const mark = history.now.marks.find((candidate) => candidate.id === id)
    if (tool === 'crop') drag = cropDrag(event.pointerId, start, target)
    else if (mark !== undefined) {
      select(mark.id)
      drag = markDrag(
        event.pointerId,
        start,
        mark,
        target.closest<HTMLElement>('.handle')?.dataset['corner'] as Corner | undefined,
      )
    } else if (tool !== null) {
      select(null)
      drag = newMarkDrag(event.pointerId, start, tool)
    } else {
      select(null)
      return
    }
    // The default would start a selection or a native drag. Focus, which it would also give, is given here.
    event.preventDefault()
    target.closest<HTMLElement>('button')?.focus({ preventScroll: true })
    stage.setPointerCapture(event.pointerId)
  })
  stage.addEventListener('pointermove', (event) => {
    if (drag?.pointer !== event.pointerId) return
    for (const part of event.getCoalescedEvents?.() ?? []) if (tool === 'draw') drag.move(pointAt(part))
    drag.move(pointAt(event))
  })
  const endDrag = (event: PointerEvent): void => {
    if (drag?.pointer !== event.pointerId) return
    const ended = drag
    drag = null
    ended.end()
    history.seal()
  }
  stage.addEventListener('pointerup', endDrag)
  stage.addEventListener('pointercancel', endDrag)

  const cropKey = (event: KeyboardEvent, target: Element): boolean => {
    if (event.key === 'Enter') {
      leaveCrop(true)
      return true
    }
    const arrow = ARROWS[event.key]
    if (arrow === undefined) return false
    const distance = (event.shiftKey ? KEY_LEAP_PX : KEY_STEP_PX) / scale
    const by = { x: arrow.x * distance, y: arrow.y * distance }
    const { crop } = history.now
    const corner = (target as HTMLElement).dataset['corner'] as Corner | undefined
    if (corner === undefined) change({ ...history.now, crop: moveBox(crop, by, source) }, target)
    else {
      const at = cornerOf(crop, corner)
      const to = { x: at.x + by.x, y: at.y + by.y }
      change({ ...history.now, crop: moveCorner(crop, corner, to, source, smallestSelection(source, scale)) }, target)
    }
    commit()
    saySize(history.now.crop)
    return true
  }

  const markKey = (event: KeyboardEvent, id: number): boolean => {
    const mark = history.now.marks.find((candidate) => candidate.id === id)
    if (mark === undefined) return false
    if (event.key === 'Delete' || event.key === 'Backspace') {
      eraseMark(id)
      return true
    }
    const arrow = ARROWS[event.key]
    if (arrow === undefined) return false
    const by = { x: (arrow.x * MARK_STEP_PX) / scale, y: (arrow.y * MARK_STEP_PX) / scale }
    const end = cornerOf(mark.box, 'bottomRight')
    const box = event.shiftKey
      ? resizeWithin(mark.box, 'bottomRight', { x: end.x + by.x, y: end.y + by.y }, view())
      : moveWithin(mark.box, by, view())
    change(withMark(history.now, { ...mark, box }), `${id}${String(event.shiftKey)}`)
    commit()
    saySize(box)
    return true
  }

  const handleEscape = (): boolean => {
    if (tool === 'crop') leaveCrop(false)
    else if (selected !== null) {
      const kind = history.now.marks.find(({ id }) => id === selected)?.kind
      select(null)
      toolButtons.find(([name]) => name === kind)?.[1].focus()
    } else if (large.open) large.close()
    else return false
    return true
  }

  editor.addEventListener('keydown', (event) => {
    const target = event.target
    if (!(target instanceof HTMLElement) || isDisabled()) return
    const key = event.key.toLowerCase()
    const withControl = event.ctrlKey || event.metaKey
    let used = false
    if (event.key === 'Escape') used = handleEscape()
    else if (withControl && (key === 'z' || key === 'y')) {
      step(key === 'y' || event.shiftKey ? 'redo' : 'undo')
      used = true
    } else if (withControl || event.altKey) used = false
    else if (frame.contains(target)) used = cropKey(event, target)
    else if (target.dataset['mark'] !== undefined) used = markKey(event, Number(target.dataset['mark']))
    if (!used) return
    event.preventDefault()
    event.stopPropagation()
  })

  const observer = new ResizeObserver(layOut)
  observer.observe(room)
  layOut()
  paint(canvas, source, history.now, view())

  return {
    element: home,
    handleEscape,
    destroy: () => {
      observer.disconnect()
      cancelAnimationFrame(frameRequest)
      if (large.open) large.close()
      home.remove()
    },
  }
}
