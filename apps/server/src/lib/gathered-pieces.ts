/** Pieces of so many bytes are kept as they came. */
const LARGE_BYTES = 16 * 1024
/** Smaller ones are copied together into buffers, the first of which has so many, and each further one twice as many, up to */
const FIRST_BUFFER_BYTES = 4 * 1024
const LAST_BUFFER_BYTES = 64 * 1024

export interface GatheredPieces {
  readonly add: (piece: Uint8Array) => void
  /** All bytes so far, in their order; never empty pieces. */
  readonly all: () => Buffer[]
  readonly bytes: () => number
}

/**
 * Keeps what comes in pieces. Whoever sends decides how small they are, and each buffer costs some hundred bytes of its own:
 * a body that is sent byte by byte would take a hundred times its size. So small pieces are put together; what comes as one
 * piece, or in large ones, is not copied.
 */
export const createGatheredPieces = (): GatheredPieces => {
  const pieces: Uint8Array[] = []
  let open: Buffer | null = null
  let filled = 0
  let bufferBytes = FIRST_BUFFER_BYTES
  let bytes = 0

  const close = (): void => {
    if (open !== null && filled > 0) pieces.push(open.subarray(0, filled))
    open = null
    filled = 0
  }
  const copy = (piece: Uint8Array): void => {
    let from = 0
    while (from < piece.byteLength) {
      if (open === null) {
        open = Buffer.allocUnsafeSlow(bufferBytes)
        bufferBytes = Math.min(bufferBytes * 2, LAST_BUFFER_BYTES)
      }
      const part = piece.subarray(from, from + open.byteLength - filled)
      open.set(part, filled)
      filled += part.byteLength
      from += part.byteLength
      if (filled === open.byteLength) close()
    }
  }

  return {
    add: (piece) => {
      bytes += piece.byteLength
      if (piece.byteLength === 0) return
      if (pieces.length > 0 || open !== null) {
        if (piece.byteLength < LARGE_BYTES) return copy(piece)
        close()
      }
      pieces.push(piece)
    },
    all: () => {
      close()
      return pieces.map((piece) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))
    },
    bytes: () => bytes,
  }
}
