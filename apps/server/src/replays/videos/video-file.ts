import type { FilePieces } from '../../http/index.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'

/** What is sent of a video: its bytes come from a stranger, and nothing but their beginning says what they are. */

const startsWith = (bytes: Uint8Array, at: number, text: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', at, at + text.length) === text

/** A name of the format stands within so many bytes of a WebM file. */
const WEBM_HEAD_BYTES = 64

/** By its first bytes; null for what is none of the videos that phones record. */
export const videoType = (head: Uint8Array): 'video/mp4' | 'video/webm' | null => {
  if (startsWith(head, 4, 'ftyp')) return 'video/mp4'
  if (!startsWith(head, 0, '\x1a\x45\xdf\xa3')) return null
  return Buffer.from(head.subarray(0, WEBM_HEAD_BYTES)).includes('webm') ? 'video/webm' : null
}

/** The beginning of a blob, as far as its first piece goes; null when it is not kept any more. */
export const headOf = async (blobs: Pick<BlobStore, 'open'>, key: string): Promise<Uint8Array | null> => {
  const pieces = await blobs.open(key)
  if (pieces === null) return null
  for await (const piece of pieces) return piece
  return new Uint8Array(0)
}

/** A blob that is opened when its first piece is asked for. */
export const piecesOf = (blobs: Pick<BlobStore, 'open'>, key: string, byteLength: number): FilePieces => ({
  byteLength,
  pieces: (async function* () {
    const pieces = await blobs.open(key)
    if (pieces === null) throw new Error(`The blob ${key} went while it was about to be sent`)
    yield* pieces
  })(),
})

/**
 * Headers of a video. Whatever the bytes are, a browser can only play them: a type that is not guessed again, a sandbox
 * for whoever opens the address alone. What is none of the formats is saved, not shown.
 */
export const videoHeaders = (
  type: ReturnType<typeof videoType>,
  { key, name, cacheSeconds }: { readonly key: string; readonly name: string; readonly cacheSeconds: number },
): Record<string, string> => ({
  'content-type': type ?? 'application/octet-stream',
  'content-disposition':
    type === null ? `attachment; filename="${name}"` : `inline; filename="${name}.${type.slice('video/'.length)}"`,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': `private, max-age=${cacheSeconds}`,
  // The key ends with the hash of the content.
  etag: `"${key.slice(key.indexOf('/') + 1)}"`,
})
