import { IntList } from './int-list.ts'
import { NONE } from './mappings.ts'
import { SegmentCursor } from './segment.ts'

/** Which function is where in a source, as Metro writes it for React Native (`x_facebook_sources`). */
export interface FunctionMap {
  readonly names: readonly unknown[]
  readonly mappings: string
}

/** @param entry of one source: a list of what is known of it, of which this is the first */
export const functionMapOf = (entry: unknown): FunctionMap | null => {
  const first: unknown = Array.isArray(entry) ? entry[0] : null
  if (typeof first !== 'object' || first === null || !('names' in first) || !('mappings' in first)) return null
  const { mappings, names } = first
  return Array.isArray(names) && typeof mappings === 'string' ? { names: names as unknown[], mappings } : null
}

/** What Metro calls code outside of functions, and functions without a name. */
const NAMELESS = new Set(['<global>', '<anonymous>', ''])

const SEMICOLON = 0x3b
const COMMA = 0x2c

/** A source has few functions, and a map many sources. */
const USUAL_PLACES = 16

/** A function map that is looked into. */
export class OriginalFunctions {
  private readonly names: readonly unknown[]
  /** Where each begins, in order, and the place of its name. */
  private readonly lines: Int32Array
  private readonly columns: Int32Array
  private readonly numbers: Int32Array

  /**
   * Each segment says by how much the column, the name and the line go on; the column begins anew after a semicolon. From
   * where a segment cannot be read nothing more is known.
   */
  constructor({ mappings, names }: FunctionMap) {
    const [lines, columns, numbers] = [new IntList(USUAL_PLACES), new IntList(USUAL_PLACES), new IntList(USUAL_PLACES)]
    const cursor = new SegmentCursor(mappings)
    let [line, column, name] = [0, 0, 0]
    for (; cursor.at < mappings.length; cursor.at++) {
      const code = mappings.charCodeAt(cursor.at)
      if (code === SEMICOLON) column = 0
      if (code === SEMICOLON || code === COMMA) continue
      cursor.readNumbers()
      // Back by one: what ends a segment is looked at by the loop.
      cursor.at--
      if (cursor.fault !== null || cursor.count < 2) break
      const [columnsOn = 0, namesOn = 0, linesOn = 0] = cursor.numbers
      column += columnsOn
      name += namesOn
      if (cursor.count > 2) line += linesOn
      if (line < lines.last() || (line === lines.last() && column < columns.last())) break
      lines.push(line)
      columns.push(column)
      numbers.push(name)
    }
    this.names = names
    this.lines = lines.all()
    this.columns = columns.all()
    this.numbers = numbers.all()
  }

  /** The function around a place of the source, which counts from zero; null outside of any that has a name. */
  at(line: number, column: number): string | null {
    let [low, high] = [0, this.lines.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const ahead = (this.lines[middle] ?? 0) - line || (this.columns[middle] ?? 0) - column
      if (ahead <= 0) low = middle + 1
      else high = middle
    }
    const name = low === 0 ? null : this.names[this.numbers[low - 1] ?? NONE]
    return typeof name !== 'string' || NAMELESS.has(name) ? null : name
  }
}
