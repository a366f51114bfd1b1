import { KINDS } from '../kinds/kinds.ts'

/** The tokens of the theme that is painted now, and the textures of the kinds of span. */
export interface Palette {
  readonly line: string
  readonly lineStrong: string
  readonly ink: string
  readonly ink2: string
  readonly ink3: string
  readonly error: string
  readonly warning: string
  readonly accent: string
  readonly accentSoft: string
  readonly background: string
  /** In the order of `KINDS`. */
  readonly kinds: readonly string[]
  readonly fills: readonly (string | CanvasPattern)[]
  readonly hatch: string | CanvasPattern
}

const TILE = 5

export function readPalette(context: CanvasRenderingContext2D, ratio: number): Palette {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => style.getPropertyValue(name).trim()
  const background = token('--background')
  const kinds = KINDS.map((kind) => token(`--kind-${kind}`))
  const texture = (colour: string, ground: string, draw: (tile: CanvasRenderingContext2D) => void) =>
    pattern(context, ratio, colour, ground, draw)
  const fills = KINDS.map((kind, index) => {
    const colour = kinds[index] as string
    if (kind === 'request') return texture(background, colour, diagonal)
    if (kind === 'cache') return texture(background, colour, (tile) => tile.fillRect(0, TILE - 1, TILE, 1))
    if (kind === 'queue') return texture(background, colour, (tile) => tile.fillRect(TILE - 1, 0, 1, TILE))
    return colour
  })
  return {
    line: token('--line'),
    lineStrong: token('--line-strong'),
    ink: token('--ink'),
    ink2: token('--ink-2'),
    ink3: token('--ink-3'),
    error: token('--error'),
    warning: token('--warning'),
    accent: token('--accent'),
    accentSoft: token('--accent-soft'),
    background,
    kinds,
    fills,
    hatch: texture(token('--ink-3'), background, diagonal),
  }
}

function diagonal(tile: CanvasRenderingContext2D): void {
  tile.lineWidth = 1
  for (const shift of [-TILE, 0, TILE]) {
    tile.beginPath()
    tile.moveTo(shift - 1, TILE + 1)
    tile.lineTo(shift + TILE + 1, -1)
    tile.stroke()
  }
}

function pattern(
  context: CanvasRenderingContext2D,
  ratio: number,
  colour: string,
  ground: string,
  draw: (tile: CanvasRenderingContext2D) => void,
): string | CanvasPattern {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(TILE * ratio)
  canvas.height = canvas.width
  const tile = canvas.getContext('2d')
  if (tile === null) return ground
  tile.scale(canvas.width / TILE, canvas.height / TILE)
  tile.fillStyle = ground
  tile.fillRect(0, 0, TILE, TILE)
  tile.fillStyle = colour
  tile.strokeStyle = colour
  // The stripes are a texture: the hue must stay what one sees first.
  tile.globalAlpha = 0.45
  draw(tile)
  const made = context.createPattern(canvas, 'repeat')
  if (made === null) return ground
  // The context draws in CSS pixels, the tile is made of the screen's.
  made.setTransform(new DOMMatrix().scale(TILE / canvas.width))
  return made
}
