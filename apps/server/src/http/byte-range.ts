/** What of a file is asked for: its bytes from one place to another, both included. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

const ONE_RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i

/**
 * Reads a `Range` header. Several ranges at once, and what is no range of bytes, are answered with the whole file, as
 * HTTP allows it.
 *
 * @param bytes of the whole file
 * @returns null for the whole file; `none` when the file has no such bytes
 */
export const readRange = (header: string | undefined, bytes: number): ByteRange | 'none' | null => {
  const [, first = '', last = ''] = ONE_RANGE.exec(header ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'none' : { from: bytes - length, to: bytes - 1 }
  }
  const from = Number(first)
  if (last !== '' && Number(last) < from) return null
  return from >= bytes ? 'none' : { from, to: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) }
}

/** The bytes of a range, out of the pieces of the whole. What comes behind is not read. */
export const piecesWithin = async function* (
  pieces: AsyncIterable<Uint8Array>,
  { from, to }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const piece of pieces) {
    const end = at + piece.byteLength
    if (end > from) yield piece.subarray(Math.max(0, from - at), Math.min(piece.byteLength, to + 1 - at))
    if (end > to) return
    at = end
  }
}
