import { DamagedBlob } from '../../lib/store-fault.ts'
import { LIMITS } from '../limits.ts'
import type { BlobFile } from './blobs.store.ts'
import { packPieces, packsWell, unpackPieces } from './packing.ts'
import type { S3Requests } from './s3-requests.ts'
import { findSource, readSource } from './source-file.ts'

/** The same bytes in pieces of `bytes`; the last one may be smaller. */
const partsOf = async function* (content: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let part = Buffer.allocUnsafe(bytes)
  let filled = 0
  for await (const piece of content) {
    for (let from = 0; from < piece.byteLength;) {
      const taken = piece.subarray(from, from + bytes - filled)
      part.set(taken, filled)
      filled += taken.byteLength
      from += taken.byteLength
      if (filled < bytes) continue
      yield part
      part = Buffer.allocUnsafe(bytes)
      filled = 0
    }
  }
  if (filled > 0) yield part.subarray(0, filled)
}

/** An object in parts appears when its last request is answered, and not before. */
const putParts = async (
  { request, drained, noBucket }: S3Requests,
  key: string,
  parts: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const begun = await request('POST', `${key}?uploads`)
  const id = /<UploadId>([^<]+)<\/UploadId>/.exec(await begun.text())?.[1]
  if (begun.status === 404 || id === undefined) throw noBucket()
  const upload = `uploadId=${encodeURIComponent(id)}`
  try {
    const etags: string[] = []
    for await (const part of parts) {
      const stored = await drained(await request('PUT', `${key}?partNumber=${etags.length + 1}&${upload}`, part))
      const etag = stored.headers.get('etag')
      if (stored.status === 404 || etag === null) throw lostUpload(key)
      etags.push(etag)
    }
    const list = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`)
    const xml = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
    const ended = await request('POST', `${key}?${upload}`, Buffer.from(xml))
    // This answer begins before it is known how it ends.
    if (/<Error>/.test(await ended.text()) || !ended.ok) throw lostUpload(key)
  } catch (error) {
    // Parts of an upload that never ends are paid for.
    await request('DELETE', `${key}?${upload}`).then(drained, () => undefined)
    throw error
  }
}

const lostUpload = (key: string): Error => new Error(`The bucket did not take all parts of ${key}.`)

/** In parts of `S3_PART_BYTES`, which is all that is held of it. */
export const putLargeFile = async (s3: S3Requests, key: string, file: BlobFile): Promise<void> => {
  if ((await s3.isThere(key)) && (await isWhole(s3, key, file.sha256))) return
  await findSource(file)
  const content = readSource(file)
  const isPacked = await packsWell(file.path, file.bytes)
  const parts = partsOf(isPacked ? packPieces(content, file.bytes) : content, LIMITS.S3_PART_BYTES)
  const first = await parts.next()
  if (first.done === true) return s3.putWhole(key, new Uint8Array(0))
  const second = await parts.next()
  if (second.done === true) return s3.putWhole(key, first.value)
  const all = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value
    yield second.value
    yield* parts
  }
  return putParts(s3, key, all())
}

/**
 * Whether an object is what its key says. It is read, piece by piece: a bucket says of what was put in parts only how
 * large it is.
 */
export const isWhole = async (s3: S3Requests, key: string, hash: string): Promise<boolean> => {
  try {
    for await (const piece of unpackPieces(readLargeObject(s3, key), hash, key)) void piece
    return true
  } catch (error) {
    if (error instanceof DamagedBlob || error instanceof ObjectGone) return false
    throw error
  }
}

/** It was there a moment before. */
class ObjectGone extends Error {
  override readonly name = 'ObjectGone'
}

/** Asked for when the first piece is wanted. A reader may take its time; the bucket may not. */
export const readLargeObject = async function* (
  { request, endpoint }: S3Requests,
  key: string,
): AsyncGenerator<Uint8Array> {
  const ending = new AbortController()
  const silence = new Error(`The bucket ${endpoint} stopped sending ${key}.`)
  const wait = (): NodeJS.Timeout => setTimeout(() => ending.abort(silence), LIMITS.S3_TIMEOUT_MS)
  let timer = wait()
  try {
    const response = await request('GET', key, undefined, ending.signal)
    if (response.status === 404 || response.body === null) {
      throw new ObjectGone(`The bucket ${endpoint} has ${key} no more.`)
    }
    for await (const piece of response.body) {
      clearTimeout(timer)
      yield piece
      timer = wait()
    }
  } finally {
    clearTimeout(timer)
    ending.abort()
  }
}
