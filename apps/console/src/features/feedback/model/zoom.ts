/** Arithmetic of the picture viewer. Offsets are in CSS px of the picture's centre from the stage's centre. */
export interface View {
  readonly scale: number
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

const SMALLEST = 0.05
const LARGEST = 16
/** Air around a picture that fits. */
const MARGIN_PX = 16

/** The largest scale at which all of it is seen; a small picture is not blown up. */
export function fitScale(picture: Size, stage: Size): number {
  const width = (stage.width - 2 * MARGIN_PX) / Math.max(1, picture.width)
  const height = (stage.height - 2 * MARGIN_PX) / Math.max(1, picture.height)
  return Math.max(SMALLEST, Math.min(1, width, height))
}

/** Zooms so that what is under the pointer stays there. */
export function zoomAt(view: View, factor: number, at: Point): View {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * factor))
  const ratio = scale / view.scale
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio }
}

/** Moves it, but never quite out of sight. */
export function panBy(view: View, by: Point, picture: Size, stage: Size): View {
  const limit = (size: number, room: number): number => (size * view.scale + room) / 2 - MARGIN_PX * 2
  const within = (value: number, most: number): number => Math.min(most, Math.max(-most, value))
  return {
    scale: view.scale,
    x: within(view.x + by.x, Math.max(0, limit(picture.width, stage.width))),
    y: within(view.y + by.y, Math.max(0, limit(picture.height, stage.height))),
  }
}
