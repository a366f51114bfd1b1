import { createReadStream } from 'node:fs'
import { createInflateRaw, crc32 } from 'node:zlib'
import type { ArchivedFile } from './zip.ts'

/** It is not what the list of its archive says. */
export class NotAsListed extends Error {}

/**
 * A file of an archive piece by piece: more than its size is never unpacked.
 *
 * @throws NotAsListed at its end, or as soon as it is too large
 */
export const unpackLarge = async function* (path: string, file: ArchivedFile): AsyncGenerator<Buffer> {
  const packed = createReadStream(path, { start: file.start, end: file.start + file.packedSize - 1 })
  const pieces: AsyncIterable<Buffer> = file.isPacked ? packed.compose(createInflateRaw()) : packed
  let size = 0
  let sum = 0
  try {
    for await (const piece of pieces) {
      size += piece.byteLength
      if (size > file.size) break
      sum = crc32(piece, sum)
      yield piece
    }
  } catch (cause) {
    throw new NotAsListed('cannot be unpacked', { cause })
  } finally {
    packed.destroy()
  }
  if (size !== file.size || sum !== file.checksum) throw new NotAsListed('another size or checksum')
}
