import { createHash, webcrypto } from 'node:crypto'
import { open } from 'node:fs/promises'
import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createZstdCompress, createZstdDecompress, zstdCompress, zstdDecompress } from 'node:zlib'
import { DamagedBlob } from '../../lib/store-fault.ts'
import { LIMITS } from '../limits.ts'

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

const isCompressed = (content: Uint8Array): boolean =>
  content.byteLength === 0 || COMPRESSED.some((magic) => startsWith(content, magic))

const prefixOf = (bytes: number): Buffer => {
  const prefix = Buffer.alloc(PREFIX_BYTES)
  MAGIC.copy(prefix)
  prefix.writeBigUInt64LE(BigInt(bytes), MAGIC.byteLength)
  return prefix
}

/** Off the main thread. */
export const packBlob = async (content: Uint8Array): Promise<Uint8Array> => {
  const mustPack = startsWith(content, MAGIC)
  if (!mustPack && isCompressed(content)) return content
  const packed = await compress(content, LEVEL)
  const size = PREFIX_BYTES + packed.byteLength
  if (!mustPack && size > content.byteLength * (1 - LEAST_GAIN)) return content
  return Buffer.concat([prefixOf(content.byteLength), packed], size)
}

/** Pieces of a file by which it is told whether packing gains something: all of it would have to be packed to know. */
const SAMPLES = 3
const SAMPLE_BYTES = 256 * 1024

/** Whether a file is stored packed. */
export const packsWell = async (path: string, bytes: number): Promise<boolean> => {
  const file = await open(path, 'r')
  try {
    const samples: Buffer[] = []
    for (let index = 0; index < SAMPLES; index++) {
      const at = Math.floor((Math.max(0, bytes - SAMPLE_BYTES) * index) / (SAMPLES - 1))
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, at)
      samples.push(buffer.subarray(0, bytesRead))
    }
    const [first = Buffer.alloc(0)] = samples
    if (startsWith(first, MAGIC)) return true
    if (isCompressed(first)) return false
    const sample = Buffer.concat(samples)
    return (await compress(sample, LEVEL)).byteLength <= sample.byteLength * (1 - LEAST_GAIN)
  } finally {
    await file.close()
  }
}

/** As `packBlob`, piece by piece. @param bytes that `content` has */
export const packPieces = async function* (
  content: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  yield prefixOf(bytes)
  yield* through(content, createZstdCompress(LEVEL))
}

/** What comes out of a coder. Whoever stops reading ends all of it. */
const through = async function* (input: AsyncIterable<Uint8Array>, coder: Transform): AsyncGenerator<Buffer> {
  // What goes wrong in it is thrown where the coder is read.
  pipeline(Readable.from(input), coder, () => undefined)
  for await (const piece of coder) yield piece as Buffer
}

/**
 * Content is unpacked in one piece where its size says that it fits: in pieces of 16 kB, as is usual, 1 MB takes 3.2 ms of
 * processor time, and 1.3 ms in one. What is larger is unpacked in several, as the size may be damaged.
 */
const LEAST_PIECE_BYTES = 64
const LARGEST_PIECE_BYTES = 4 * 1024 * 1024

/**
 * Never makes more than the recorded size.
 *
 * @throws Error when the packed bytes are damaged
 */
const unpack = async (stored: Uint8Array): Promise<Uint8Array> => {
  if (!startsWith(stored, MAGIC)) return stored
  if (stored.byteLength < PREFIX_BYTES) throw damaged()
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength)
  const size = Number(bytes.readBigUInt64LE(MAGIC.byteLength))
  // Nothing larger is kept for whoever reads it whole.
  if (size > LIMITS.BLOB_WHOLE_BYTES) throw damaged()
  let content: Buffer
  try {
    content = await decompress(bytes.subarray(PREFIX_BYTES), {
      maxOutputLength: Math.max(1, size),
      // A piece that is just full would be followed by another one.
      chunkSize: Math.min(Math.max(size + 1, LEAST_PIECE_BYTES), LARGEST_PIECE_BYTES),
    })
  } catch (error) {
    throw damaged(error)
  }
  if (content.byteLength !== size) throw damaged()
  return content
}

const damaged = (cause?: unknown): Error => new Error('A stored blob is damaged: it cannot be unpacked.', { cause })

/** Off the main thread. */
const sha256 = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')

/**
 * The content of what is stored under its own hash. Content that is stored as it is has no other proof of being whole.
 *
 * @param place where it lies, for the log
 * @throws DamagedBlob
 */
export const unpackBlob = async (stored: Uint8Array, hash: string, place: string): Promise<Uint8Array> => {
  try {
    const content = await unpack(stored)
    if ((await sha256(content)) === hash) return content
    throw otherContent()
  } catch (error) {
    throw damagedBlob(place, error)
  }
}

const otherContent = (): Error => new Error('A stored blob is damaged: it is not what its name says.')

const damagedBlob = (place: string, error: unknown): DamagedBlob =>
  new DamagedBlob(
    'This file is damaged where it is stored, so it is not handed out. The log of the server says which one it is; restore it from a backup.',
    { cause: new Error(`${place} cannot be read`, { cause: error }) },
  )

/**
 * As `unpackBlob`, piece by piece. The last piece comes when all of them are known to be what was stored.
 *
 * @throws DamagedBlob when they are not; what `stored` throws
 */
export const unpackPieces = async function* (
  stored: AsyncIterable<Uint8Array>,
  hash: string,
  place: string,
): AsyncGenerator<Uint8Array> {
  let failed: { readonly error: unknown } | null = null
  const watched = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* stored
    } catch (error) {
      failed = { error }
      throw error
    }
  }
  const sum = createHash('sha256')
  let held: Uint8Array | null = null
  try {
    for await (const piece of contentOf(watched())) {
      sum.update(piece)
      if (held !== null) yield held
      held = piece
    }
    if (sum.digest('hex') !== hash) throw otherContent()
  } catch (error) {
    // A bucket that does not answer is no damage.
    throw failed === null ? damagedBlob(place, error) : error
  }
  if (held !== null) yield held
}

const contentOf = async function* (stored: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begin = Buffer.alloc(0)
  while (begin.byteLength < PREFIX_BYTES) {
    const next = await stored.next()
    if (next.done === true) break
    begin = Buffer.concat([begin, next.value])
  }
  const rest = async function* (from: number): AsyncGenerator<Uint8Array> {
    if (begin.byteLength > from) yield begin.subarray(from)
    yield* stored
  }
  if (!startsWith(begin, MAGIC)) {
    yield* rest(0)
    return
  }
  if (begin.byteLength < PREFIX_BYTES) throw damaged()
  const size = Number(begin.readBigUInt64LE(MAGIC.byteLength))
  let total = 0
  for await (const piece of through(rest(PREFIX_BYTES), createZstdDecompress())) {
    total += piece.byteLength
    if (total > size) throw damaged()
    yield piece
  }
  if (total !== size) throw damaged()
}
