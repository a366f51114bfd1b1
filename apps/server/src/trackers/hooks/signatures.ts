import { createHmac, timingSafeEqual } from 'node:crypto'

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
