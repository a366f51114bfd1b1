import type { Frame } from '../../event/event.ts'
import type { Work } from '../../lib/work.ts'
import { LIMITS } from '../limits.ts'
import type { ClassHead, MappedMethod } from './class-mapping.ts'
import type { EventClasses } from './event-classes.ts'

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
export const retraced = (
  classes: EventClasses,
  frame: Frame,
  calledOutline: number | null,
  work: Work,
): Retraced | null => {
  const name = frame.function ?? ''
  const read = classes.methodsOf(frame.module ?? '', name)
  if (read === null) return null
  const { head: own, methods: all } = read
  work.spend(all.length)
  const line = frame.lineno ?? 0
  const matching = methodsAt(all, line)
  // A method that is not listed kept its name and its lines.
  if (matching.length === 0) return only(placeOf(classes, own, null, name, line > 0 ? line : null))
  const [innermost] = matching
  if (innermost?.isOutline === true) return { places: [], outlineLine: line, withoutInner: [] }
  const atCall = calledOutline === null ? null : (matching.at(-1)?.outlineLines?.get(calledOutline) ?? null)
  // The line of a call of shared code is one of this method, of which the mapping knows more.
  const methods = atCall === null ? matching : methodsAt(all, atCall)
  const known = methods.length === 0 ? matching : methods
  const at = atCall === null || methods.length === 0 ? line : atCall
  const places = known
    .slice(-LIMITS.PROGUARD_INLINED)
    .map((method) => placeOf(classes, own, method.className, method.name, lineOf(method, at), method.isSynthesized))
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
 * got one name: then their names stand together, as nobody knows which it was. A line that is in none of the ranges is
 * of the method that alone has the name, and nobody knows which one of its source; where several have it, it is of none.
 */
const methodsAt = (all: readonly MappedMethod[], line: number): readonly MappedMethod[] => {
  const exact = line === 0 ? [] : all.filter(({ from, to }) => from > 0 && from <= line && line <= to)
  if (exact.length > 0) return exact
  const lineless = all.filter(({ from }) => from === 0)
  // Of methods that were inlined into each other the outermost is the one that was called.
  const outermost = all.filter(
    ({ from, to }, index) => from > 0 && (all[index + 1]?.from !== from || all[index + 1]?.to !== to),
  )
  const possible = lineless.length > 0 ? lineless : outermost
  const [first] = possible
  if (first === undefined) return []
  const names = [...new Set(possible.map(({ name }) => name))]
  const isBeyond = lineless.length === 0 && line > 0
  if (isBeyond && (names.length > 1 || possible.some(({ className }) => className !== first.className))) return []
  // What was inlined into it is not known here, so there is nothing to leave out of that.
  if (possible.length === 1) return [{ ...first, withoutInner: [] }]
  const keepsLines = possible.every(({ from, originalFrom }) => from === 0 && originalFrom === null)
  const original = keepsLines ? null : UNKNOWN_LINE
  const name = names.slice(0, LIMITS.PROGUARD_POSSIBLE_METHODS).join(' | ')
  return [{ ...first, from: 0, to: 0, originalFrom: original, originalTo: original, name, withoutInner: [] }]
}

/** As the mapping says it of lines that nobody wrote. */
const UNKNOWN_LINE = 0

/** @returns null where nobody knows it */
const lineOf = ({ from, originalFrom, originalTo, to }: MappedMethod, line: number): number | null => {
  if (originalFrom === UNKNOWN_LINE || (line > 0 && from > 0 && (line < from || line > to))) return null
  // Without lines of the source they are those of the app.
  if (originalFrom === null || originalTo === null) return line > 0 ? line : null
  if (originalTo === originalFrom || from === 0) return originalFrom
  if (line === 0) return null
  return Math.min(originalFrom + line - from, originalTo)
}

const placeOf = (
  classes: EventClasses,
  own: ClassHead,
  className: string | null,
  name: string,
  line: number | null,
  isSynthesized = false,
): Place => {
  const isOwn = className === null || className === own.original
  const sourceFile = isOwn ? own.sourceFile : (classes.headOf(className, 'original')?.sourceFile ?? null)
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
