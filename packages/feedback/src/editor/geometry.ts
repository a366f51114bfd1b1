/** Geometry of the crop frame and of marks. Everything is in image pixels, `y` grows downwards. Pure. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Area {
  readonly width: number
  readonly height: number
}

/** Smallest crop selection in CSS pixels of the shown picture (specification.md 1; a picture is never shown enlarged, so also ≥ 33 image pixels). */
export const SMALLEST_SELECTION_PX = 33

export type Corner = 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight'
export const CORNERS: readonly Corner[] = ['topLeft', 'topRight', 'bottomLeft', 'bottomRight']

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), Math.max(low, high))

/**
 * Smallest allowed selection in image pixels.
 *
 * @param scale CSS pixels per image pixel
 * @returns a direction in which the picture itself is smaller keeps it whole
 */
export const smallestSelection = (picture: Area, scale: number): Area => ({
  width: Math.min(picture.width, SMALLEST_SELECTION_PX / scale),
  height: Math.min(picture.height, SMALLEST_SELECTION_PX / scale),
})

/** The nearest box of at least `smallest` that lies inside the picture. */
export const keepInside = (box: Box, picture: Area, smallest: Area): Box => {
  const width = clamp(box.width, smallest.width, picture.width)
  const height = clamp(box.height, smallest.height, picture.height)
  return {
    x: clamp(box.x, 0, picture.width - width),
    y: clamp(box.y, 0, picture.height - height),
    width,
    height,
  }
}

export const moveBox = (box: Box, by: Point, picture: Area): Box =>
  keepInside({ ...box, x: box.x + by.x, y: box.y + by.y }, picture, box)

/** Moves one corner towards a point; the opposite one stays, the box neither turns over nor gets too small nor leaves the picture. */
export const moveCorner = (box: Box, corner: Corner, to: Point, picture: Area, smallest: Area): Box => {
  const [x, width] = moveEdge(
    box.x,
    box.width,
    corner === 'topLeft' || corner === 'bottomLeft',
    to.x,
    picture.width,
    smallest.width,
  )
  const [y, height] = moveEdge(
    box.y,
    box.height,
    corner === 'topLeft' || corner === 'topRight',
    to.y,
    picture.height,
    smallest.height,
  )
  return { x, y, width, height }
}

const moveEdge = (
  start: number,
  length: number,
  isStart: boolean,
  to: number,
  whole: number,
  smallest: number,
): readonly [number, number] => {
  if (!isStart) {
    const fixed = clamp(start, 0, whole - smallest)
    return [fixed, clamp(to - fixed, smallest, whole - fixed)]
  }
  const fixed = clamp(start + length, smallest, whole)
  const from = clamp(to, 0, fixed - smallest)
  return [from, fixed - from]
}

export const cornerOf = (box: Box, corner: Corner): Point => ({
  x: corner === 'topLeft' || corner === 'bottomLeft' ? box.x : box.x + box.width,
  y: corner === 'topLeft' || corner === 'topRight' ? box.y : box.y + box.height,
})

/** Whole pixels, rounded outwards, so that rounding neither undercuts the smallest size nor leaves the edge of a hidden region. */
export const wholePixels = (box: Box, picture: Area): Box => {
  const x = clamp(Math.floor(box.x + 1e-6), 0, picture.width - 1)
  const y = clamp(Math.floor(box.y + 1e-6), 0, picture.height - 1)
  return {
    x,
    y,
    width: clamp(Math.ceil(box.x + box.width - 1e-6), x + 1, picture.width) - x,
    height: clamp(Math.ceil(box.y + box.height - 1e-6), y + 1, picture.height) - y,
  }
}

/** The box between two points, whichever way it was drawn. */
export const boxBetween = (a: Point, b: Point): Box => ({
  x: Math.min(a.x, b.x),
  y: Math.min(a.y, b.y),
  width: Math.abs(a.x - b.x),
  height: Math.abs(a.y - b.y),
})

export const boundsOf = (points: readonly Point[]): Box => {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y } of points) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return points.length === 0
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: left, y: top, width: right - left, height: bottom - top }
}

/** How large a picture is shown: it fits into the room and is never enlarged. CSS pixels per image pixel. */
export const shownScale = (view: Area, room: Area): number =>
  Math.min(1, room.width / view.width, room.height / view.height)
