import type { FunctionNames } from './function-names.ts'
import { LIMITS } from '../limits.ts'
import { NONE } from './mappings.ts'
import { lineStartsOf, segmentAt } from './segment-at.ts'
import type { SourceMap } from './source-map.ts'

/**
 * A source map as it is kept for looking things up: one run of bytes that is used as it lies there, without reading it
 * first. Numbers are 32 bits, in the order of bytes of all machines that Node runs on (little-endian).
 *
 * header · segments by line · where each comes from · lists of sources, names and functions · texts
 */

/** Rises with each change of the form: what was prepared in another form is prepared anew. */
export const PREPARED_FORM = 1

const MAGIC = 0x4d48_4601
const INT = 4

/** What the header counts, in this order, behind the magic number and the form. */
interface Counts {
  readonly lines: number
  readonly segments: number
  readonly sources: number
  readonly names: number
  readonly borders: number
  readonly functions: number
  readonly texts: number
}

const HEADER = 9

/** Where a piece of generated code comes from. Counts from zero. */
export interface OriginalPlace {
  readonly source: number
  readonly line: number
  readonly column: number
  /** The identifier that stood there: of what is called, not of the function around it. */
  readonly name: string | null
}

/** It would be larger than what is used. */
export class TooLargeToPrepare extends Error {
  override readonly name = 'TooLargeToPrepare'
}

/**
 * Lays a map out.
 *
 * @param functions of the generated code, `NO_FUNCTIONS` where it is not there
 * @throws {TooLargeToPrepare} before memory is taken for it
 */
export const prepareMap = (map: SourceMap, functions: FunctionNames): Uint8Array => {
  const { mappings } = map
  const texts = new Texts()
  const all = (list: readonly (string | null)[]): Int32Array =>
    Int32Array.from(list, (text) => (text === null ? NONE : texts.add(text)))
  const lists = [all(map.sources), all(map.contents), all(map.names), all(functions.names)]
  const starts = texts.starts()
  const lineStarts = lineStartsOf(mappings.generatedLines)
  const header = Int32Array.of(
    MAGIC,
    PREPARED_FORM,
    lineStarts.length - 1,
    mappings.generatedLines.length,
    map.sources.length,
    map.names.length,
    functions.lines.length,
    functions.names.length,
    starts.length,
  )
  const parts: readonly Int32Array[] = [
    header,
    lineStarts,
    mappings.generatedColumns,
    mappings.sources,
    mappings.lines,
    mappings.columns,
    mappings.names,
    functions.lines,
    functions.columns,
    functions.functions,
    Int32Array.from(map.sources, (_, index) => (map.ignored.has(index) ? 1 : 0)),
    ...lists,
    starts,
  ]
  const bytes = parts.reduce((sum, part) => sum + part.byteLength, texts.bytes)
  if (bytes > LIMITS.PREPARED_MAP_BYTES) throw new TooLargeToPrepare()
  const out = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    out.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at)
    at += part.byteLength
  }
  texts.copyTo(out.subarray(at))
  return out
}

/** Each text once. */
class Texts {
  private readonly known = new Map<string, number>()
  private readonly encoded: Buffer[] = []
  private size = 0

  get bytes(): number {
    return this.size
  }

  add(text: string): number {
    const known = this.known.get(text)
    if (known !== undefined) return known
    this.size += Buffer.byteLength(text)
    if (this.size > LIMITS.PREPARED_MAP_BYTES) throw new TooLargeToPrepare()
    const number = this.encoded.length
    this.known.set(text, number)
    this.encoded.push(Buffer.from(text))
    return number
  }

  /** Where each begins, and the end of the last. */
  starts(): Int32Array {
    const starts = new Int32Array(this.encoded.length + 1)
    let at = 0
    for (const [index, text] of this.encoded.entries()) {
      starts[index] = at
      at += text.length
    }
    starts[this.encoded.length] = at
    return starts
  }

  copyTo(out: Uint8Array): void {
    let at = 0
    for (const text of this.encoded) {
      out.set(text, at)
      at += text.length
    }
  }
}

