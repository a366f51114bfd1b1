import type { RefObject } from 'react'
import { type Surface as AnySurface, useCanvas as useAnyCanvas } from '../../../lib/use-canvas.ts'
import { type Palette, readPalette } from './palette.ts'

export type Surface = AnySurface<Palette>

/** A canvas in the colours and textures of the kinds of span. */
export function useCanvas(
  paint: (surface: Surface) => void,
  size: { readonly width: number; readonly height: number },
): RefObject<HTMLCanvasElement | null> {
  return useAnyCanvas(paint, size, readPalette)
}
