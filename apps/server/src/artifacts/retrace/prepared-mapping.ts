import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { LIMITS } from '../limits.ts'

/**
 * A mapping of ProGuard or R8 as it is held to look classes up in: its text in packed blocks, which take a fraction of it, and
 * where the part of each class begins, by its name in either form. Looking a class up unpacks the blocks of its part, and no
 * other.
 *
 * In the file: the blocks one behind the other, then at a multiple of eight bytes the keys as 64-bit floats, where each class
 * begins in the text and, last, where the text ends, where each block ends in the file, and four numbers of 32 bits (form,
 * classes, keys, blocks). A key is the hash of a name times a power of two, and the number of its class: sorted keys of one
 * name stand side by side, and a hash that two names share is told apart by the text.
 */
const FORM = 2
const FOOTER_BYTES = 16
const KEY_BYTES = 8
const NUMBER_BYTES = 4

/** Of the text, in each block but the last. */
const BLOCK_BYTES = 16 * 1024

/** Classes fit into so many, and a hash of 32 bits with them into a whole number of a float. */
const CLASSES = 2 ** 20

/** Names that share one hash: more of them are no accident. */
const SAME_HASH = 64

export type NameForm = 'obfuscated' | 'original'

const SEEDS: Readonly<Record<NameForm, number>> = { obfuscated: 0x811c9dc5, original: 0x050c5d1f }

