import { IntList } from './int-list.ts'
import { LIMITS } from '../limits.ts'
import { OriginalFunctions } from './function-map.ts'
import { NONE, type Mappings } from './mappings.ts'
import { scopesOf, type NamePart, type Scope } from './scopes.ts'
import { lineStartsOf, segmentAt } from './segment-at.ts'
import type { SourceMap } from './source-map.ts'

/**
 * Which function is around each place of the generated code, by its original name. Entry n holds from its place to that of
 * entry n + 1.
 */
export interface FunctionNames {
  readonly lines: Int32Array
  readonly columns: Int32Array
  /** Place in `names`; `NONE` outside of functions and in those without a name. */
  readonly functions: Int32Array
  readonly names: readonly string[]
}

/** Of code that is not there. */
export const NO_FUNCTIONS: FunctionNames = {
  lines: new Int32Array(0),
  columns: new Int32Array(0),
  functions: new Int32Array(0),
  names: [],
}

/** By what the map itself says, where it does: those names are the best. @param code null where it is not there */
export const functionsOf = (map: SourceMap, code: string | null): FunctionNames => {
  if (map.functionMaps.some((known) => known !== null)) return namesByOriginal(map)
  return code === null ? NO_FUNCTIONS : functionNamesOf(code, map)
}

/** A border wherever the original of a piece of code is in another function than that of the piece before. */
const namesByOriginal = ({ functionMaps, mappings }: SourceMap): FunctionNames => {
  const functions = functionMaps.map((known) => (known === null ? null : new OriginalFunctions(known)))
  const lists = { lines: new IntList(), columns: new IntList(), functions: new IntList() }
  const numbers = new Numbers()
  let last: number = NONE
  for (let segment = 0; segment < mappings.lines.length; segment++) {
    const known = functions[mappings.sources[segment] ?? NONE] ?? null
    const name = known?.at(mappings.lines[segment] ?? 0, mappings.columns[segment] ?? 0) ?? null
    const named = name === null ? NONE : numbers.of(name.slice(0, LIMITS.SOURCE_NAME_CHARACTERS))
    if (named === last) continue
    last = named
    lists.lines.push(mappings.generatedLines[segment] ?? 0)
    lists.columns.push(mappings.generatedColumns[segment] ?? 0)
    lists.functions.push(named)
  }
  return {
    lines: lists.lines.all(),
    columns: lists.columns.all(),
    functions: lists.functions.all(),
    names: numbers.all(),
  }
}

/** Each name once, by the place where it came first. */
class Numbers {
  private readonly known = new Map<string, number>()

  of(name: string): number {
    const known = this.known.get(name) ?? this.known.size
    this.known.set(name, known)
    return known
  }

  all(): readonly string[] {
    return [...this.known.keys()]
  }
}

/** None where the code is too large or cannot be parsed: its map is used all the same. */
export const functionNamesOf = (code: string, map: SourceMap): FunctionNames => {
  if (code.length > LIMITS.SCOPED_CODE_CHARACTERS) return NO_FUNCTIONS
  const scopes = scopesOf(code)
  if (scopes === null) return NO_FUNCTIONS
  const places = new Places(code)
  const originals = new OriginalNames(map, places)
  const lists = { lines: new IntList(), columns: new IntList(), functions: new IntList() }
  const numbers = new Numbers()
  const named = scopes.map(({ name }) => (name === null ? NONE : numbers.of(originals.of(name))))
  for (const { at, scope } of bordersOf(scopes)) {
    const { line, column } = places.of(at)
    lists.lines.push(line)
    lists.columns.push(column)
    lists.functions.push(scope === null ? NONE : (named[scope] ?? NONE))
  }
  return {
    lines: lists.lines.all(),
    columns: lists.columns.all(),
    functions: lists.functions.all(),
    names: numbers.all(),
  }
}

/** Where the innermost scope changes, in the order of the code. */
const bordersOf = (scopes: readonly Scope[]): { readonly at: number; readonly scope: number | null }[] => {
  const borders: { at: number; scope: number | null }[] = []
  const open: number[] = []
  const endBefore = (place: number): void => {
    for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
      const end = scopes[inner]?.end ?? 0
      if (end > place) return
      open.pop()
      borders.push({ at: end, scope: open.at(-1) ?? null })
    }
  }
  for (const [index, { start }] of scopes.entries()) {
    endBefore(start)
    borders.push({ at: start, scope: index })
    open.push(index)
  }
  endBefore(Infinity)
  return borders
}

/** Lines and columns of offsets. Lines end where JavaScript ends them. */
class Places {
  private readonly starts: number[] = [0]

  constructor(code: string) {
    for (const match of code.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) this.starts.push(match.index + match[0].length)
  }

  of(offset: number): { readonly line: number; readonly column: number } {
    let [low, high] = [0, this.starts.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.starts[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return { line: low - 1, column: offset - (this.starts[low - 1] ?? 0) }
  }
}

class OriginalNames {
  private readonly mappings: Mappings
  private readonly names: readonly string[]
  private readonly lineStarts: Int32Array
  private readonly places: Places

  constructor({ mappings, names }: SourceMap, places: Places) {
    this.mappings = mappings
    this.names = names
    this.lineStarts = lineStartsOf(mappings.generatedLines)
    this.places = places
  }

  of(parts: readonly NamePart[]): string {
    const name = parts.map((part) => (typeof part === 'string' ? part : this.ofIdentifier(part))).join('')
    return name.slice(0, LIMITS.SOURCE_NAME_CHARACTERS)
  }

  /**
   * Generators are off by one at times. TypeScript gives the name to the keyword in front: the segment before counts when
   * it comes from the same place.
   */
  private ofIdentifier({ identifier, start }: Exclude<NamePart, string>): string {
    const { generatedColumns, names } = this.mappings
    const { line, column } = this.places.of(start)
    const segment = segmentAt(this.lineStarts, generatedColumns, line, column)
    if (segment === null || (generatedColumns[segment] ?? 0) < column - 1) return identifier
    const name = names[segment] ?? NONE
    if (name !== NONE) return this.names[name] ?? identifier
    const before = segment - 1
    const isSamePlace = before >= (this.lineStarts[line] ?? 0) && this.comeFromOnePlace(before, segment)
    const nameBefore = isSamePlace ? (names[before] ?? NONE) : NONE
    return nameBefore === NONE ? identifier : (this.names[nameBefore] ?? identifier)
  }

  private comeFromOnePlace(one: number, other: number): boolean {
    const { sources, lines, columns } = this.mappings
    return sources[one] === sources[other] && lines[one] === lines[other] && columns[one] === columns[other]
  }
}
