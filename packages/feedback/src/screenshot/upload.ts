import { canvasOf } from './encode.ts'
import { MAXIMUM_UPLOAD_BYTES, SNIFFED_BYTES } from './limits.ts'
import { isBomb, sniffImage } from './sniff.ts'

/** Why a file cannot be a picture: names of texts. */
export type Refusal = 'notAnImage' | 'tooManyBytes' | 'tooManyPixels' | 'broken'

/**
 * A file of the visitor's as pixels: checked by content and size before decoding, first frame of an animation only,
 * turned as its EXIF says, scaled to the longest side.
 */
export const readPictureFile = async (file: Blob): Promise<HTMLCanvasElement | Refusal> => {
  const header = sniffImage(new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer()))
  if (header === null) return 'notAnImage'
  if (file.size > MAXIMUM_UPLOAD_BYTES) return 'tooManyBytes'
  if (isBomb(header)) return 'tooManyPixels'
  let bitmap: ImageBitmap
  try {
    // The sniffed type, so that a wrong MIME type neither helps nor hurts. No <img>: img-src may forbid blob: URLs.
    bitmap = await createImageBitmap(new Blob([file], { type: header.type }))
  } catch {
    return 'broken'
  }
  try {
    return isBomb(bitmap) ? 'tooManyPixels' : canvasOf(bitmap, bitmap)
  } finally {
    bitmap.close()
  }
}
