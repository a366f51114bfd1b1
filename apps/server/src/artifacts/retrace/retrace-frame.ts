import type { Frame } from '../../event/event.ts'
import { LIMITS } from '../limits.ts'
import type { ClassMapping, MappedMethod } from './class-mapping.ts'
import type { OpenMapping } from './open-mapping.ts'

/** One frame as it was written. */
interface Place {
  readonly className: string
  readonly name: string
  readonly file: string | null
  readonly line: number | null
  readonly isSynthesized: boolean
}

/** What became of an obfuscated frame. */
export interface Retraced {
  /** Outermost first, as frames of events are. */
  readonly places: readonly Place[]
  /** Its code was shared by others: the place is that of its caller, at this line of it. */
  readonly outlineLine: number | null
  readonly withoutInner: MappedMethod['withoutInner']
}

/** @returns null for a frame whose class the mapping does not have */
export const retraced = (mapping: OpenMapping, frame: Frame, calledOutline: number | null): Retraced | null => {
  const own = mapping.obfuscated(frame.module ?? '')
  if (own === null) return null
  const name = frame.function ?? ''
  const all = own.methods.get(name) ?? []
  const line = frame.lineno ?? 0
  const matching = methodsAt(all, line)
  if (matching.length === 0) return only(placeOf(mapping, own, null, name, null))
  const [innermost] = matching
  if (innermost?.isOutline === true) return { places: [], outlineLine: line, withoutInner: [] }
  const atCall = calledOutline === null ? null : (matching.at(-1)?.outlineLines?.get(calledOutline) ?? null)
  // The line of a call of shared code is one of this method, of which the mapping knows more.
  const methods = atCall === null ? matching : methodsAt(all, atCall)
  const known = methods.length === 0 ? matching : methods
  const at = atCall === null || methods.length === 0 ? line : atCall
  const places = known
    .slice(-LIMITS.PROGUARD_INLINED)
    .map((method) => placeOf(mapping, own, method.className, method.name, lineOf(method, at), method.isSynthesized))
    .toReversed()
  const written = places.filter(({ isSynthesized }) => !isSynthesized)
  return {
    places: written.length > 0 ? written : places,
    outlineLine: null,
    withoutInner: known.flatMap(({ withoutInner }) => withoutInner),
  }
}

const only = (place: Place): Retraced => ({ places: [place], outlineLine: null, withoutInner: [] })

/**
 * Methods that stand at a line, innermost first. Where the mapping has no lines, or the frame none, several methods may have
 * got one name: then their names stand together, as nobody knows which it was.
 */
const methodsAt = (all: readonly MappedMethod[], line: number): readonly MappedMethod[] => {
  const exact = line === 0 ? [] : all.filter(({ from, to }) => from > 0 && from <= line && line <= to)
  if (exact.length > 0) return exact
  const lineless = all.filter(({ from }) => from === 0)
  // Of methods that were inlined into each other the outermost is the one that was called.
  const outermost = all.filter(
    ({ from, to }, index) => from > 0 && (all[index + 1]?.from !== from || all[index + 1]?.to !== to),
  )
  const possible = lineless.length > 0 ? lineless : line === 0 ? outermost : []
  const [first] = possible
  if (first === undefined) return []
  const names = [...new Set(possible.map(({ name }) => name))]
  const isOne = possible.length === 1
  return [
    {
      ...first,
      from: isOne ? first.from : 0,
      to: isOne ? first.to : 0,
      originalFrom: isOne ? first.originalFrom : null,
      originalTo: isOne ? first.originalTo : null,
      name: names.slice(0, LIMITS.PROGUARD_POSSIBLE_METHODS).join(' | '),
    },
  ]
}

/** @returns null where nobody knows it */
const lineOf = ({ from, originalFrom, originalTo, to }: MappedMethod, line: number): number | null => {
  if (originalFrom === null || originalTo === null) return from > 0 && line > 0 ? line : null
  if (originalFrom === 0) return null
  if (originalTo === originalFrom || from === 0) return originalFrom
  if (line < from || line > to) return null
  return Math.min(originalFrom + line - from, originalTo)
}

const placeOf = (
  mapping: OpenMapping,
  own: ClassMapping,
  className: string | null,
  name: string,
  line: number | null,
  isSynthesized = false,
): Place => {
  const isOwn = className === null || className === own.original
  const sourceFile = isOwn ? own.sourceFile : (mapping.original(className)?.sourceFile ?? null)
  return { className: isOwn ? own.original : className, name, file: sourceFile, line, isSynthesized }
}

/** A file that the mapping does not name is called as its outermost class, as compilers of Java want it. */
export const fileOf = ({ className, file }: Place, frame: Frame): string => {
  if (file !== null) return file
  const simple = className.slice(className.lastIndexOf('.') + 1)
  const extension = /\.(?:java|kt)$/.exec(frame.filename ?? '')?.[0] ?? '.java'
  return `${simple.split('$')[0] ?? simple}${extension}`
}

/** The frame at a place of it; what was said of the obfuscated one stays. */
export const frameAt = (
  frame: Frame,
  place: Place,
  { mapping, ownPackage }: { readonly mapping: string; readonly ownPackage: string },
): Frame => {
  const { abs_path: _, lineno: __, ...rest } = frame
  const isOwn = ownPackage !== '' && place.className.startsWith(`${ownPackage}.`)
  return {
    ...rest,
    module: place.className,
    function: place.name,
    filename: fileOf(place, frame),
    ...(place.line === null ? {} : { lineno: place.line }),
    // The SDK knows only the names that the app has now.
    ...(isOwn ? { in_app: true } : {}),
    data: { ...frame.data, mapping, resolved_with: 'proguard', symbolicated: true },
  }
}
