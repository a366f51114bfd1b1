import { LIMITS } from '../limits.ts'

/**
 * Where each class stands in a mapping of ProGuard or R8. The text of the mapping stays as it came; this says at which bytes
 * the part of a class begins, by its name in either form, so that looking a class up reads that part and no other.
 *
 * In the file: four numbers of 32 bits (form, classes, keys, 0), the keys as 64-bit floats, then where each class begins and,
 * last, where the text ends. A key is the hash of a name times a power of two, and the number of its class: sorted keys of
 * one name stand side by side, and a hash that two names share is told apart by the text.
 */
const FORM = 1
const HEADER_BYTES = 16
const KEY_BYTES = 8
const BEGIN_BYTES = 4

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

/** Makes the index of a mapping that comes piece by piece. */
export class MappingIndexer {
  private readonly begins: number[] = []
  private readonly keys: number[] = []
  /** Bytes that were read, up to the line that is not whole yet. */
  private at = 0
  private rest: Buffer = Buffer.alloc(0)
  /** Set when the line that is not whole yet is longer than any line that counts. */
  private isSkipping = false

  /** @returns false when the mapping has more classes than are taken */
  push(piece: Buffer): boolean {
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

  /** @returns the index as it is kept, null of a text that names no class */
  end(): Buffer | null {
    if (!this.isSkipping) this.line(this.rest)
    this.at += this.rest.length
    if (this.begins.length === 0) return null
    const keys = Float64Array.from(this.keys).toSorted()
    const bytes = Buffer.alloc(HEADER_BYTES + keys.byteLength + (this.begins.length + 1) * BEGIN_BYTES)
    const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, 4)
    numbers.set([FORM, this.begins.length, keys.length, 0])
    new Float64Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, keys.length).set(keys)
    const begins = new Uint32Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES + keys.byteLength)
    begins.set([...this.begins, this.at])
    return bytes
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

/** A mapping with its index, in memory as both are kept. */
export class MappingText {
  private readonly text: Buffer
  private readonly keys: Float64Array
  private readonly begins: Uint32Array

  private constructor(text: Buffer, keys: Float64Array, begins: Uint32Array) {
    this.text = text
    this.keys = keys
    this.begins = begins
  }

  /** @returns null where the index is not of this text, or was made in another form */
  static of(text: Uint8Array, index: Uint8Array): MappingText | null {
    // Numbers of eight bytes are read at their own places only.
    const bytes = index.byteOffset % KEY_BYTES === 0 ? index : new Uint8Array(index)
    if (bytes.byteLength < HEADER_BYTES) return null
    const [form = 0, classes = 0, keyCount = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, 4)
    const beginsAt = HEADER_BYTES + keyCount * KEY_BYTES
    if (form !== FORM || bytes.byteLength !== beginsAt + (classes + 1) * BEGIN_BYTES) return null
    const keys = new Float64Array(bytes.buffer, bytes.byteOffset + HEADER_BYTES, keyCount)
    const begins = new Uint32Array(bytes.buffer, bytes.byteOffset + beginsAt, classes + 1)
    if (begins[classes] !== text.byteLength) return null
    return new MappingText(Buffer.from(text.buffer, text.byteOffset, text.byteLength), keys, begins)
  }

  get bytes(): number {
    return this.text.byteLength + this.keys.byteLength + this.begins.byteLength
  }

  /** @returns the lines of a class, the first of which names it; null for one that the mapping does not have */
  partOf(name: string, form: NameForm): string | null {
    const wanted = Buffer.from(name)
    const hash = hashOf(wanted, form)
    const first = this.firstFrom(hash * CLASSES)
    for (let at = first; at < Math.min(this.keys.length, first + SAME_HASH); at += 1) {
      const key = this.keys[at] ?? 0
      if (Math.floor(key / CLASSES) !== hash) return null
      const begin = this.begins[key % CLASSES] ?? 0
      const end = this.begins[(key % CLASSES) + 1] ?? begin
      const lineEnd = this.text.indexOf(LINE_FEED, begin)
      const line = classLine(this.text.subarray(begin, lineEnd === -1 ? end : Math.min(lineEnd, end)))
      if (line?.[form].equals(wanted) === true) {
        return this.text.toString('utf8', begin, Math.min(end, begin + LIMITS.PROGUARD_CLASS_BYTES))
      }
    }
    return null
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
