import type { FeedbackTheme } from '../options.ts'

type Name = keyof FeedbackTheme
type Colors = Readonly<Partial<Record<Name, string>>>

/** What is read on what. */
const PAIRS: readonly (readonly [Name, Name])[] = [
  ['foreground', 'background'],
  ['accentBackground', 'background'],
  ['accentForeground', 'accentBackground'],
]
/** Of texts of usual size (WCAG 2.2, 1.4.3). */
const LEAST = 4.5
const UNKNOWN = '#010203'
const said = new Set<string>()

const partOf = (value: number): number => {
  const part = value / 255
  return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

/** Relative luminance of the colours painted over one another. Null when one of them is none that can be painted (`var(--x)`). */
const luminanceOf = (...colors: readonly string[]): number | null => {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d')
  if (context === null) return null
  for (const color of colors) {
    context.fillStyle = UNKNOWN
    context.fillStyle = color
    if (context.fillStyle === UNKNOWN) return null
    context.fillRect(0, 0, 1, 1)
  }
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  return 0.2126 * partOf(red) + 0.7152 * partOf(green) + 0.0722 * partOf(blue)
}

/** Tells developers, once for each pair, that what they chose cannot be read. */
export const reportContrast = (theme: string, colors: Colors): void => {
  for (const [name, behind] of PAIRS) {
    const over = colors[name] ?? ''
    const under = colors[behind] ?? ''
    const ground = luminanceOf('#fff', under)
    const text = luminanceOf('#fff', under, over)
    if (ground === null || text === null) continue
    const contrast = (Math.max(ground, text) + 0.05) / (Math.min(ground, text) + 0.05)
    const message = `[Firsthand] ${theme}: ${name} (${over}) on ${behind} (${under}) has a contrast of ${contrast.toFixed(1)} : 1. Texts need ${LEAST} : 1 to be read by everybody.`
    if (contrast >= LEAST || said.has(message)) continue
    said.add(message)
    // oxlint-disable-next-line no-console -- meant for whoever has the console open
    console.warn(message)
  }
}
