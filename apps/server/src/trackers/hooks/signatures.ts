import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Compares without telling by its time how much of it is right. */
export const isEqual = (one: string, other: string): boolean => {
  const left = Buffer.from(one)
  const right = Buffer.from(other)
  return left.byteLength === right.byteLength && timingSafeEqual(left, right)
}

export const hmacHex = (secret: string, bytes: Uint8Array): string =>
  createHmac('sha256', secret).update(bytes).digest('hex')

/** @param prefix before the signature: `sha256=` */
export const isSignedHex = (given: string | undefined, prefix: string, secret: string, bytes: Uint8Array): boolean =>
  given !== undefined && secret !== '' && isEqual(given, `${prefix}${hmacHex(secret, bytes)}`)

const SECRET_BYTES = 32

export const makeHexSecret = (): string => randomBytes(SECRET_BYTES).toString('hex')

/** Before the key of a signature by https://www.standardwebhooks.com, in Base64. */
const STANDARD = 'whsec_'

export const makeStandardSecret = (): string => `${STANDARD}${randomBytes(SECRET_BYTES).toString('base64')}`

type Headers = Readonly<Record<string, string>>

/** Whether one of the signatures is right, of which there are two while the secret is changed. */
export const isSignedStandard = (headers: Headers, secret: string, bytes: Uint8Array): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures } = headers
  if (id === undefined || sentAt === undefined || signatures === undefined || !secret.startsWith(STANDARD)) return false
  const key = Buffer.from(secret.slice(STANDARD.length), 'base64')
  if (key.byteLength === 0) return false
  const right = createHmac('sha256', key).update(`${id}.${sentAt}.`).update(bytes).digest('base64')
  return signatures.split(' ').some((signature) => isEqual(signature, `v1,${right}`))
}

/** When it was signed, milliseconds since the epoch; without a time it is older than any. */
export const sentAtStandard = (headers: Headers): number => Number(headers['webhook-timestamp'] ?? 0) * 1000 || 0
