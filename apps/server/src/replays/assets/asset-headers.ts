import { LIMITS } from '../limits.ts'

/**
 * Headers of what strangers made: it is saved, never shown. Whoever draws it knows what it is from the list.
 *
 * @param key ends with the hash of the content
 */
export const assetHeaders = (id: number | string, key: string): Record<string, string> => ({
  'content-type': 'application/octet-stream',
  'content-disposition': `attachment; filename="asset-${id}"`,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': `private, max-age=${LIMITS.REPLAY_ASSET_CACHE_SECONDS}, immutable`,
  etag: `"${key.slice(key.indexOf('/') + 1)}"`,
})
