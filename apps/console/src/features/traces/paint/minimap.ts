import { formatSpent } from '../../../lib/spent-time.ts'
import type { MapScale } from '../model/map-scale.ts'
import { EDGE_PIXELS, isWhole, type Zoom } from '../model/time-axis.ts'
import type { TraceModel } from '../model/trace.ts'
import { COLUMN } from '../model/work.ts'
import { paintDiamond } from './bars.ts'
import type { Surface } from './canvas.ts'

export interface Minimap {
  readonly model: TraceModel
  /** One byte for each column, a lane for each project. */
  readonly lanes: readonly Uint8Array[]
  readonly laneHeight: number
  readonly scale: MapScale
  readonly zoom: Zoom
  readonly whole: Zoom
}

const CUT_FONT_PIXELS = 10

/** Hatched, with its length in words. */
function paintCuts({ context, height, palette }: Surface, { cuts }: MapScale): void {
  context.font = `${CUT_FONT_PIXELS}px ${getComputedStyle(document.documentElement).getPropertyValue('--font')}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const { from, to, left, right } of cuts) {
    context.fillStyle = palette.hatch
    context.fillRect(left, 0, right - left, height)
    const text = formatSpent((to - from) / 1000)
    const wide = context.measureText(text).width + 4
    context.fillStyle = palette.background
    context.fillRect((left + right - wide) / 2, (height - CUT_FONT_PIXELS) / 2 - 1, wide, CUT_FONT_PIXELS + 2)
    context.fillStyle = palette.ink2
    context.fillText(text, (left + right) / 2, height / 2)
  }
}

/** The whole trace, a lane for each service; what is out of sight is dimmed. */
export function paintMinimap(surface: Surface, { model, lanes, laneHeight, scale, zoom, whole }: Minimap): void {
  const { context, width, height, palette } = surface
  const bar = Math.max(2, laneHeight - 3)
  for (const [index, lane] of lanes.entries()) {
    const y = index * laneHeight + 1
    const step = width / lane.length
    for (let from = 0; from < lane.length;) {
      const value = lane[from] as number
      let to = from + 1
      while (to < lane.length && lane[to] === value) to += 1
      if (value !== 0) {
        context.fillStyle = palette.kinds[(value & COLUMN.kind) - 1] as string
        context.globalAlpha = (value & COLUMN.waits) === 0 ? 1 : 0.45
        context.fillRect(from * step, y, (to - from) * step, bar)
      }
      from = to
    }
  }
  context.globalAlpha = 1
  for (const { at } of model.errors)
    paintDiamond(surface, at < whole.from ? EDGE_PIXELS : scale.place(at), Math.min(height - 5, 7))
  const isAll = isWhole(zoom, whole)
  const [left, right] = [scale.place(zoom.from), scale.place(zoom.to)]
  if (!isAll) {
    context.fillStyle = palette.background
    context.globalAlpha = 0.65
    context.fillRect(0, 0, left, height)
    context.fillRect(right, 0, width - right, height)
    context.globalAlpha = 1
  }
  // Out of sight, too, they can be read.
  paintCuts(surface, scale)
  if (isAll) return
  context.strokeStyle = palette.accent
  context.lineWidth = 2
  context.strokeRect(left, 1, Math.max(2, right - left), height - 2)
}
