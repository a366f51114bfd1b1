import type { Touch } from '@firsthand/recording'

/** How long a trail stays behind a finger, and where it was lifted. Milliseconds. */
const TRAIL_MS = 600
const FADES_MS = 400

const FINGER = 16

/** What is to be drawn of a touch at a moment; null for nothing. */
export interface DrawnTouch {
  readonly trail: readonly { readonly x: number; readonly y: number }[]
  readonly finger: { readonly x: number; readonly y: number }
  /** Of the finger: 1 while it is down, then less and less. */
  readonly strength: number
}

/** The touches that are to be seen at a moment. */
export function touchesAt(touches: readonly Touch[], at: number): DrawnTouch[] {
  return touches.flatMap(({ from, to, points }): DrawnTouch[] => {
    if (at < from || at >= to + FADES_MS) return []
    const finger = points.findLast((point) => point.at <= at)
    if (finger === undefined) return []
    const trail = points.filter((point) => point.at <= at && point.at > at - TRAIL_MS)
    return [{ trail, finger, strength: at <= to ? 1 : 1 - (at - to) / FADES_MS }]
  })
}

/** To be seen on any ground. */
function outlined(context: CanvasRenderingContext2D, width: number, colour: string): void {
  context.lineWidth = 2 * width
  context.strokeStyle = '#fff'
  context.stroke()
  context.lineWidth = width
  context.strokeStyle = colour
  context.stroke()
}

/**
 * Draws fingers and the trails behind them.
 *
 * @param scale pixels of the canvas for one point of the recorded screen
 */
export function drawTouches(
  context: CanvasRenderingContext2D,
  drawn: readonly DrawnTouch[],
  { scale, hasTrail }: { readonly scale: number; readonly hasTrail: boolean },
): void {
  const { width, height } = context.canvas
  context.clearRect(0, 0, width, height)
  for (const { finger, strength, trail } of drawn) {
    context.globalAlpha = strength
    if (hasTrail && trail.length > 1) {
      context.beginPath()
      for (const { x, y } of trail) context.lineTo(x * scale, y * scale)
      context.lineCap = 'round'
      context.lineJoin = 'round'
      outlined(context, 3 * scale, '#0b6e69')
    }
    context.beginPath()
    context.arc(finger.x * scale, finger.y * scale, FINGER * scale, 0, 2 * Math.PI)
    context.fillStyle = 'rgb(184 115 10 / 35%)'
    context.fill()
    outlined(context, 2 * scale, '#b8730a')
  }
  context.globalAlpha = 1
}
