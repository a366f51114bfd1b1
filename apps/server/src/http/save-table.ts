import type { FileFormat } from '@firsthand/contract'
import type { BytesReply } from './bind.ts'
import { badRequest } from './errors.ts'
import { LIMITS } from './limits.ts'
import { createCsvFile, createJsonFile } from './table-file.ts'

/** All pages of a list as one file. */

export interface TablePage<Row extends object = object> {
  readonly rows: readonly Row[]
  /** What goes with the rows of a file of JSON. */
  readonly meta?: object
  /** Null after the last page. */
  readonly next: string | null
}

interface Table<Row extends object> {
  /** The file is called so: "transactions". */
  readonly name: string
  readonly format: FileFormat
  /** Of a file of CSV. */
  readonly columns: readonly string[]
  /** A row as cells of CSV, where it is not one already. */
  readonly cellsOf?: (row: Row) => object
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal
}

/**
 * @param read a page as the list answers it
 * @throws HttpError 400 when the file would be too large
 */
export const saveTable = async <Row extends object = object>(
  { name, format, columns, cellsOf = (row) => row, signal }: Table<Row>,
  read: (cursor: string | null, limit: number) => Promise<TablePage<Row>>,
): Promise<BytesReply> => {
  const file = format === 'csv' ? createCsvFile(columns) : createJsonFile()
  let page = await read(null, LIMITS.EXPORT_PAGE_ROWS)
  let rows = 0
  for (let pages = 1; ; pages += 1) {
    file.add(format === 'csv' ? page.rows.map(cellsOf) : page.rows)
    rows += page.rows.length
    if (file.bytes > LIMITS.EXPORT_BYTES) {
      throw badRequest(
        `This file would have more than ${LIMITS.EXPORT_BYTES / 1024 / 1024} MiB. Ask for a shorter time or fewer columns.`,
      )
    }
    if (page.next === null || rows >= LIMITS.EXPORT_ROWS || pages >= LIMITS.EXPORT_PAGES || signal.aborted) break
    page = await read(page.next, LIMITS.EXPORT_PAGE_ROWS)
  }
  const isTruncated = page.next !== null
  return {
    bytes: file.done({ ...page.meta, truncated: isTruncated }),
    headers: {
      'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${name}.${format}"`,
      ...(isTruncated && { 'x-export-truncated': String(rows) }),
    },
  }
}
