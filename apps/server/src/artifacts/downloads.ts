import { heldBytes, notFound, type BytesReply } from '../http/index.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'
import type { FileRow } from './ledger/bundle-view.ts'

export type Downloads = ReturnType<typeof createDownloads>

/** Source code is saved and never shown as a page: a browser runs nothing of it. */
const HEADERS = {
  'content-type': 'application/octet-stream',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
}

export const createDownloads = ({ blobs }: { readonly blobs: Pick<BlobStore, 'get' | 'open'> }) => ({
  /** @throws HttpError 404 when its bytes are gone */
  of: async ({ blob_key: key, bytes: size, url }: Pick<FileRow, 'blob_key' | 'bytes' | 'url'>): Promise<BytesReply> => {
    const headers = { ...HEADERS, 'content-disposition': `attachment; filename="${nameOf(url)}"` }
    if (heldBytes(size) === size) {
      const bytes = await blobs.get(key)
      if (bytes === null) throw notFound()
      return { bytes, headers }
    }
    const pieces = await blobs.open(key)
    if (pieces === null) throw notFound()
    return { bytes: { byteLength: size, pieces }, headers }
  },
})

/** The last part of its address, of letters that are nothing but letters everywhere. */
const nameOf = (url: string): string =>
  (url.split(/[?#]/)[0] ?? '')
    .split('/')
    .at(-1)
    ?.replaceAll(/[^\w.-]+/g, '_')
    .replace(/^\.+/, '')
    .slice(-100) || 'artifact'
