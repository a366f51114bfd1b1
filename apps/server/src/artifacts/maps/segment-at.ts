/** Mappings by line: the place of each line's first segment, and the end of the last line. */
export const lineStartsOf = (generatedLines: Int32Array): Int32Array => {
  const count = generatedLines.length
  const lineCount = count === 0 ? 0 : (generatedLines[count - 1] ?? 0) + 1
  const starts = new Int32Array(lineCount + 1)
  let segment = 0
  for (let line = 0; line < lineCount; line++) {
    starts[line] = segment
    while (segment < count && generatedLines[segment] === line) segment++
  }
  starts[lineCount] = segment
  return starts
}

/** The last segment of a line that does not begin behind the column; null where there is none. */
export const segmentAt = (
  lineStarts: Int32Array,
  generatedColumns: Int32Array,
  line: number,
  column: number,
): number | null => {
  if (line < 0 || line >= lineStarts.length - 1) return null
  const first = lineStarts[line] ?? 0
  let low = first
  let high = lineStarts[line + 1] ?? 0
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((generatedColumns[middle] ?? 0) <= column) low = middle + 1
    else high = middle
  }
  return low === first ? null : low - 1
}
