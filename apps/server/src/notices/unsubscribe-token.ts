import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { NOTICE_KINDS, type NoticeKind } from './notice.ts'

/** What one stops by a link at the foot of a mail: one kind, or all that comes gathered. */
export type MailKind = NoticeKind | 'digest'

export interface Unsubscriber {
  readonly userId: number
  readonly kind: MailKind
}

export const MAIL_KINDS: readonly MailKind[] = [...NOTICE_KINDS, 'digest']

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * The secret in such a link. It is bound to the person and the kind, says neither of them to whoever reads it, and can be
 * made by nobody else. The same person and kind have the same one for ever: mails of years ago still can be stopped.
 *
 * @param key of the installation, 32 bytes
 */
export const unsubscribeToken = (key: Uint8Array, { userId, kind }: Unsubscriber): string => {
  const text = JSON.stringify([userId, kind])
  // Of the text itself: no two texts are sealed with the same one.
  const nonce = createHmac('sha256', key).update(text).digest().subarray(0, NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url')
}

/** Null for what we did not make. */
export const readUnsubscribeToken = (key: Uint8Array, token: string): Unsubscriber | null => {
  if (!/^[\w-]{40,120}$/.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()]).toString()
    const [userId, kind] = JSON.parse(text) as [number, string]
    const known = MAIL_KINDS.find((one) => one === kind)
    return known === undefined ? null : { userId, kind: known }
  } catch {
    // The seal is broken: somebody else wrote it.
    return null
  }
}
