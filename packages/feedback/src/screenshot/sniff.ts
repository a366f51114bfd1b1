import { MAXIMUM_DECODED_PX, MAXIMUM_DECODED_SIDE_PX } from './limits.ts'

/** What an image's first bytes say. `width` and `height` are image pixels. */
export interface ImageHeader {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif' | 'image/bmp'
  readonly width: number
  readonly height: number
}

/**
 * Type and size of an image by its content; name and MIME type of the file are never asked.
 * Null for everything else: SVG (it may carry script and other files), HTML, a header that is cut off.
 * Only headers are read, so a bomb costs nothing.
 *
 * @param bytes the beginning of the file
 */
export const sniffImage = (bytes: Uint8Array): ImageHeader | null => {
  const header =
    readPng(bytes) ?? readJpeg(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readAvif(bytes) ?? readBmp(bytes)
  return header !== null && header.width > 0 && header.height > 0 ? header : null
}

/** Would decoding take more memory than a visitor's browser should give for a picture? */
export const isBomb = ({ width, height }: { readonly width: number; readonly height: number }): boolean =>
  width > MAXIMUM_DECODED_SIDE_PX || height > MAXIMUM_DECODED_SIDE_PX || width * height > MAXIMUM_DECODED_PX

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const has = (bytes: Uint8Array, at: number, text: string): boolean => {
  if (at + text.length > bytes.length) return false
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false
  return true
}

const readPng = (bytes: Uint8Array): ImageHeader | null => {
  if (!has(bytes, 0, '\x89PNG\r\n\x1a\n') || !has(bytes, 12, 'IHDR') || bytes.length < 24) return null
  const view = viewOf(bytes)
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

/** Frames that carry the size: SOF0–SOF15 without DHT (C4), JPG (C8) and DAC (CC). */
const isStartOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

const readJpeg = (bytes: Uint8Array): ImageHeader | null => {
  if (!has(bytes, 0, '\xff\xd8\xff')) return null
  const view = viewOf(bytes)
  let at = 2
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) at += 1
    else if (isStartOfFrame(marker)) {
      return { type: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    } else at += 2 + Math.max(2, view.getUint16(at + 2))
  }
  return null
}

const readGif = (bytes: Uint8Array): ImageHeader | null => {
  if (!(has(bytes, 0, 'GIF87a') || has(bytes, 0, 'GIF89a')) || bytes.length < 10) return null
  const view = viewOf(bytes)
  return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

const readWebp = (bytes: Uint8Array): ImageHeader | null => {
  if (!has(bytes, 0, 'RIFF') || !has(bytes, 8, 'WEBP') || bytes.length < 30) return null
  const view = viewOf(bytes)
  const type = 'image/webp'
  if (has(bytes, 12, 'VP8 ')) {
    return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  }
  if (has(bytes, 12, 'VP8L')) {
    const bits = view.getUint32(21, true)
    return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!has(bytes, 12, 'VP8X')) return null
  const threeBytes = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536
  return { type, width: threeBytes(24) + 1, height: threeBytes(27) + 1 }
}

/** Boxes of the AVIF header that have the size inside. The largest `ispe` counts: thumbnails and tiles have one too. */
const readAvif = (bytes: Uint8Array): ImageHeader | null => {
  if (!has(bytes, 4, 'ftypavif') && !has(bytes, 4, 'ftypavis')) return null
  const view = viewOf(bytes)
  let width = 0
  let height = 0
  for (let at = 12; at + 16 <= bytes.length; at++) {
    if (bytes[at] !== 0x69 || !has(bytes, at, 'ispe')) continue
    width = Math.max(width, view.getUint32(at + 8))
    height = Math.max(height, view.getUint32(at + 12))
  }
  return { type: 'image/avif', width, height }
}

const readBmp = (bytes: Uint8Array): ImageHeader | null => {
  if (!has(bytes, 0, 'BM') || bytes.length < 26 || viewOf(bytes).getUint32(14, true) < 40) return null
  const view = viewOf(bytes)
  return { type: 'image/bmp', width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
}
