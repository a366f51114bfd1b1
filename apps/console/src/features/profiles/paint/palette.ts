/** The tokens of the theme that is painted now. Kinds in the order of `FRAME_KINDS`: own code, library, runtime. */
export interface Palette {
  readonly background: string
  readonly ink: string
  readonly ink2: string
  readonly accent: string
  readonly onAccent: string
  /** What a box is filled with. */
  readonly fills: readonly (string | CanvasPattern)[]
  /** Under a box, where the function itself ran. */
  readonly feet: readonly string[]
  readonly font: string
}

/** How much of a kind's colour is in its box: text has to be read on it. */
const TINT = 0.26
const TILE = 6

export function readPalette(context: CanvasRenderingContext2D, ratio: number): Palette {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => style.getPropertyValue(name).trim()
  const background = token('--background')
  const feet = [token('--kind-browser'), token('--kind-code'), token('--kind-queue')]
  return {
    background,
    ink: token('--ink'),
    ink2: token('--ink-2'),
    accent: token('--accent'),
    onAccent: token('--on-accent'),
    feet,
    fills: feet.map((colour, kind) => tile(context, ratio, colour, background, kind === 2)),
    font: `12px ${token('--mono')}`,
  }
}

/** A colour mixed with the ground; hatched for what is not code that somebody wrote, so that nobody depends on hue. */
function tile(
  context: CanvasRenderingContext2D,
  ratio: number,
  colour: string,
  ground: string,
  isHatched: boolean,
): string | CanvasPattern {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(TILE * ratio)
  canvas.height = canvas.width
  const painted = canvas.getContext('2d')
  if (painted === null) return ground
  painted.scale(canvas.width / TILE, canvas.height / TILE)
  painted.fillStyle = ground
  painted.fillRect(0, 0, TILE, TILE)
  painted.fillStyle = colour
  painted.strokeStyle = colour
  painted.globalAlpha = isHatched ? TINT / 2 : TINT
  painted.fillRect(0, 0, TILE, TILE)
  if (isHatched) {
    for (const shift of [-TILE, 0, TILE]) {
      painted.beginPath()
      painted.moveTo(shift - 1, TILE + 1)
      painted.lineTo(shift + TILE + 1, -1)
      painted.stroke()
    }
  }
  const made = context.createPattern(canvas, 'repeat')
  if (made === null) return ground
  made.setTransform(new DOMMatrix().scale(TILE / canvas.width))
  return made
}
