import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Secrets at rest: AES-256-GCM under a key of the installation, bound to the place where they stand, so that
 * nobody who can write rows moves one to where it would be sent to somebody else.
 */

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16

/** @param place for instance the organisation's id */
export const seal = (key: Uint8Array, place: string, text: string): string => {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** @throws Error when it was sealed elsewhere, with another key, or was changed */
export const unseal = (key: Uint8Array, place: string, sealed: string): string => {
  const [version, encoded = ''] = sealed.split('.')
  if (version !== VERSION) throw new Error('A secret is sealed in a way that this version does not know.')
  const bytes = Buffer.from(encoded, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}
