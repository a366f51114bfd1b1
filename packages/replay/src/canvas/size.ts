/** No picture of a canvas is larger, in either direction: larger ones are scaled down and keep their proportions. Pixels. */
export const MAX_CANVAS = 1280

/** Most of a canvas's picture, in pixels. */
export interface Bounds {
  readonly width: number
  readonly height: number
}

/** What a page allows may be less than 1280 × 1280, never more. */
export const boundsOf = (given: readonly [number, number] | undefined): Bounds => {
  const [width, height] = (given ?? []).map((side) => (side >= 1 ? Math.min(Math.floor(side), MAX_CANVAS) : MAX_CANVAS))
  return { width: width ?? MAX_CANVAS, height: height ?? MAX_CANVAS }
}

/** The width is brought down first, then the height, as Sentry's recorder does it; at least one pixel is left. */
export const fit = (width: number, height: number, bounds: Bounds): Bounds => {
  let [w, h] = [width, height]
  if (w > bounds.width) [w, h] = [bounds.width, Math.floor((h * bounds.width) / w)]
  if (h > bounds.height) [w, h] = [Math.floor((w * bounds.height) / h), bounds.height]
  return { width: Math.max(1, w), height: Math.max(1, h) }
}