/** A map that is looked into. */
export class PreparedMap {
  /** What it takes in memory, for caches that count bytes. */
  readonly bytes: number
  private readonly lineStarts: Int32Array
  private readonly generatedColumns: Int32Array
  private readonly sources: Int32Array
  private readonly lines: Int32Array
  private readonly columns: Int32Array
  private readonly names: Int32Array
  private readonly borderLines: Int32Array
  private readonly borderColumns: Int32Array
  private readonly borderFunctions: Int32Array
  private readonly ignored: Int32Array
  private readonly sourceTexts: Int32Array
  private readonly contentTexts: Int32Array
  private readonly nameTexts: Int32Array
  private readonly functionTexts: Int32Array
  private readonly textStarts: Int32Array
  private readonly texts: Buffer

  private constructor(prepared: Uint8Array, counts: Counts) {
    let at = prepared.byteOffset + HEADER * INT
    const take = (length: number): Int32Array => {
      const part = new Int32Array(prepared.buffer, at, length)
      at += part.byteLength
      return part
    }
    this.bytes = prepared.byteLength
    this.lineStarts = take(counts.lines + 1)
    this.generatedColumns = take(counts.segments)
    this.sources = take(counts.segments)
    this.lines = take(counts.segments)
    this.columns = take(counts.segments)
    this.names = take(counts.segments)
    this.borderLines = take(counts.borders)
    this.borderColumns = take(counts.borders)
    this.borderFunctions = take(counts.borders)
    this.ignored = take(counts.sources)
    this.sourceTexts = take(counts.sources)
    this.contentTexts = take(counts.sources)
    this.nameTexts = take(counts.names)
    this.functionTexts = take(counts.functions)
    this.textStarts = take(counts.texts)
    this.texts = Buffer.from(prepared.buffer, at, prepared.byteOffset + prepared.byteLength - at)
  }

  /** @returns null when the bytes are of another form, or none: what they were made of is prepared anew */
  static of(bytes: Uint8Array): PreparedMap | null {
    const aligned = bytes.byteOffset % INT === 0 ? bytes : bytes.slice()
    if (aligned.byteLength < HEADER * INT) return null
    const [magic, form, lines = 0, segments = 0, sources = 0, names = 0, borders = 0, functions = 0, texts = 0] =
      new Int32Array(aligned.buffer, aligned.byteOffset, HEADER)
    if (magic !== MAGIC || form !== PREPARED_FORM) return null
    return new PreparedMap(aligned, { lines, segments, sources, names, borders, functions, texts })
  }

  /**
   * What stood at a place of the generated code; null where the map says nothing: left of a line's first segment, beyond
   * its last line, or in code that comes from no source.
   */
  find(line: number, column: number): OriginalPlace | null {
    const segment = segmentAt(this.lineStarts, this.generatedColumns, line, column)
    const source = segment === null ? NONE : (this.sources[segment] ?? NONE)
    if (segment === null || source === NONE) return null
    const name = this.names[segment] ?? NONE
    return {
      source,
      line: this.lines[segment] ?? 0,
      column: this.columns[segment] ?? 0,
      name: name === NONE ? null : this.textOf(this.nameTexts[name]),
    }
  }

  /** The function around a place of the generated code, by its original name; null outside of any that has one. */
  functionAt(line: number, column: number): string | null {
    let [low, high] = [0, this.borderLines.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const ahead = (this.borderLines[middle] ?? 0) - line || (this.borderColumns[middle] ?? 0) - column
      if (ahead <= 0) low = middle + 1
      else high = middle
    }
    const named = low === 0 ? NONE : (this.borderFunctions[low - 1] ?? NONE)
    return named === NONE ? null : this.textOf(this.functionTexts[named])
  }

  /** How many lines of the generated code have segments: a place beyond them is of another build. */
  get lineCount(): number {
    return this.lineStarts.length - 1
  }

  segmentsOfLine(line: number): number {
    return line < 0 || line >= this.lineCount ? 0 : (this.lineStarts[line + 1] ?? 0) - (this.lineStarts[line] ?? 0)
  }

  sourceName(source: number): string {
    return this.textOf(this.sourceTexts[source]) ?? ''
  }

  isIgnored(source: number): boolean {
    return this.ignored[source] === 1
  }

  /** Null where the map has only the name. */
  sourceContent(source: number): string | null {
    return this.textOf(this.contentTexts[source])
  }

  private textOf(text: number | undefined): string | null {
    if (text === undefined || text === NONE) return null
    return this.texts.toString('utf8', this.textStarts[text] ?? 0, this.textStarts[text + 1] ?? 0)
  }
}
