import type { Frame } from '../../event/event.ts'
import { contextAt } from '../maps/context.ts'
import type { OriginalPlace } from '../maps/prepared-map.ts'
import { cleanSourcePath, isOwnSource } from '../maps/source-path.ts'
import type { OpenMap } from './open-map.ts'

/** A line of a stack that has few segments is one statement: without a column it can still be told where it comes from. */
const SEGMENTS_WITHOUT_COLUMN = 5

/** Where a frame is in the generated code, counted from zero; null where it says no place that a map could know. */
export const placeOf = (frame: Frame, open: OpenMap): { readonly line: number; readonly column: number } | null => {
  const { lineno, colno } = frame
  if (lineno === undefined || lineno < 1) return null
  const line = lineno - 1
  if (colno !== undefined) return { line, column: Math.max(0, colno - 1) }
  const segments = open.map.segmentsOfLine(line)
  return segments > 0 && segments < SEGMENTS_WITHOUT_COLUMN ? { line, column: Number.MAX_SAFE_INTEGER } : null
}

/** What engines and bundlers write where a function has no name. */
const NAMELESS = new Set(['', '?', '<anonymous>', 'anonymous', '__webpack_require__', '__webpack_modules__'])

/**
 * The frame as it was written.
 *
 * @param caller where the function was called, by the map: what is called there is the function's name, when it has none
 */
export const mappedFrame = (
  frame: Frame,
  place: OriginalPlace,
  from: {
    readonly open: OpenMap
    /** Address of the map: what relative sources stand beside. */
    readonly mapUrl: string
    readonly at: { readonly line: number; readonly column: number }
    readonly caller: OriginalPlace | null
    readonly found: 'debug-id' | 'release'
  },
): Frame => {
  const { open, mapUrl, at, caller, found } = from
  const source = open.map.sourceName(place.source)
  const path = cleanSourcePath(source, mapUrl)
  const { module: _, pre_context: __, context_line: ___, post_context: ____, ...rest } = frame
  const minified = frame.function ?? ''
  const name = open.map.functionAt(at.line, at.column) ?? (NAMELESS.has(minified) ? caller?.name : null) ?? minified
  const lines = open.linesOf(place.source)
  const context = lines === null ? null : contextAt(lines, place.line, place.column)
  return {
    ...rest,
    filename: path,
    abs_path: source === '' ? path : source,
    ...(name === '' ? {} : { function: name }),
    ...(name === minified || minified === '' ? {} : { raw_function: minified }),
    lineno: place.line + 1,
    colno: place.column + 1,
    in_app: isOwnSource(source === '' ? path : source, open.map.isIgnored(place.source)) && isOwnSource(path, false),
    ...(context === null
      ? {}
      : { pre_context: context.before, context_line: context.line, post_context: context.after }),
    data: { ...frame.data, sourcemap: mapUrl, resolved_with: found, symbolicated: true },
  }
}
