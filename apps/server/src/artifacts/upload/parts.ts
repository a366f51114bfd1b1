import { badRequest, type Upload } from '../../http/index.ts'
import { boundaryOf, CRLF, HEADER_END, PieceReader, readPartHeaders, type Part } from '../../ingest/index.ts'

const PART_HEADER_BYTES = 8192

const BROKEN = 'The form ends before its end, or is none. Send it as multipart/form-data, whole.'

/**
 * Parts of a form with files, each whole in memory when the one before is done with.
 *
 * @throws HttpError 400
 */
export const partsOf = async function* (
  { contentType, pieces }: Upload,
  most: { readonly parts: number; readonly partBytes: number; readonly tooLarge: string; readonly tooMany: string },
): AsyncGenerator<Part> {
  const boundary = boundaryOf(contentType)
  if (boundary === null) throw badRequest('The form names no boundary of its parts in its Content-Type.')
  const reader = new PieceReader(pieces)
  const next = Buffer.from(`${CRLF}--${boundary}`)
  const first = await reader.before(Buffer.from(`--${boundary}`), PART_HEADER_BYTES)
  // A form without parts, as some programs send it, is its end alone, or nothing.
  if (!first.isMarked) {
    if (first.bytes.byteLength === 0) return
    throw badRequest(BROKEN)
  }
  for (let count = 0; ; count += 1) {
    const lead = await reader.before(Buffer.from(CRLF), PART_HEADER_BYTES)
    if (lead.bytes.toString('latin1', 0, 2) === '--') return
    if (!lead.isMarked) throw badRequest(BROKEN)
    if (count >= most.parts) throw badRequest(most.tooMany)
    const header = await reader.before(HEADER_END, PART_HEADER_BYTES)
    if (!header.isMarked) throw badRequest(BROKEN)
    // The line feed before an empty part's boundary is the one that ends its headers.
    reader.push(Buffer.from(CRLF))
    const body = await reader.before(next, most.partBytes + CRLF.length)
    if (!body.isMarked) throw badRequest(body.bytes.byteLength > most.partBytes ? most.tooLarge : BROKEN)
    yield { ...readPartHeaders(header.bytes.toString('utf8')), data: body.bytes.subarray(CRLF.length) }
  }
}
