import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import type { Transform } from 'node:stream'
import { err, ok, type Result } from '../../lib/result.ts'
import { joinWithin } from './byte-budget.ts'

export type Encoding = 'gzip' | 'deflate' | 'br' | 'zstd'

/** Null is identity, also for encodings that nobody knows (protocol.md 1.5). */
export const encodingOf = (header: string | undefined): Encoding | null => {
  if (header === undefined) return null
  const name = header.trim().toLowerCase()
  if (name === 'x-gzip') return 'gzip'
  return name === 'gzip' || name === 'deflate' || name === 'br' || name === 'zstd' ? name : null
}

type InflateError = 'too_large' | 'too_inflated' | 'corrupt' | 'no_room'

interface InflateBounds {
  /** Bytes that may come out. */
  readonly maxBytes: number
  /** Bytes that may come out for each byte that goes in, once more than `ratioFreeBytes` came out. */
  readonly maxRatio: number
  readonly ratioFreeBytes: number
  /** Bodies up to this size are inflated at once: for them a stream costs more than the inflating. */
  readonly atOnceBytes: number
  readonly atOnceOutputBytes: number
  /** Asked before each piece of output is kept. */
  readonly take: (bytes: number) => boolean
}

/** Memory that the window of a zstd or brotli stream may ask for: 2^24 bytes. */
const WINDOW_LOG = 24
const ZSTD_OPTIONS = { params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG } }
const STREAM_CHUNK = { chunkSize: 64 * 1024 }

/** A body that inflates beyond the ratio takes more from the server than it cost its sender. */
export const tooMuch = (
  wireBytes: number,
  { maxRatio, ratioFreeBytes }: Pick<InflateBounds, 'maxRatio' | 'ratioFreeBytes'>,
  bytes: number,
): boolean => bytes > ratioFreeBytes && bytes > wireBytes * maxRatio

/** Inflates within bounds that hold while inflating, not after it. */
export const inflate = async (
  body: Buffer,
  encoding: Encoding,
  bounds: InflateBounds,
): Promise<Result<Buffer, InflateError>> => {
  if (body.byteLength <= bounds.atOnceBytes) {
    const result = inflateAtOnce(body, encoding, Math.min(bounds.maxBytes, bounds.atOnceOutputBytes))
    if (result.ok) {
      if (tooMuch(body.byteLength, bounds, result.value.byteLength)) return err('too_inflated')
      return bounds.take(result.value.byteLength) ? result : err('no_room')
    }
    if (result.error !== 'too_large' || bounds.maxBytes <= bounds.atOnceOutputBytes) return result
  }
  return inflateAsStream(body, createDecoder(body, encoding), bounds)
}

const inflateAtOnce = (body: Buffer, encoding: Encoding, maxOutputLength: number): Result<Buffer, InflateError> => {
  try {
    return ok(decodeAtOnce(body, encoding, maxOutputLength))
  } catch (error) {
    return err(isTooLarge(error) ? 'too_large' : 'corrupt')
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

const decodeAtOnce = (body: Buffer, encoding: Encoding, maxOutputLength: number): Buffer => {
  switch (encoding) {
    case 'gzip':
      return gunzipSync(body, { maxOutputLength })
    case 'deflate':
      return hasZlibHeader(body) ? inflateSync(body, { maxOutputLength }) : inflateRawSync(body, { maxOutputLength })
    case 'br':
      return brotliDecompressSync(body, { maxOutputLength })
    case 'zstd':
      return zstdDecompressSync(body, { ...ZSTD_OPTIONS, maxOutputLength })
  }
}

/** @param body its beginning is enough */
export const createDecoder = (body: Buffer, encoding: Encoding): Transform => {
  switch (encoding) {
    case 'gzip':
      return createGunzip(STREAM_CHUNK)
    case 'deflate':
      return hasZlibHeader(body) ? createInflate(STREAM_CHUNK) : createInflateRaw(STREAM_CHUNK)
    case 'br':
      return createBrotliDecompress(STREAM_CHUNK)
    case 'zstd':
      return createZstdDecompress({ ...STREAM_CHUNK, ...ZSTD_OPTIONS })
  }
}

/** "deflate" is a zlib stream (RFC 1950), but some senders leave the header out. */
const hasZlibHeader = (body: Buffer): boolean => {
  const [first = 0, second = 0] = body
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0
}

/** The first `maxBytes` of what comes out of the beginning of a body, or less where it ends before; null when nothing can. */
export const inflateHead = (beginning: Buffer, encoding: Encoding, maxBytes: number): Promise<Buffer | null> =>
  new Promise((resolve) => {
    const decoder = createDecoder(beginning, encoding)
    const chunks: Buffer[] = []
    let total = 0
    const settle = (head: Buffer | null): void => {
      decoder.removeAllListeners('data')
      decoder.destroy()
      resolve(head)
    }
    decoder.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      total += chunk.byteLength
      if (total >= maxBytes) settle(Buffer.concat(chunks).subarray(0, maxBytes))
    })
    decoder.on('error', () => settle(null))
    // Not ended: the rest is still to come.
    decoder.write(beginning, () => settle(Buffer.concat(chunks)))
  })

const inflateAsStream = (
  body: Buffer,
  decoder: Transform,
  bounds: InflateBounds,
): Promise<Result<Buffer, InflateError>> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    let total = 0
    const stop = (error: InflateError): void => {
      decoder.removeAllListeners('data')
      decoder.destroy()
      resolve(err(error))
    }
    decoder.on('data', (chunk: Buffer) => {
      total += chunk.byteLength
      if (total > bounds.maxBytes) stop('too_large')
      else if (tooMuch(body.byteLength, bounds, total)) stop('too_inflated')
      else if (bounds.take(chunk.byteLength)) chunks.push(chunk)
      else stop('no_room')
    })
    decoder.on('error', () => stop('corrupt'))
    decoder.on('end', () => {
      const body = joinWithin(chunks, total, bounds.take)
      if (body === null) resolve(err('no_room'))
      else resolve(body instanceof Promise ? body.then(ok) : ok(body))
    })
    decoder.end(body)
  })
