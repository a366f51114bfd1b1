import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { LIMITS } from '../limits.ts'
import { StorageUnavailableError } from '../errors.ts'
import { readBlobKey } from './blob-key.ts'
import type { BlobStore } from './blobs.store.ts'
import { packBlob, unpackBlob } from './packing.ts'

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
    method: 'HEAD' | 'GET' | 'PUT' | 'DELETE',
    key: string,
    body?: Uint8Array,
  ): Promise<Response> => {
    const response = await client.fetch(`${location.endpoint}/${key}`, {
      method,
      signal: AbortSignal.timeout(LIMITS.S3_TIMEOUT_MS),
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

  return {
    put: async (blobs) => {
      const keys: string[] = []
      for (const { organizationId, bytes } of blobs) {
        const key = `${organizationId}/${createHash('sha256').update(bytes).digest('hex')}`
        const known = await drained(await request('HEAD', key))
        if (known.status === 404) {
          const stored = await drained(await request('PUT', key, await packBlob(bytes)))
          if (stored.status === 404) {
            throw new StorageUnavailableError(`The bucket ${location.endpoint} does not exist. Create it first.`)
          }
        }
        keys.push(key)
      }
      return keys
    },
    get: async (key) => {
      const place = readBlobKey(key)
      if (place === null) return null
      const response = await request('GET', key)
      const bytes = new Uint8Array(await response.arrayBuffer())
      return response.status === 404 ? null : unpackBlob(bytes, place.hash, `${location.endpoint}/${key}`)
    },
    remove: async (keys) => {
      for (const key of keys) {
        if (readBlobKey(key) !== null) await drained(await request('DELETE', key))
      }
    },
  }
}
