import { createHmac } from 'node:crypto'

/** No more mails about repairs: how somebody is recognised who wants none, and the address at which they say so. */

/** Path of the page; the token follows. */
export const UNSUBSCRIBE_PATH = '/reporters/unsubscribe/'

const TOKEN = /^(\d{1,15})-([0-9a-f]{32})$/

/**
 * The address of somebody in an organisation, keyed. Only who has the key or was sent the link knows it, so the link needs no
 * other secret.
 */
export const addressHash = (key: Uint8Array, organizationId: number, address: string): string =>
  createHmac('sha256', key).update(`${organizationId}:${address.trim().toLowerCase()}`).digest('hex').slice(0, 32)

/** The project is named so that the page can say who writes. */
export const unsubscribeToken = (projectId: number, hash: string): string => `${projectId}-${hash}`

/** Null for what no token looks like. */
export const readUnsubscribeToken = (
  text: string,
): { readonly projectId: number; readonly addressHash: string } | null => {
  const [, projectId, hash] = TOKEN.exec(text) ?? []
  return projectId === undefined || hash === undefined ? null : { projectId: Number(projectId), addressHash: hash }
}
