import { SPAN_FLAGS } from '@firsthand/contract'
import { type CriticalPath } from '../model/critical-path.ts'
import { type Layout, NODE, rowOf } from '../model/layout.ts'
import type { Tick, Zoom } from '../model/time-axis.ts'
import { hasFlag, type TraceModel } from '../model/trace.ts'
import { density, type Gap, type Stretches } from '../model/work.ts'
import type { Surface } from './canvas.ts'

export interface Bars {
  readonly model: TraceModel
  readonly layout: Layout
  readonly rows: Int32Array
  /** Rows from `first` up to `last`, without it, are drawn. */
  readonly first: number
  readonly last: number
  readonly rowHeight: number
  /** Of the bar within its row. */
  readonly top: number
  readonly thickness: number
  /** Lines may run from row to row: there is no text between the bars. */
  readonly crosses: boolean
  readonly zoom: Zoom
  readonly ticks: readonly Tick[]
  readonly path: CriticalPath | null
  readonly ownTime: (span: number) => Stretches
  readonly gaps: (span: number) => readonly Gap[]
}

const TINT = 0.28
/** What took no time can still be seen. */
const LEAST_PIXELS = 1.5
const SLIVER_PIXELS = 0.4
/** Below the bar. */
const PATH_PIXELS = 2

/** Every bar of the rows in sight, and what runs through them: ticks, errors, the critical path. */
export function paintBars(surface: Surface, bars: Bars): void {
  const { context, width, height, palette } = surface
  const x = scaleOf(bars.zoom, width)
  context.fillStyle = palette.line
  for (const tick of bars.ticks) context.fillRect(Math.round(x(tick.at)), 0, 1, height)
  if (bars.crosses) paintErrorLines(surface, bars, x)
  if (bars.crosses && bars.path !== null) paintPathLinks(surface, bars, bars.path, x)
  for (let row = bars.first; row < bars.last; row += 1) {
    const node = bars.rows[row] as number
    const y = (row - bars.first) * bars.rowHeight + bars.top
    const fold = bars.layout.folds.get(node)
    if (fold !== undefined) paintFold(surface, bars, fold.members, y)
    else if (bars.layout.kind[node] === NODE.span) paintSpan(surface, bars, bars.layout.span[node] as number, y, x)
  }
}

function scaleOf(zoom: Zoom, width: number): (at: number) => number {
  const scale = width / (zoom.to - zoom.from)
  return (at) => (at - zoom.from) * scale
}

type Scale = (at: number) => number

function paintSpan(surface: Surface, bars: Bars, span: number, y: number, x: Scale): void {
  const { context, width, palette } = surface
  const { model, thickness } = bars
  const left = x(model.start[span] as number)
  const right = Math.max(left + LEAST_PIXELS, x(model.end[span] as number))
  if (right < 0 || left > width) return
  const from = Math.max(-2, left)
  const to = Math.min(width + 2, right)
  const kind = model.kind[span] as number
  context.fillStyle = palette.kinds[kind] as string
  context.globalAlpha = TINT
  context.fillRect(from, y, to - from, thickness)
  context.globalAlpha = 1
  context.fillStyle = palette.fills[kind] as string | CanvasPattern
  eachPixelStretch(bars.ownTime(span), x, width, (own, end) => context.fillRect(own, y, end - own, thickness))
  context.fillStyle = palette.hatch
  for (const gap of bars.gaps(span)) context.fillRect(x(gap.from), y, x(gap.to) - x(gap.from), thickness)
  if (hasFlag(model, span, SPAN_FLAGS.failed)) {
    context.strokeStyle = palette.error
    context.lineWidth = 1.5
    context.strokeRect(from + 0.75, y + 0.75, Math.max(0.5, to - from - 1.5), thickness - 1.5)
  }
  if (bars.path !== null) paintPath(surface, bars.path, span, y + thickness, x)
  for (const error of model.errorsOf.get(span) ?? []) paintDiamond(surface, x(error.at), y + thickness / 2)
}

/** Stretches on the screen; those that would be drawn into the same pixel become one. */
function eachPixelStretch(
  stretches: Stretches,
  x: Scale,
  width: number,
  draw: (from: number, to: number) => void,
): void {
  let from = NaN
  let to = NaN
  for (let index = 0; index < stretches.length; index += 2) {
    const left = x(stretches[index] as number)
    const end = x(stretches[index + 1] as number)
    // Slivers between thousands of children would add up to a full bar.
    if (end - left < SLIVER_PIXELS && stretches.length > 2) continue
    const right = Math.max(left + 1, end)
    if (right < 0) continue
    if (left > width) break
    if (left <= to + 0.5) to = Math.max(to, right)
    else {
      if (!Number.isNaN(from)) draw(Math.max(-2, from), Math.min(width + 2, to))
      from = left
      to = right
    }
  }
  if (!Number.isNaN(from)) draw(Math.max(-2, from), Math.min(width + 2, to))
}

