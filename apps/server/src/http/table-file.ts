/** A table as a file. */

type Cells = Readonly<Record<string, unknown>>

/** A sheet would compute what begins so, and whoever sent it would have a formula in there. */
const FORMULA = /^[=+\-@\t\r]/

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const textCell = (text: string): string => quoted(FORMULA.test(text) ? `'${text}` : text)

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return textCell(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Takes rows page by page. */
export interface TableFile {
  add(rows: readonly object[]): void
  readonly bytes: number
  done(meta: object): Uint8Array
}

const createPieces = () => {
  const pieces: Buffer[] = []
  let bytes = 0
  return {
    write: (text: string): void => {
      const piece = Buffer.from(text)
      pieces.push(piece)
      bytes += piece.length
    },
    bytes: () => bytes,
    whole: () => Buffer.concat(pieces),
  }
}

/** RFC 4180. */
export const createCsvFile = (columns: readonly string[]): TableFile => {
  const pieces = createPieces()
  const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
  pieces.write(line(columns.map(textCell)))
  return {
    add: (rows) => {
      const lines = rows.map((row) => {
        const cells: Cells = { ...row }
        return line(columns.map((name) => cell(cells[name])))
      })
      pieces.write(lines.join(''))
    },
    get bytes() {
      return pieces.bytes()
    },
    done: () => pieces.whole(),
  }
}

/** `{data: […], meta}`, as the table is answered. */
export const createJsonFile = (): TableFile => {
  const pieces = createPieces()
  let isFirst = true
  pieces.write('{"data":[')
  return {
    add: (rows) => {
      for (const row of rows) {
        pieces.write(`${isFirst ? '' : ','}\n${JSON.stringify(row)}`)
        isFirst = false
      }
    },
    get bytes() {
      return pieces.bytes()
    },
    done: (meta) => {
      pieces.write(`\n],"meta":${JSON.stringify(meta)}}\n`)
      return pieces.whole()
    },
  }
}
