import type { functionOf, LaneStretch } from '../../profiles/links/index.ts'
import { KINDS } from '../kinds/kinds.ts'
import type { Surface } from './canvas.ts'

export const LANE_PIXELS = 18

/** Of a bar, when next to nothing ran. */
const LEAST_PIXELS = 2
/** From this width on a stretch says which function it is. */
const NAMED_FROM = 44
const FONT_PIXELS = 11
const TINT = 0.4

/** In the order of `FRAME_KINDS`, as in flame graphs: own code, library, runtime. */
const HUES = (['browser', 'code', 'queue'] as const).map((kind) => KINDS.indexOf(kind))

interface Painted {
  readonly stretches: readonly LaneStretch[]
  /** Microseconds of the lane → pixels. */
  readonly x: (at: number) => number
  readonly nameOf: (place: number) => ReturnType<typeof functionOf>
}

/** How busy the thread was, in the colour of the function that ran longest; where there is room, its name. */
export function paintProfile({ context, height, palette, width }: Surface, { nameOf, stretches, x }: Painted): void {
  context.font = `${FONT_PIXELS}px ${getComputedStyle(document.documentElement).getPropertyValue('--mono')}`
  context.textBaseline = 'middle'
  context.fillStyle = palette.line
  context.fillRect(0, height - 1, width, 1)
  for (const stretch of stretches) {
    const [left, right] = [x(stretch.from), x(stretch.to)]
    if (right < 0 || left > width) continue
    const { kind, name } = nameOf(stretch.function)
    context.fillStyle = palette.kinds[HUES[kind] ?? 0] as string
    context.globalAlpha = TINT
    for (const { busy, from, to } of stretch.cells) {
      const high = Math.max(LEAST_PIXELS, busy * height)
      // Whole pixels: between two halves of one a seam would show.
      const [begin, end] = [Math.round(x(from)), Math.round(x(to))]
      context.fillRect(begin, height - high, Math.max(1, end - begin), high)
    }
    context.globalAlpha = 1
    // Neighbours are told apart by the line where one begins.
    context.fillRect(left, height - LEAST_PIXELS, Math.max(1, right - left - 1), LEAST_PIXELS)
    const [from, to] = [Math.max(0, left), Math.min(width, right)]
    if (to - from < NAMED_FROM) continue
    context.save()
    context.beginPath()
    context.rect(from, 0, to - from - 2, height)
    context.clip()
    context.fillStyle = palette.ink
    context.fillText(name, from + 3, height / 2)
    context.restore()
  }
}