/** FNV-1a over the bytes of a name. */
const hashOf = (name: Uint8Array, form: NameForm): number => {
  let hash = SEEDS[form]
  for (const byte of name) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

const LINE_FEED = 0x0a
const HASH_SIGN = 0x23
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const ARROW = Buffer.from(' -> ')

/** A line such as `com.acme.Tea -> a.b:`, which begins the part of a class. */
const classLine = (line: Buffer): { readonly original: Buffer; readonly obfuscated: Buffer } | null => {
  const first = line[0]
  if (first === undefined || first <= 0x20 || first === HASH_SIGN) return null
  const text = line.at(-1) === 0x0d ? line.subarray(0, -1) : line
  const arrow = text.indexOf(ARROW)
  if (arrow <= 0 || text.at(-1) !== 0x3a) return null
  return { original: text.subarray(0, arrow), obfuscated: text.subarray(arrow + ARROW.length, -1) }
}

/** Prepares a mapping that comes piece by piece, and writes what it is made into as far as it is done. */
export class MappingPreparer {
  private readonly write: (bytes: Uint8Array) => void
  private readonly begins: number[] = []
  private readonly keys: number[] = []
  private readonly blockEnds: number[] = []
  private written = 0
  private readonly block = Buffer.alloc(BLOCK_BYTES)
  private blockBytes = 0
  /** Bytes that were read, up to the line that is not whole yet. */
  private at = 0
  private rest: Buffer = Buffer.alloc(0)
  /** Set when the line that is not whole yet is longer than any line that counts. */
  private isSkipping = false

  constructor(write: (bytes: Uint8Array) => void) {
    this.write = write
  }

  /** @returns false when the mapping has more classes than are taken */
  push(piece: Buffer): boolean {
    this.pack(piece)
    let from = 0
    for (let end = piece.indexOf(LINE_FEED); end !== -1; end = piece.indexOf(LINE_FEED, from)) {
      const part = piece.subarray(from, end)
      if (!this.isSkipping) this.line(this.rest.length === 0 ? part : Buffer.concat([this.rest, part]))
      this.at += this.rest.length + part.length + 1
      this.rest = Buffer.alloc(0)
      this.isSkipping = false
      from = end + 1
    }
    this.keep(piece.subarray(from))
    return this.begins.length <= LIMITS.PROGUARD_CLASSES
  }

  /** @returns false for a text that names no class */
  end(): boolean {
    if (!this.isSkipping) this.line(this.rest)
    this.at += this.rest.length
    if (this.begins.length === 0) return false
    this.packBlock()
    const padding = (KEY_BYTES - (this.written % KEY_BYTES)) % KEY_BYTES
    this.write(Buffer.alloc(padding))
    this.write(bytesOf(Float64Array.from(this.keys).toSorted()))
    this.write(bytesOf(Uint32Array.from([...this.begins, this.at])))
    this.write(bytesOf(Uint32Array.from(this.blockEnds)))
    this.write(bytesOf(Uint32Array.from([FORM, this.begins.length, this.keys.length, this.blockEnds.length])))
    return true
  }

  private pack(piece: Buffer): void {
    for (let from = 0; from < piece.length;) {
      const copied = piece.copy(this.block, this.blockBytes, from)
      this.blockBytes += copied
      from += copied
      if (this.blockBytes === BLOCK_BYTES) this.packBlock()
    }
  }

  private packBlock(): void {
    if (this.blockBytes === 0) return
    const packed = zstdCompressSync(this.block.subarray(0, this.blockBytes))
    this.write(packed)
    this.written += packed.byteLength
    this.blockEnds.push(this.written)
    this.blockBytes = 0
  }

  private keep(part: Buffer): void {
    if (this.isSkipping || this.rest.length + part.length > LIMITS.PROGUARD_LINE_BYTES) {
      this.at += this.rest.length + part.length
      this.rest = Buffer.alloc(0)
      this.isSkipping = true
    } else if (part.length > 0) {
      this.rest = Buffer.concat([this.rest, part])
    }
  }

  private line(whole: Buffer): void {
    const hasMark = this.at === 0 && whole.subarray(0, 3).equals(BYTE_ORDER_MARK)
    const names = whole.length > LIMITS.PROGUARD_LINE_BYTES ? null : classLine(hasMark ? whole.subarray(3) : whole)
    if (names === null || this.begins.length > LIMITS.PROGUARD_CLASSES) return
    const number = this.begins.push(hasMark ? 3 : this.at) - 1
    this.keys.push(
      hashOf(names.obfuscated, 'obfuscated') * CLASSES + number,
      hashOf(names.original, 'original') * CLASSES + number,
    )
  }
}

const bytesOf = ({ buffer, byteLength, byteOffset }: Float64Array | Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** The part of a class, and in how many places it was looked for: names share hashes. */
interface FoundPart {
  /** The lines of a class, the first of which names it; null for one that the mapping does not have. */
  readonly text: string | null
  readonly places: number
}

/** A prepared mapping, in memory as it is kept. */
export class PreparedMapping {
  private readonly packed: Uint8Array
  private readonly keys: Float64Array
  private readonly begins: Uint32Array
  private readonly blockEnds: Uint32Array
  /** The block that was unpacked last: classes that are looked up together often stand together. */
  private last: { readonly number: number; readonly text: Buffer } | null = null

  private constructor(packed: Uint8Array, keys: Float64Array, begins: Uint32Array, blockEnds: Uint32Array) {
    this.packed = packed
    this.keys = keys
    this.begins = begins
    this.blockEnds = blockEnds
  }

  /** @returns null for what is no prepared mapping, or was prepared in another form */
  static of(given: Uint8Array): PreparedMapping | null {
    // Numbers of eight bytes are read at their own places only.
    const bytes = given.byteOffset % KEY_BYTES === 0 ? given : new Uint8Array(given)
    const size = bytes.byteLength
    if (size < FOOTER_BYTES || size % NUMBER_BYTES !== 0) return null
    const numbersAt = (at: number, count: number) => new Uint32Array(bytes.buffer, bytes.byteOffset + at, count)
    const [form = 0, classes = 0, keyCount = 0, blocks = 0] = numbersAt(size - FOOTER_BYTES, 4)
    const endsAt = size - FOOTER_BYTES - blocks * NUMBER_BYTES
    const beginsAt = endsAt - (classes + 1) * NUMBER_BYTES
    const keysAt = beginsAt - keyCount * KEY_BYTES
    if (form !== FORM || keysAt < 0 || keysAt % KEY_BYTES !== 0) return null
    const begins = numbersAt(beginsAt, classes + 1)
    const blockEnds = numbersAt(endsAt, blocks)
    const packedBytes = blockEnds[blocks - 1] ?? 0
    const isWhole = Math.ceil((begins[classes] ?? 0) / BLOCK_BYTES) === blocks && keysAt - packedBytes < KEY_BYTES
    if (!isWhole || packedBytes > keysAt) return null
    const keys = new Float64Array(bytes.buffer, bytes.byteOffset + keysAt, keyCount)
    return new PreparedMapping(bytes, keys, begins, blockEnds)
  }

  get bytes(): number {
    return this.packed.byteLength + BLOCK_BYTES
  }

  /** @param mostBytes of it */
  partOf(name: string, form: NameForm, mostBytes: number): FoundPart {
    const wanted = Buffer.from(name)
    const hash = hashOf(wanted, form)
    const first = this.firstFrom(hash * CLASSES)
    let places = 0
    for (let at = first; at < Math.min(this.keys.length, first + SAME_HASH); at += 1) {
      const key = this.keys[at] ?? 0
      if (Math.floor(key / CLASSES) !== hash) break
      places += 1
      const begin = this.begins[key % CLASSES] ?? 0
      const end = this.begins[(key % CLASSES) + 1] ?? begin
      if (classLine(this.firstLine(begin, end))?.[form].equals(wanted) !== true) continue
      const text = this.textOf(begin, Math.min(end, begin + mostBytes))
      return { text: text.toString('utf8'), places }
    }
    return { text: null, places }
  }

  private firstLine(begin: number, end: number): Buffer {
    const text = this.textOf(begin, Math.min(end, begin + LIMITS.PROGUARD_LINE_BYTES + 1))
    const lineEnd = text.indexOf(LINE_FEED)
    return lineEnd === -1 ? text : text.subarray(0, lineEnd)
  }

  private textOf(begin: number, end: number): Buffer {
    const parts: Buffer[] = []
    for (let at = begin; at < end;) {
      const number = Math.floor(at / BLOCK_BYTES)
      const from = at % BLOCK_BYTES
      const part = this.blockAt(number).subarray(from, from + end - at)
      // Shorter than it says: nothing of it is to be believed, and asking on would not end.
      if (part.length === 0) throw new Error('a prepared mapping is shorter than it says')
      parts.push(part)
      at += part.length
    }
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
  }

  private blockAt(number: number): Buffer {
    if (this.last?.number === number) return this.last.text
    const packed = this.packed.subarray(this.blockEnds[number - 1] ?? 0, this.blockEnds[number] ?? 0)
    const text = zstdDecompressSync(packed, { maxOutputLength: BLOCK_BYTES, chunkSize: BLOCK_BYTES + 1 })
    this.last = { number, text }
    return text
  }

  /** The place of the first key that is not smaller. */
  private firstFrom(key: number): number {
    let low = 0
    let high = this.keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.keys[middle] ?? 0) < key) low = middle + 1
      else high = middle
    }
    return low
  }
}
