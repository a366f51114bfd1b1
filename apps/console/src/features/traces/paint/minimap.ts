import { isWhole, placeOfMark, type Zoom } from '../model/time-axis.ts'
import type { TraceModel } from '../model/trace.ts'
import { COLUMN } from '../model/work.ts'
import { paintDiamond } from './bars.ts'
import type { Surface } from './canvas.ts'

export interface Minimap {
  readonly model: TraceModel
  /** One byte for each column, a lane for each project. */
  readonly lanes: readonly Uint8Array[]
  readonly laneHeight: number
  readonly zoom: Zoom
  readonly whole: Zoom
}

/** The whole trace, a lane for each service; what is out of sight is dimmed. */
export function paintMinimap(surface: Surface, { model, lanes, laneHeight, zoom, whole }: Minimap): void {
  const { context, width, height, palette } = surface
  const x = (at: number): number => ((at - whole.from) / (whole.to - whole.from)) * width
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
    paintDiamond(surface, placeOfMark(at, whole, whole, width), Math.min(height - 5, 7))
  if (isWhole(zoom, whole)) return
  const [left, right] = [x(zoom.from), x(zoom.to)]
  context.fillStyle = palette.background
  context.globalAlpha = 0.65
  context.fillRect(0, 0, left, height)
  context.fillRect(right, 0, width - right, height)
  context.globalAlpha = 1
  context.strokeStyle = palette.accent
  context.lineWidth = 2
  context.strokeRect(left, 1, Math.max(2, right - left), height - 2)
}
