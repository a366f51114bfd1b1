import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { LIMITS } from '../limits.ts'
import { StorageUnavailableError } from '../errors.ts'
import { readBlobKey } from './blob-key.ts'
import type { BlobFile, BlobStore } from './blobs.store.ts'
import { packBlob, packPieces, packsWell, unpackBlob, unpackPieces } from './packing.ts'
import { SourceFault, findSource, readSource } from './source-file.ts'

/** Where a bucket is, and who asks for it. */
export interface S3Location {
  /** Address of the bucket in path style, without a final slash. */
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

/**
 * Reads `https://<key>:<secret>@<host>/<bucket>?region=<region>` (FIRSTHAND_S3_URL).
 *
 * @throws StorageUnavailableError that says what is missing
 */
export const readS3Url = (value: string): S3Location => {
  const url = new URL(value)
  const bucket = url.pathname.replace(/^\/+|\/+$/g, '')
  const missing = [
    url.username === '' ? 'access key' : null,
    url.password === '' ? 'secret' : null,
    bucket === '' ? 'bucket' : null,
  ].filter((part) => part !== null)
  if (missing.length > 0) {
    throw new StorageUnavailableError(
      `FIRSTHAND_S3_URL names no ${missing.join(', no ')}. Write it as https://<key>:<secret>@<host>/<bucket>?region=<region>.`,
    )
  }
  return {
    endpoint: `${url.protocol}//${url.host}/${bucket}`,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
  }
}

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

/** Blobs as objects of an S3-compatible bucket, under the same keys as files and packed as they are. */
export const createS3Blobs = (location: S3Location): BlobStore => {
  const client = new AwsClient({
    accessKeyId: location.accessKeyId,
    secretAccessKey: location.secretAccessKey,
    region: location.region,
    service: 's3',
    retries: LIMITS.S3_RETRIES,
  })

  const request = async (
    method: 'HEAD' | 'GET' | 'PUT' | 'POST' | 'DELETE',
    key: string,
    body?: Uint8Array,
    signal = AbortSignal.timeout(LIMITS.S3_TIMEOUT_MS),
  ): Promise<Response> => {
    const response = await client.fetch(`${location.endpoint}/${key}`, {
      method,
      signal,
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    })
    if (response.ok || response.status === 404) return response
    const reason = (await response.text()).slice(0, 500)
    throw new StorageUnavailableError(
      `The bucket ${location.endpoint} answered ${response.status} to ${method} ${key}. Check its address, its key and its rights. ${reason}`,
    )
  }

  /** An answer that is not read keeps its connection. */
  const drained = async (response: Response): Promise<Response> => {
    await response.arrayBuffer()
    return response
  }

  const isThere = async (key: string): Promise<boolean> => (await drained(await request('HEAD', key))).status !== 404

  const noBucket = (): StorageUnavailableError =>
    new StorageUnavailableError(`The bucket ${location.endpoint} does not exist. Create it first.`)

  const putWhole = async (key: string, bytes: Uint8Array): Promise<void> => {
    const stored = await drained(await request('PUT', key, bytes))
    if (stored.status === 404) throw noBucket()
  }

  /** An object in parts appears when its last request is answered, and not before. */
  const putParts = async (key: string, parts: AsyncIterable<Uint8Array>): Promise<void> => {
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

  const lostUpload = (key: string): StorageUnavailableError =>
    new StorageUnavailableError(`The bucket ${location.endpoint} did not take all parts of ${key}.`)

  const storeFile = async (key: string, file: BlobFile): Promise<void> => {
    if (await isThere(key)) return
    await findSource(file)
    const content = readSource(file)
    const isPacked = await packsWell(file.path, file.bytes)
    const parts = partsOf(isPacked ? packPieces(content, file.bytes) : content, LIMITS.S3_PART_BYTES)
    const first = await parts.next()
    if (first.done === true) return putWhole(key, new Uint8Array(0))
    const second = await parts.next()
    if (second.done === true) return putWhole(key, first.value)
    const all = async function* (): AsyncGenerator<Uint8Array> {
      yield first.value
      yield second.value
      yield* parts
    }
    return putParts(key, all())
  }

  /** Asked for when the first piece is wanted. A reader may take its time; the bucket may not. */
  const download = async function* (key: string): AsyncGenerator<Uint8Array> {
    const ending = new AbortController()
    const silence = new StorageUnavailableError(`The bucket ${location.endpoint} stopped sending ${key}.`)
    const wait = (): NodeJS.Timeout => setTimeout(() => ending.abort(silence), LIMITS.S3_TIMEOUT_MS)
    let timer = wait()
    try {
      const response = await request('GET', key, undefined, ending.signal)
      if (response.status === 404 || response.body === null) {
        throw new StorageUnavailableError(`The bucket ${location.endpoint} has ${key} no more.`)
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

  return {
    put: async (blobs) => {
      const keys: string[] = []
      for (const { organizationId, bytes } of blobs) {
        const key = `${organizationId}/${createHash('sha256').update(bytes).digest('hex')}`
        if (!(await isThere(key))) await putWhole(key, await packBlob(bytes))
        keys.push(key)
      }
      return keys
    },
    putFile: async (file) => {
      const key = `${file.organizationId}/${file.sha256}`
      try {
        await storeFile(key, file)
        return key
      } catch (error) {
        if (error instanceof SourceFault) return null
        throw error
      }
    },
    get: async (key) => {
      const place = readBlobKey(key)
      if (place === null) return null
      const response = await request('GET', key)
      const bytes = new Uint8Array(await response.arrayBuffer())
      return response.status === 404 ? null : unpackBlob(bytes, place.hash, `${location.endpoint}/${key}`)
    },
    open: async (key) => {
      const place = readBlobKey(key)
      if (place === null || !(await isThere(key))) return null
      return unpackPieces(download(key), place.hash, `${location.endpoint}/${key}`)
    },
    remove: async (keys) => {
      for (const key of keys) {
        if (readBlobKey(key) !== null) await drained(await request('DELETE', key))
      }
    },
  }
}
