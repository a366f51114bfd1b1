import { LONGEST_SIDE_PX, MAXIMUM_SENT_BYTES, QUALITIES } from './limits.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

/** The size whose longest side is at most `longest`; never larger than it was, never below one pixel. */
export const fitInto = ({ width, height }: Size, longest: number = LONGEST_SIDE_PX): Size => {
  const scale = Math.min(1, longest / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** How a canvas becomes bytes; a function, so that the steps can be tested without a browser. */
export type Encoder = (type: string, quality: number, scale: number) => Promise<Blob | null>

const SHRINK = 0.75
const SHRINK_STEPS = 6

/**
 * WebP, else JPEG, else PNG (Safari answers a request for WebP with PNG), at most `MAXIMUM_SENT_BYTES`:
 * two steps down in quality first, then smaller. The type of the result is the true one.
 */
export const encodeWithin = async (encode: Encoder, maximumBytes: number = MAXIMUM_SENT_BYTES): Promise<Blob> => {
  const type = await workingType(encode)
  for (const quality of QUALITIES) {
    const blob = await encode(type, quality, 1)
    if (blob !== null && blob.size <= maximumBytes) return blob
    if (type === 'image/png') break
  }
  let scale = 1
  for (let step = 0; step < SHRINK_STEPS; step++) {
    scale *= SHRINK
    const blob = await encode(type, QUALITIES[2], scale)
    if (blob !== null && blob.size <= maximumBytes) return blob
  }
  throw new Error('The picture could not be encoded.')
}

const workingType = async (encode: Encoder): Promise<string> => {
  for (const type of ['image/webp', 'image/jpeg']) {
    const probe = await encode(type, QUALITIES[0], 0)
    if (probe?.type === type) return type
  }
  return 'image/png'
}

/** Encodes an opaque canvas. Scale 0 encodes one pixel, to learn what the browser can. */
export const canvasEncoder =
  (canvas: HTMLCanvasElement): Encoder =>
  (type, quality, scale) => {
    const from = scale === 1 ? canvas : scaled(canvas, scale)
    return new Promise((resolve) => {
      from.toBlob(resolve, type, quality)
    })
  }

const scaled = (canvas: HTMLCanvasElement, scale: number): HTMLCanvasElement => {
  const small = newCanvas({
    width: Math.max(1, Math.round(canvas.width * scale)),
    height: Math.max(1, Math.round(canvas.height * scale)),
  })
  small.context.drawImage(canvas, 0, 0, small.canvas.width, small.canvas.height)
  return small.canvas
}

/** A white, opaque canvas: what was transparent becomes white, and no alpha is ever sent. */
export const newCanvas = ({
  width,
  height,
}: Size): { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D } => {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) throw new Error('This browser has no canvas.')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  return { canvas, context }
}

/** Draws an image, scaled down to the longest side, on a canvas of its own. */
export const canvasOf = (image: CanvasImageSource, size: Size): HTMLCanvasElement => {
  const { canvas, context } = newCanvas(fitInto(size))
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}
