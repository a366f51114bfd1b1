import type { Edit, Mark } from './edit.ts'
import { type Box, wholePixels } from './geometry.ts'

const DIM = 'rgba(20, 20, 18, 0.5)'
const HIDDEN = '#1c1b19'
/** Around what is hidden, so that it is seen on dark pictures, too. */
const HIDDEN_EDGE = '#aeaba3'
const INK = '#e5342b'
const HALO = 'rgba(255, 255, 255, 0.9)'

/**
 * Paints a part of the edited picture. Preview and sent bytes both come from here, so they cannot differ.
 * Hidden regions are painted after highlights (which show the original again) and are opaque whole pixels.
 */
export const paint = (canvas: HTMLCanvasElement, source: HTMLCanvasElement, edit: Edit, view: Box): void => {
  canvas.width = view.width
  canvas.height = view.height
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) return
  context.translate(-view.x, -view.y)
  context.drawImage(source, 0, 0)
  const thickness = Math.max(2, Math.round(Math.max(view.width, view.height) / 360))

  const highlights = edit.marks.filter(({ kind }) => kind === 'highlight').map(({ box }) => wholePixels(box, source))
  if (highlights.length > 0) {
    context.fillStyle = DIM
    context.fillRect(0, 0, source.width, source.height)
    for (const { x, y, width, height } of highlights)
      context.drawImage(source, x, y, width, height, x, y, width, height)
    context.strokeStyle = '#fff'
    context.lineWidth = thickness
    for (const { x, y, width, height } of highlights) context.strokeRect(x, y, width, height)
  }

  context.fillStyle = HIDDEN
  context.strokeStyle = HIDDEN_EDGE
  context.lineWidth = thickness
  for (const { kind, box } of edit.marks) {
    if (kind !== 'hide') continue
    const { x, y, width, height } = wholePixels(box, source)
    context.fillRect(x, y, width, height)
    // Inside: nothing beyond the hidden part is covered, and nothing of it shows through.
    context.strokeRect(x + thickness / 2, y + thickness / 2, width - thickness, height - thickness)
  }

  context.lineCap = 'round'
  context.lineJoin = 'round'
  for (const mark of edit.marks) if (mark.path.length > 0) stroke(context, mark, thickness)
}

const stroke = (context: CanvasRenderingContext2D, { kind, box, path }: Mark, thickness: number): void => {
  const points = path.map(({ x, y }) => ({ x: box.x + x * box.width, y: box.y + y * box.height }))
  const [first, ...rest] = points
  if (first === undefined) return
  const trace = (): void => {
    context.beginPath()
    context.moveTo(first.x, first.y)
    for (const { x, y } of rest.length === 0 ? points : rest) context.lineTo(x, y)
    const end = rest.at(-1)
    if (kind === 'arrow' && end !== undefined) {
      const angle = Math.atan2(end.y - first.y, end.x - first.x)
      for (const side of [-0.5, 0.5]) {
        context.moveTo(end.x, end.y)
        context.lineTo(end.x - Math.cos(angle + side) * thickness * 6, end.y - Math.sin(angle + side) * thickness * 6)
      }
    }
    context.stroke()
  }
  context.strokeStyle = HALO
  context.lineWidth = thickness * 2.4
  trace()
  context.strokeStyle = INK
  context.lineWidth = thickness * 1.4
  trace()
}
