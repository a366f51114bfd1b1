import { formatSpent } from '../../../lib/spent-time.ts'
import type { Surface } from '../../../lib/use-canvas.ts'
import type { Zoom } from '../../traces/model/index.ts'
import { type CallTree, firstAfter } from '../model/call-tree.ts'
import type { ProfileModel } from '../model/profile.ts'
import type { Palette } from './palette.ts'

export interface Boxes {
  readonly model: ProfileModel
  readonly tree: CallTree
  readonly zoom: Zoom
  /** Pixels that are scrolled out of sight at the top. */
  readonly top: number
  readonly rowHeight: number
  /** Boxes; -1 for none. */
  readonly selected: number
  readonly hovered: number
  /** 1 for each function that a search hits; null without a search. */
  readonly isHit: Uint8Array | null
}

/** Narrower boxes are not drawn: they would be less than a pixel of ink. */
const LEAST_PIXELS = 0.5
const FOOT_PIXELS = 3
/** Between boxes. */
const GAP_PIXELS = 1
/** From this width on, a box has its name in it, and from that on its time. */
const NAMED_PIXELS = 24
const TIMED_PIXELS = 90
const DIMMED = 0.28

/** The boxes in sight. @returns how many were drawn */
export function paintBoxes(surface: Surface<Palette>, boxes: Boxes): number {
  const { context, height } = surface
  const { rowHeight, top, tree } = boxes
  context.font = surface.palette.font
  context.textBaseline = 'middle'
  const first = Math.max(0, Math.floor(top / rowHeight))
  const last = Math.min(tree.rows.length, Math.ceil((top + height) / rowHeight))
  let drawn = 0
  for (let depth = first; depth < last; depth += 1) drawn += paintRow(surface, boxes, depth)
  return drawn
}

function paintRow(surface: Surface<Palette>, boxes: Boxes, depth: number): number {
  const { rowHeight, top, tree, zoom } = boxes
  const row = tree.rows[depth] ?? new Int32Array()
  const scale = surface.width / (zoom.to - zoom.from)
  const y = depth * rowHeight - top
  let drawn = 0
  /** Up to here everything is drawn: boxes that end before it would be painted into the same pixel. */
  let filled = -1
  for (let index = Math.max(0, firstAfter(tree, row, zoom.from) - 1); index < row.length; index += 1) {
    const box = row[index] as number
    if ((tree.from[box] as number) >= zoom.to) break
    const left = ((tree.from[box] as number) - zoom.from) * scale
    const right = ((tree.to[box] as number) - zoom.from) * scale
    if (right <= 0 || right - left < LEAST_PIXELS || right < filled) continue
    filled = Math.max(left + LEAST_PIXELS, Math.floor(right))
    paintBox(surface, boxes, box, { left, right, y })
    drawn += 1
  }
  return drawn
}

interface Place {
  readonly left: number
  readonly right: number
  readonly y: number
}

function paintBox(surface: Surface<Palette>, boxes: Boxes, box: number, { left, right, y }: Place): void {
  const { context, palette, width } = surface
  const { hovered, isHit, model, rowHeight, selected, tree } = boxes
  const frame = tree.frame[box] as number
  const kind = model.kind[frame] as number
  const isSelected = box === selected
  const from = Math.max(-1, left)
  const wide = Math.max(LEAST_PIXELS, Math.min(width + 1, right) - from - GAP_PIXELS)
  const tall = rowHeight - GAP_PIXELS
  context.globalAlpha = isHit !== null && isHit[frame] !== 1 && !isSelected ? DIMMED : 1
  context.fillStyle = isSelected ? palette.accent : (palette.fills[kind] ?? palette.background)
  context.fillRect(from, y, wide, tall)
  const own = tree.self[box] as number
  if (own > 0 && !isSelected) {
    const share = own / ((tree.to[box] as number) - (tree.from[box] as number))
    context.fillStyle = palette.feet[kind] ?? palette.ink2
    const foot = Math.max(LEAST_PIXELS, wide * share)
    context.fillRect(from + wide - foot, y + tall - FOOT_PIXELS, foot, FOOT_PIXELS)
  }
  if (box === hovered && !isSelected) {
    context.strokeStyle = palette.ink
    context.lineWidth = 1
    context.strokeRect(from + 0.5, y + 0.5, Math.max(0.5, wide - 1), tall - 1)
  }
  if (wide >= NAMED_PIXELS) paintText(surface, boxes, box, { left: Math.max(0, from), right: from + wide, y })
  context.globalAlpha = 1
}

const PADDING = 5

function paintText(surface: Surface<Palette>, boxes: Boxes, box: number, { left, right, y }: Place): void {
  const { context, palette } = surface
  const { model, rowHeight, selected, tree } = boxes
  const isSelected = box === selected
  const middle = y + (rowHeight - GAP_PIXELS) / 2
  let room = right - left - 2 * PADDING
  if (room >= TIMED_PIXELS) {
    const time = formatSpent(((tree.to[box] as number) - (tree.from[box] as number)) / 1000)
    const wide = context.measureText(time).width
    context.fillStyle = isSelected ? palette.onAccent : palette.ink2
    context.textAlign = 'right'
    context.fillText(time, right - PADDING, middle)
    room -= wide + PADDING
  }
  const name = cutTo(context, model.name[tree.frame[box] as number] ?? '', room)
  context.fillStyle = isSelected ? palette.onAccent : palette.ink
  context.textAlign = 'left'
  context.fillText(name, left + PADDING, middle)
}

/** All characters of the font are equally wide. */
function cutTo(context: CanvasRenderingContext2D, text: string, room: number): string {
  const fits = Math.floor(room / context.measureText('m').width)
  if (text.length <= fits) return text
  return fits < 2 ? '' : `${text.slice(0, fits - 1)}…`
}
