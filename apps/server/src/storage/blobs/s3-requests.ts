import { AwsClient } from 'aws4fetch'
import { StorageUnavailableError } from '../errors.ts'
import { LIMITS } from '../limits.ts'

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

export type S3Requests = ReturnType<typeof createS3Requests>

/** What the bucket is asked. */
export const createS3Requests = (location: S3Location) => {
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

  return { request, drained, isThere, putWhole, noBucket, endpoint: location.endpoint }
}