/** Spans that are alike: how many of them ran, column by column. */
function paintFold(surface: Surface, bars: Bars, members: readonly number[], y: number): void {
  const { context, width, palette } = surface
  const { model, thickness, zoom } = bars
  const kind = model.kind[members[0] as number] as number
  const columns = Math.max(1, Math.floor(width / 2))
  const dense = density(model, members, zoom.from, zoom.to, columns)
  context.fillStyle = palette.kinds[kind] as string
  for (let column = 0; column < columns; column += 1) {
    const share = dense[column] as number
    if (share === 0) continue
    const tall = 3 + share * (thickness - 3)
    context.fillRect((column * width) / columns, y + thickness - tall, width / columns - 0.4, tall)
  }
}

/** A line in ink under the part of a bar that the trace waited for. */
function paintPath(surface: Surface, path: CriticalPath, span: number, y: number, x: Scale): void {
  surface.context.fillStyle = surface.palette.ink
  for (let index = path.first[span] as number; index < (path.first[span + 1] as number); index += 1) {
    const left = x(path.from[index] as number)
    surface.context.fillRect(left, y, Math.max(1, x(path.to[index] as number) - left), PATH_PIXELS)
  }
}

/** Hairlines lead the critical path from a row to the one that it goes on in. */
function paintPathLinks(surface: Surface, bars: Bars, path: CriticalPath, x: Scale): void {
  const { context, palette } = surface
  const { layout, rows, first, last, rowHeight, top, thickness } = bars
  context.fillStyle = palette.ink
  context.globalAlpha = 0.3
  for (let row = first; row < last; row += 1) {
    const node = rows[row] as number
    const span = layout.span[node] as number
    const above = layout.parent[node] as number
    if (span === -1 || above === -1 || layout.kind[node] !== NODE.span) continue
    const [from, to] = [path.first[span] as number, path.first[span + 1] as number]
    if (from === to) continue
    const begin = (Math.max(rowOf(rows, above), first - 1) - first) * rowHeight + top + thickness
    const end = (row - first) * rowHeight + top + thickness
    for (const at of [path.to[from] as number, path.from[to - 1] as number])
      context.fillRect(Math.round(x(at)), begin, 1, end - begin)
  }
  context.globalAlpha = 1
}

/** Each error drops a dotted line through the rows. */
function paintErrorLines(surface: Surface, bars: Bars, x: Scale): void {
  const { context, width, height, palette } = surface
  context.strokeStyle = palette.error
  context.lineWidth = 1
  context.globalAlpha = 0.6
  context.setLineDash([2, 3])
  let drawn = -1
  for (const error of bars.model.errors) {
    const at = Math.round(x(error.at)) + 0.5
    if (at < 0 || at > width || at === drawn) continue
    drawn = at
    context.beginPath()
    context.moveTo(at, 0)
    context.lineTo(at, height)
    context.stroke()
  }
  context.setLineDash([])
  context.globalAlpha = 1
}

/** The sign of an error, in every chart. */
export function paintDiamond({ context, palette }: Surface, x: number, y: number): void {
  const half = 4.5
  context.fillStyle = palette.error
  context.strokeStyle = palette.background
  context.lineWidth = 1.5
  context.beginPath()
  context.moveTo(x, y - half)
  context.lineTo(x + half, y)
  context.lineTo(x, y + half)
  context.lineTo(x - half, y)
  context.closePath()
  context.stroke()
  context.fill()
}

/** The sign of a log line; bad ones stand out, and a warning is a triangle, in every chart. */
export function paintTick({ context, palette }: Surface, x: number, y: number, level: string): void {
  if (level === 'warn' || level === 'warning') {
    context.fillStyle = palette.warning
    context.beginPath()
    context.moveTo(x, y - 5)
    context.lineTo(x + 5, y + 4)
    context.lineTo(x - 5, y + 4)
    context.closePath()
    context.fill()
    return
  }
  const isBad = level === 'error' || level === 'fatal'
  context.fillStyle = isBad ? palette.error : palette.ink2
  const half = isBad ? 5 : 3.5
  context.fillRect(Math.round(x) - 1, y - half, 2, 2 * half)
}
