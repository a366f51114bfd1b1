import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { NOTICE_KINDS, type NoticeKind } from './notice.ts'

/** What a link at the foot of a mail can stop. `digest`: all that comes gathered, in mails of before these named kinds. */
export type MailKind = NoticeKind | 'digest'

/** Whose mail is stopped, and of which kinds: those that were in it. */
export interface Unsubscriber {
  readonly userId: number
  readonly kinds: readonly MailKind[]
}

const MAIL_KINDS: readonly MailKind[] = [...NOTICE_KINDS, 'digest']

/** The kinds as one word, the same for the same ones. */
export const wordOfKinds = (kinds: readonly string[]): string =>
  MAIL_KINDS.filter((kind) => kinds.includes(kind)).join(',')

/** Null for what names no kinds, or others. */
export const kindsOfWord = (word: string): readonly MailKind[] | null => {
  const named = word.split(',')
  const kinds = MAIL_KINDS.filter((kind) => named.includes(kind))
  return kinds.length === named.length ? kinds : null
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * The secret in such a link. It is bound to the person and the kinds, says neither to whoever reads it, and can be made by
 * nobody else. The same person and kinds have the same one for ever: mails of years ago still can be stopped.
 *
 * @param key of the installation, 32 bytes
 */
export const unsubscribeToken = (key: Uint8Array, { userId, kinds }: Unsubscriber): string => {
  const text = JSON.stringify([userId, wordOfKinds(kinds)])
  // Of the text itself: no two texts are sealed with the same one.
  const nonce = createHmac('sha256', key).update(text).digest().subarray(0, NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url')
}

/** Null for what we did not make. */
export const readUnsubscribeToken = (key: Uint8Array, token: string): Unsubscriber | null => {
  if (!/^[\w-]{40,240}$/.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()]).toString()
    const [userId, word] = JSON.parse(text) as [number, string]
    const kinds = kindsOfWord(word)
    return kinds === null ? null : { userId, kinds }
  } catch {
    // The seal is broken: somebody else wrote it.
    return null
  }
}
