import { LIMITS } from './limits.ts'
import { HttpError } from './errors.ts'

/** A body with files, for a route that reads it piece by piece. */
export interface Upload {
  /** Its `Content-Type`, which names the boundary of its parts. */
  readonly contentType: string
  /** Once. @throws HttpError 413 when it is too large, 408 when it stops coming */
  readonly pieces: AsyncIterable<Buffer>
}

const tooLarge = (): HttpError =>
  new HttpError(413, `The body is larger than ${LIMITS.API_UPLOAD_BYTES} bytes. Send its files in several calls.`)

/** @throws HttpError 415, and 413 for a body that says it is too large */
export const uploadOf = (request: Request): Upload => {
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    throw new HttpError(415, 'Send files as a form, with "Content-Type: multipart/form-data".')
  }
  if (Number(request.headers.get('content-length') ?? 0) > LIMITS.API_UPLOAD_BYTES) throw tooLarge()
  return { contentType, pieces: piecesOf(request.body) }
}

/** Nothing is read before it is asked for, so a sender waits for whoever takes what it sends. */
const piecesOf = async function* (body: ReadableStream<Uint8Array> | null): AsyncGenerator<Buffer> {
  if (body === null) return
  const reader = body.getReader()
  let size = 0
  let late = false
  try {
    for (;;) {
      const timer = setTimeout(() => {
        late = true
        // The stream is given up either way; the caller is told by the HttpError below.
        reader.cancel().catch(() => undefined)
      }, LIMITS.API_UPLOAD_IDLE_MS)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (late) throw new HttpError(408, `Nothing of the body came for ${LIMITS.API_UPLOAD_IDLE_MS} ms.`)
      if (done) return
      size += value.byteLength
      if (size > LIMITS.API_UPLOAD_BYTES) throw tooLarge()
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    }
  } finally {
    // It came whole, or was given up: that the rest is not wanted any more can fail and changes nothing.
    await reader.cancel().catch(() => undefined)
  }
}
