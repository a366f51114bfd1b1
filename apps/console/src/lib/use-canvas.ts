import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { usePaintedTheme } from './theme.ts'

export interface Surface<Palette> {
  readonly context: CanvasRenderingContext2D
  /** CSS pixels. */
  readonly width: number
  readonly height: number
  readonly palette: Palette
}

interface Prepared<Palette> {
  readonly theme: string
  readonly ratio: number
  readonly palette: Palette
}

/**
 * A canvas as sharp as the screen and in the colours of the theme. It is painted together with what React has just put in
 * place, and again when its size or the theme changes.
 *
 * @param readPalette the colours of the theme that is painted now, for a screen with so many pixels for one of CSS
 */
export function useCanvas<Palette>(
  paint: (surface: Surface<Palette>) => void,
  size: { readonly width: number; readonly height: number },
  readPalette: (context: CanvasRenderingContext2D, ratio: number) => Palette,
): RefObject<HTMLCanvasElement | null> {
  const canvas = useRef<HTMLCanvasElement>(null)
  const prepared = useRef<Prepared<Palette> | null>(null)
  const theme = usePaintedTheme()
  const latest = useRef(paint)
  const { width, height } = size
  const draw = useRef((): void => undefined)
  useLayoutEffect(() => {
    latest.current = paint
    draw.current = () => {
      const element = canvas.current
      const context = element?.getContext('2d') ?? null
      if (element === null || context === null || width <= 0 || height <= 0) return
      const ratio = globalThis.devicePixelRatio || 1
      const wide = Math.round(width * ratio)
      const tall = Math.round(height * ratio)
      if (element.width !== wide) element.width = wide
      if (element.height !== tall) element.height = tall
      if (prepared.current === null || prepared.current.theme !== theme || prepared.current.ratio !== ratio)
        prepared.current = { theme, ratio, palette: readPalette(context, ratio) }
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      context.clearRect(0, 0, width, height)
      latest.current({ context, width, height, palette: prepared.current.palette })
    }
    draw.current()
  })
  useEffect(() => {
    // Moving a window to another screen changes how many pixels one of CSS has.
    const again = (): void => void requestAnimationFrame(() => draw.current())
    addEventListener('resize', again)
    return () => removeEventListener('resize', again)
  }, [])
  return canvas
}
