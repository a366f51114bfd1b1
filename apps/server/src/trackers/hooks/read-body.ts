/** The bytes of a request as they came, which is what is signed; null when there are too many. */
export const readBody = async (request: Request, maxBytes: number): Promise<Uint8Array | null> => {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return null
  const pieces: Uint8Array[] = []
  let bytes = 0
  if (request.body === null) return new Uint8Array()
  for await (const piece of request.body as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength
    if (bytes > maxBytes) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
