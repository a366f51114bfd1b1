import { createHash } from 'node:crypto'
import { readBlobKey } from './blob-key.ts'
import type { BlobStore } from './blobs.store.ts'
import { packBlob, unpackBlob, unpackPieces } from './packing.ts'
import { putLargeFile, readLargeObject } from './s3-large-objects.ts'
import { createS3Requests, type S3Location } from './s3-requests.ts'
import { SourceFault } from './source-file.ts'

/** Blobs as objects of an S3-compatible bucket, under the same keys as files and packed as they are. */
export const createS3Blobs = (location: S3Location): BlobStore => {
  const s3 = createS3Requests(location)
  const { request, drained, isThere, putWhole } = s3
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
    remove: async (keys) => {
      for (const key of keys) {
        if (readBlobKey(key) !== null) await drained(await request('DELETE', key))
      }
    },
  }
}
