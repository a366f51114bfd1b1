import { ok, type Result } from '../../lib/result.ts'
import type { PayloadFile } from '../payload-file.ts'
import type { Limits } from './door.ts'
import type { HeldPieces } from './held-pieces.ts'
import {
  CRLF,
  HEADER_END,
  NO_END,
  NO_HEADER_END,
  NO_PART,
  readPartHeaders,
  tooManyParts,
  type Part,
} from './multipart.ts'
import type { PieceReader } from './piece-reader.ts'
import type { Stager } from './stager.ts'

interface Parts {
  readonly reader: PieceReader
  readonly held: HeldPieces
  readonly stager: Stager
  readonly limits: Limits
}

/**
 * As `parseMultipart`, of a body that comes piece by piece. What is large becomes a file.
 *
 * @param isHeld parts that are needed in memory, whatever their size
 */
export const readLargeMultipart = async (
  boundary: string,
  isHeld: (part: Pick<Part, 'name' | 'filename'>) => boolean,
  { reader, held, stager, limits }: Parts,
): Promise<Result<readonly Part[], string>> => {
  const next = Buffer.from(`${CRLF}--${boundary}`)
  if (!(await pass(reader.until(Buffer.from(`--${boundary}`))))) return NO_PART
  const parts: Part[] = []
  for (;;) {
    const lead = Buffer.concat(await all(reader.take(2)))
    if (lead.toString('latin1') === '--') return ok(parts)
    reader.push(lead)
    // With its end no more than what `parseMultipart` looks at.
    const header = await reader.before(HEADER_END, 2 * limits.MULTIPART_HEADER_BYTES - HEADER_END.length)
    const line = header.bytes.indexOf(CRLF)
    // The end of the headers begins with a line feed, which may be the first.
    const begin = line < 0 ? header.bytes.byteLength : line
    const headers = header.bytes.toString('utf8', begin)
    if (!header.isMarked || header.bytes.byteLength - begin > limits.MULTIPART_HEADER_BYTES) {
      return NO_HEADER_END
    }
    if (parts.length >= limits.MULTIPART_PARTS) return tooManyParts(limits)
    const about = readPartHeaders(headers)
    // The line feed that closes an empty part is the one that ends its headers.
    reader.push(Buffer.from(CRLF))
    const data = withoutFirst(reader.until(next), CRLF.length)
    const read = await readData(data, about.filename === null || isHeld(about), { held, stager, limits })
    if (!read.isClosed) return NO_END
    parts.push({ ...about, ...read.content })
  }
}

interface PartData {
  /** A boundary follows it. */
  readonly isClosed: boolean
  readonly content: Pick<Part, 'data' | 'file'>
}

const readData = async (
  data: AsyncGenerator<Buffer, boolean>,
  isHeld: boolean,
  { held, stager, limits }: Omit<Parts, 'reader'>,
): Promise<PartData> => {
  let bytes = 0
  const begin: Buffer[] = []
  for (let next = await data.next(); ; next = await data.next()) {
    if (next.done === true) return { isClosed: next.value, content: { data: await held.join() } }
    bytes += next.value.byteLength
    if (!isHeld && bytes > limits.STAGED_PAYLOAD_BYTES) {
      begin.push(await held.join(), next.value)
      break
    }
    held.add(next.value)
  }
  let isClosed = false
  const rest = async function* (): AsyncGenerator<Buffer> {
    yield* begin
    isClosed = yield* data
  }
  const file: PayloadFile = await stager.keep(rest())
  return { isClosed, content: { data: Buffer.alloc(0), file } }
}

const pass = async (pieces: AsyncGenerator<Buffer, boolean>): Promise<boolean> => {
  for (;;) {
    const next = await pieces.next()
    if (next.done === true) return next.value
  }
}

const all = async (pieces: AsyncIterable<Buffer>): Promise<Buffer[]> => {
  const list: Buffer[] = []
  for await (const piece of pieces) list.push(piece)
  return list
}

const withoutFirst = async function* (
  pieces: AsyncGenerator<Buffer, boolean>,
  bytes: number,
): AsyncGenerator<Buffer, boolean> {
  let left = bytes
  for (;;) {
    const next = await pieces.next()
    if (next.done === true) return next.value
    const piece = next.value.subarray(left)
    left -= next.value.byteLength - piece.byteLength
    if (piece.byteLength > 0) yield piece
  }
}
