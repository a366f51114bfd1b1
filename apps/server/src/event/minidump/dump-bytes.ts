/** A place in a dump that is not there, or a number in it that cannot be. */
export class MinidumpFault extends Error {
  override readonly name = 'MinidumpFault'
}

/** Where the bytes of a dump are. Each range that is asked for is inside it. */
export interface DumpSource {
  readonly length: number
  /** The range begins at `offset` of `view`, which holds all of it. */
  read(at: number, size: number): { readonly view: DataView; readonly offset: number }
}

export const dumpInMemory = (bytes: Uint8Array): DumpSource => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { length: bytes.byteLength, read: (at) => ({ view, offset: at }) }
}

/** Bytes of a dump, or a part of them. Whatever lies beyond their end is a `MinidumpFault`. */
export class DumpBytes {
  readonly length: number
  private readonly source: DumpSource
  private readonly little: boolean
  private readonly begin: number

  constructor(source: DumpSource, little: boolean, begin = 0, length = source.length) {
    this.source = source
    this.little = little
    this.begin = begin
    this.length = length
  }

  has(at: number, size: number): boolean {
    return at <= this.length && size <= this.length - at
  }

  part(at: number, size: number): DumpBytes {
    this.need(at, size)
    return new DumpBytes(this.source, this.little, this.begin + at, size)
  }

  /** Of little: all of it is read. */
  raw(at: number, size: number): Uint8Array {
    this.need(at, size)
    const { view, offset } = this.source.read(this.begin + at, size)
    return new Uint8Array(view.buffer, view.byteOffset + offset, size)
  }

  u16(at: number): number {
    this.need(at, 2)
    const { view, offset } = this.source.read(this.begin + at, 2)
    return view.getUint16(offset, this.little)
  }

  u32(at: number): number {
    this.need(at, 4)
    const { view, offset } = this.source.read(this.begin + at, 4)
    return view.getUint32(offset, this.little)
  }

  u64(at: number): bigint {
    this.need(at, 8)
    const { view, offset } = this.source.read(this.begin + at, 8)
    return view.getBigUint64(offset, this.little)
  }

  /** A number of 4 or 8 bytes. */
  word(at: number, size: 4 | 8): bigint {
    return size === 8 ? this.u64(at) : BigInt(this.u32(at))
  }

  /** A text that begins with its length in bytes, in UTF-16, as a dump keeps names. At most `characters` of it. */
  string(at: number, characters: number): string {
    const size = Math.min(this.u32(at), 2 * characters) & ~1
    const codes = Buffer.from(this.raw(at + 4, size))
    return plain((this.little ? codes : codes.swap16()).toString('utf16le'))
  }

  /** A text in UTF-8 that ends with a zero, or with the bytes. */
  zeroEnded(at: number, characters: number): string {
    // Not looked for any further: thousands of entries may lead to one place with megabytes behind it.
    const text = Buffer.from(this.raw(at, Math.min(characters, this.length - at)))
    const end = text.indexOf(0)
    return plain(text.toString('utf8', 0, end === -1 ? text.byteLength : end))
  }

  private need(at: number, size: number): void {
    if (!this.has(at, size)) throw new MinidumpFault(`it ends before byte ${at + size}`)
  }
}

const plain = (text: string): string => {
  const end = text.indexOf('\0')
  return (end === -1 ? text : text.slice(0, end)).toWellFormed()
}
