import { createHash } from 'node:crypto'
import { atMost } from '../../lib/at-most.ts'
import { chunks } from '../ledger/chunks.ts'
import { LIMITS } from '../limits.ts'
import { hashOfBlob, readBlobKey } from './blob-key.ts'
import type { BlobStore, NewBlob } from './blobs.store.ts'
import { packBlob, unpackBlob, unpackPieces } from './packing.ts'
import { isWhole, putLargeFile, readLargeObject } from './s3-large-objects.ts'
import { createS3Requests, type S3Location } from './s3-requests.ts'
import { SourceFault } from './source-file.ts'

/** Of an object that was put whole, most buckets have the MD5 as its tag. Where they have another one, it must be read. */
const isTagOf = (tag: string | null, bytes: Uint8Array): boolean =>
  tag === `"${createHash('md5').update(bytes).digest('hex')}"`

/** Blobs as objects of an S3-compatible bucket, under the same keys as files and packed as they are. */
export const createS3Blobs = (location: S3Location): BlobStore => {
  const s3 = createS3Requests(location)
  const { request, drained, isThere, putWhole } = s3

  /** An object of a known key may be damaged, or half of what was once put: it is written anew then. */
  const store = async (blob: NewBlob): Promise<string> => {
    const hash = hashOfBlob(blob)
    const key = `${blob.organizationId}/${hash}`
    const found = await drained(await request('HEAD', key))
    const packed = await packBlob(blob.bytes)
    const isAsPut = async ({ headers }: Response): Promise<boolean> => {
      const size = Number(headers.get('content-length'))
      // An older Firsthand stored content as it is.
      if (size !== packed.byteLength && size !== blob.bytes.byteLength) return false
      return isTagOf(headers.get('etag'), packed) || isWhole(s3, key, hash)
    }
    if (found.status === 404 || !(await isAsPut(found))) await putWhole(key, packed)
    return key
  }

  return {
    put: (blobs) => atMost(LIMITS.S3_PUTS_AT_ONCE, blobs, store),
    putFile: async (file) => {
      const key = `${file.organizationId}/${file.sha256}`
      try {
        await putLargeFile(s3, key, file)
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
      return unpackPieces(readLargeObject(s3, key), place.hash, `${location.endpoint}/${key}`)
    },
    sizes: async (keys) => {
      const sizes = new Map<string, number>()
      for (const part of chunks([...new Set(keys)], LIMITS.S3_SIZES_AT_ONCE)) {
        const answers = await Promise.all(
          part.map(async (key) => (readBlobKey(key) === null ? null : drained(await request('HEAD', key)))),
        )
        for (const [index, answer] of answers.entries()) {
          const key = part[index]
          if (key === undefined || answer === null || answer.status === 404) continue
          sizes.set(key, Number(answer.headers.get('content-length') ?? 0))
        }
      }
      return sizes
    },
    remove: async (keys) => {
      for (const key of keys) {
        if (readBlobKey(key) !== null) await drained(await request('DELETE', key))
      }
    },
  }
}
