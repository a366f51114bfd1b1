/**
 * The little of MessagePack that recordings of phones come in: a map of names to bytes. Lengths are never believed: what
 * does not fit into the bytes ends the reading.
 */

/** How a value goes on behind its first byte. */
interface Head {
  /** Bytes of the value itself, behind its head. */
  readonly bytes: number
  /** Values inside of it. */
  readonly values: number
  readonly isText: boolean
}

const leaf = (bytes: number, isText = false): Head => ({ bytes, values: 0, isText })

const SIZES = [1, 2, 4] as const

class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** @throws RangeError beyond the end */
  #number(size: 1 | 2 | 4): number {
    const at = this.#at
    this.#at += size
    return size === 1 ? this.#view.getUint8(at) : size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at)
  }

  #head(): Head {
    const type = this.#number(1)
    if (type <= 0x7f || type >= 0xe0) return leaf(0)
    if (type <= 0x8f) return { bytes: 0, values: 2 * (type & 0x0f), isText: false }
    if (type <= 0x9f) return { bytes: 0, values: type & 0x0f, isText: false }
    if (type <= 0xbf) return leaf(type & 0x1f, true)
    return this.#longHead(type)
  }

  #longHead(type: number): Head {
    // Binary data, extensions and texts come in threes: with one, two and four bytes of length.
    const size = SIZES[(type - 0xc4) % SIZES.length] ?? 1
    if (type >= 0xc4 && type <= 0xc6) return leaf(this.#number(size))
    if (type >= 0xc7 && type <= 0xc9) return leaf(this.#number(size) + 1)
    if (type >= 0xd9 && type <= 0xdb) return leaf(this.#number(size), true)
    switch (type) {
      case 0xdc:
        return { bytes: 0, values: this.#number(2), isText: false }
      case 0xdd:
        return { bytes: 0, values: this.#number(4), isText: false }
      case 0xde:
        return { bytes: 0, values: 2 * this.#number(2), isText: false }
      case 0xdf:
        return { bytes: 0, values: 2 * this.#number(4), isText: false }
      default:
        return leaf(FIXED.get(type) ?? 0)
    }
  }

  /** @throws RangeError beyond the end */
  #take(length: number): Uint8Array {
    const end = this.#at + length
    if (end > this.#bytes.byteLength) throw new RangeError('beyond the end')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  /** @returns the bytes of a text or of binary data; null for any other value, which is passed over */
  value(): Uint8Array | null {
    const head = this.#head()
    const bytes = this.#take(head.bytes)
    let left = head.values
    for (; left > 0; left -= 1) {
      const inner = this.#head()
      this.#take(inner.bytes)
      left += inner.values
    }
    return head.values === 0 ? bytes : null
  }

  /** How many values a map has; null for what is none. */
  pairs(): number | null {
    const [first = 0] = this.#bytes
    const isMap = (first >= 0x80 && first <= 0x8f) || first === 0xde || first === 0xdf
    return isMap ? this.#head().values / 2 : null
  }
}

/** Types of a fixed length: numbers of several sizes and types that applications define. */
const FIXED: ReadonlyMap<number, number> = new Map([
  [0xca, 4],
  [0xcb, 8],
  [0xcc, 1],
  [0xcd, 2],
  [0xce, 4],
  [0xcf, 8],
  [0xd0, 1],
  [0xd1, 2],
  [0xd2, 4],
  [0xd3, 8],
  [0xd4, 2],
  [0xd5, 3],
  [0xd6, 5],
  [0xd7, 9],
  [0xd8, 17],
])

/** More names than a recording has parts are none of ours. */
const MOST_NAMES = 32

/** Null for anything that is no such map, or is cut off. */
export const readParts = (bytes: Uint8Array): ReadonlyMap<string, Uint8Array> | null => {
  const reader = new Reader(bytes)
  try {
    const count = reader.pairs()
    if (count === null || count > MOST_NAMES) return null
    const parts = new Map<string, Uint8Array>()
    for (let index = 0; index < count; index += 1) {
      const name = reader.value()
      const value = reader.value()
      if (name !== null && value !== null) parts.set(Buffer.from(name).toString(), value)
    }
    return parts
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
