import { webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { StoreFault } from '../../lib/store-fault.ts'
import { LIMITS } from '../../ingest/limits.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/**
 * How blobs lie on disk or in a bucket: compressed with zstd where that gains something, else as they are. A packed blob
 * begins with these bytes and the size of its content (8 bytes, little endian). Content that begins so by itself is
 * always packed, hence no content is taken for a packed blob; what an older Firsthand wrote is content as it is.
 */
const MAGIC = Buffer.from('\0FirsthandZ1')
const PREFIX_BYTES = MAGIC.byteLength + 8

/** Gain below which a blob is stored as it is: reading it costs less then. */
const LEAST_GAIN = 0.05

/** Stronger levels take several times as long for a few percent. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** First bytes of contents that are compressed already. */
const COMPRESSED: readonly Buffer[] = [
  Buffer.from([0x89, 0x50, 0x4e, 0x47]), // PNG
  Buffer.from([0xff, 0xd8, 0xff]), // JPEG
  Buffer.from('GIF8'),
  Buffer.from([0x50, 0x4b, 0x03, 0x04]), // ZIP
  Buffer.from([0x1f, 0x8b]), // gzip
  Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), // zstd
  Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]), // xz
  Buffer.from('BZh'),
]

const startsWith = (bytes: Uint8Array, prefix: Buffer): boolean =>
  bytes.byteLength >= prefix.byteLength && prefix.every((byte, index) => bytes[index] === byte)

/** Off the main thread. */
export const packBlob = async (content: Uint8Array): Promise<Uint8Array> => {
  const mustPack = startsWith(content, MAGIC)
  if (!mustPack && (content.byteLength === 0 || COMPRESSED.some((magic) => startsWith(content, magic)))) return content
  const packed = await compress(content, LEVEL)
  const size = PREFIX_BYTES + packed.byteLength
  if (!mustPack && size > content.byteLength * (1 - LEAST_GAIN)) return content
  const prefix = Buffer.alloc(PREFIX_BYTES)
  MAGIC.copy(prefix)
  prefix.writeBigUInt64LE(BigInt(content.byteLength), MAGIC.byteLength)
  return Buffer.concat([prefix, packed], size)
}

/**
 * Never makes more than the recorded size.
 *
 * @throws Error when the packed bytes are damaged
 */
const unpack = async (stored: Uint8Array): Promise<Uint8Array> => {
  if (!startsWith(stored, MAGIC)) return stored
  const damaged = (cause?: unknown): Error => new Error('A stored blob is damaged: it cannot be unpacked.', { cause })
  if (stored.byteLength < PREFIX_BYTES) throw damaged()
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)
  const size = Number(bytes.readBigUInt64LE(MAGIC.byteLength))
  // Nothing larger comes through the door.
  if (size > LIMITS.ENVELOPE_BYTES) throw damaged()
  let content: Buffer
  try {
    content = await decompress(bytes.subarray(PREFIX_BYTES), { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    throw damaged(error)
  }
  if (content.byteLength !== size) throw damaged()
  return content
}

/** Off the main thread. */
const sha256 = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')

/**
 * The content of what is stored under its own hash. Content that is stored as it is has no other proof of being whole.
 *
 * @param place where it lies, for the log
 * @throws StoreFault when it is damaged
 */
export const unpackBlob = async (stored: Uint8Array, hash: string, place: string): Promise<Uint8Array> => {
  try {
    const content = await unpack(stored)
    if ((await sha256(content)) === hash) return content
    throw new Error('A stored blob is damaged: it is not what its name says.')
  } catch (error) {
    const cause = new Error(`${place} cannot be read`, { cause: error })
    throw new StoreFault(
      'This file is damaged where it is stored, so it is not handed out. The log of the server says which one it is; restore it from a backup.',
      { cause },
    )
  }
}
