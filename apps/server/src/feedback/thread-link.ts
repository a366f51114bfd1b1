import { createHash, createHmac } from 'node:crypto'

const TOKEN_BYTES = 24
const TOKEN = /^[A-Za-z0-9_-]{32}$/

/** Path of a thread; its token follows. */
export const THREAD_PATH = '/f/'

/**
 * The secret of a report's private link. It is made of what was sent, so that the door can give it away before the report
 * is digested, and a repeated report gets the same one. Whoever only knows the id of somebody's report cannot make it: the
 * text counts too, and a link that belongs to no stored report opens nothing.
 *
 * @param key of the installation
 * @param payload of the feedback item, as received
 */
export const threadToken = (
  key: Uint8Array,
  {
    projectId,
    eventId,
    payload,
  }: { readonly projectId: number; readonly eventId: string; readonly payload: Uint8Array },
): string =>
  createHmac('sha256', key)
    .update(`${projectId}:${eventId}:`)
    .update(createHash('sha256').update(payload).digest())
    .digest()
    .subarray(0, TOKEN_BYTES)
    .toString('base64url')

/** Null for what no token looks like. */
export const readThreadToken = (text: string): string | null => (TOKEN.test(text) ? text : null)
