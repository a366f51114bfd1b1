import { IntList } from './int-list.ts'
import { LIMITS } from '../limits.ts'
import { SegmentCursor, type SegmentFault } from './segment.ts'

/**
 * Where each piece of the generated code comes from. All count from zero; columns count UTF-16 units. Entry n of each list
 * is about the same piece; they are sorted by their place in the generated code.
 */
export interface Mappings {
  readonly generatedLines: Int32Array
  readonly generatedColumns: Int32Array
  /** Place in the list of sources; `NONE` where the code comes from no source. */
  readonly sources: Int32Array
  readonly lines: Int32Array
  readonly columns: Int32Array
  /** Place in the list of names; `NONE` where nothing is named. */
  readonly names: Int32Array
}

/** Instead of the number of a source or of a name. */
export const NONE = -1

/** What of a map a text of mappings is about: the whole of it, or one section of an indexed map. */
export interface MappingsPlace {
  readonly line: number
  /** Counts for the first line only. */
  readonly column: number
  /** Where its lists begin in those of the whole. */
  readonly firstSource: number
  readonly sourceCount: number
  readonly firstName: number
  readonly nameCount: number
}

export type MappingFault =
  | SegmentFault
  | 'a position before the beginning or beyond 32 bits'
  | 'a source that is not in the list'
  | 'a name that is not in the list'
  | 'a section that begins before the end of the one before'
  | 'more mappings than are read'

const SEMICOLON = 0x3b
const MAXIMUM = 2 ** 31 - 1

/** Collects the mappings of a map. What cannot be read of them is told and left out; nothing throws. */
export class MappingsReader {
  private readonly lists = {
    generatedLines: new IntList(),
    generatedColumns: new IntList(),
    sources: new IntList(),
    lines: new IntList(),
    columns: new IntList(),
    names: new IntList(),
  }
  private isSorted = true
  private readonly note: (fault: MappingFault) => void

  /** @param note is told of a fault as often as it comes */
  constructor(note: (fault: MappingFault) => void) {
    this.note = note
  }

  /** Adds the mappings of a section; the sections come in the order of their places. */
  read(text: string, place: MappingsPlace): void {
    const cursor = new SegmentCursor(text)
    const { numbers } = cursor
    let { line, column: columnOffset } = place
    let [column, source, sourceLine, sourceColumn, name] = [0, 0, 0, 0, 0]
    for (; cursor.at < text.length; cursor.at++) {
      if (text.charCodeAt(cursor.at) === SEMICOLON) {
        line++
        column = 0
        columnOffset = 0
        continue
      }
      if (text[cursor.at] === ',') continue
      if (line > LIMITS.SOURCE_MAP_LINES || this.lists.lines.length >= LIMITS.SOURCE_MAP_SEGMENTS) {
        this.note('more mappings than are read')
        return
      }
      cursor.read()
      // Back by one: what ends a segment is looked at by the loop.
      cursor.at--
      if (cursor.fault !== null) {
        this.note(cursor.fault)
        continue
      }
      column += numbers[0] ?? 0
      if (cursor.count === 1) {
        this.add({ line, column: column + columnOffset, source: NONE, sourceLine: 0, sourceColumn: 0, name: NONE })
        continue
      }
      source += numbers[1] ?? 0
      sourceLine += numbers[2] ?? 0
      sourceColumn += numbers[3] ?? 0
      if (cursor.count === 5) name += numbers[4] ?? 0
      if (source < 0 || source >= place.sourceCount) {
        this.note('a source that is not in the list')
        continue
      }
      const isNamed = cursor.count === 5 && name >= 0 && name < place.nameCount
      if (cursor.count === 5 && !isNamed) this.note('a name that is not in the list')
      this.add({
        line,
        column: column + columnOffset,
        source: place.firstSource + source,
        sourceLine,
        sourceColumn,
        name: isNamed ? place.firstName + name : NONE,
      })
    }
  }

  all(): Mappings {
    const { lists } = this
    const mappings = {
      generatedLines: lists.generatedLines.all(),
      generatedColumns: lists.generatedColumns.all(),
      sources: lists.sources.all(),
      lines: lists.lines.all(),
      columns: lists.columns.all(),
      names: lists.names.all(),
    }
    return this.isSorted ? mappings : sorted(mappings)
  }

  private add(found: {
    line: number
    column: number
    source: number
    sourceLine: number
    sourceColumn: number
    name: number
  }): void {
    const { lists } = this
    const { line, column, source, sourceLine, sourceColumn, name } = found
    if (isOutside(column) || isOutside(sourceLine) || isOutside(sourceColumn)) {
      this.note('a position before the beginning or beyond 32 bits')
      return
    }
    if (line < lists.generatedLines.last()) {
      this.note('a section that begins before the end of the one before')
      return
    }
    if (lists.lines.length > 0 && line === lists.generatedLines.last()) {
      if (column < lists.generatedColumns.last()) this.isSorted = false
      // The same place again says nothing new.
      else if (
        source === lists.sources.last() &&
        sourceLine === lists.lines.last() &&
        sourceColumn === lists.columns.last() &&
        name === lists.names.last()
      ) {
        return
      }
    }
    lists.generatedLines.push(line)
    lists.generatedColumns.push(column)
    lists.sources.push(source)
    lists.lines.push(sourceLine)
    lists.columns.push(sourceColumn)
    lists.names.push(name)
  }
}

const isOutside = (place: number): boolean => place < 0 || place > MAXIMUM

/** Some tools write a line's segments in the order of their syntax tree. */
const sorted = (mappings: Mappings): Mappings => {
  const { generatedLines, generatedColumns } = mappings
  const order = Int32Array.from(generatedLines.keys()).sort(
    (a, b) =>
      (generatedLines[a] ?? 0) - (generatedLines[b] ?? 0) ||
      (generatedColumns[a] ?? 0) - (generatedColumns[b] ?? 0) ||
      a - b,
  )
  const reordered = (list: Int32Array): Int32Array => order.map((from) => list[from] ?? 0)
  return {
    generatedLines: reordered(generatedLines),
    generatedColumns: reordered(generatedColumns),
    sources: reordered(mappings.sources),
    lines: reordered(mappings.lines),
    columns: reordered(mappings.columns),
    names: reordered(mappings.names),
  }
}
