/** A place in a dump that is not there, or a number in it that cannot be. */
export class MinidumpFault extends Error {
  override readonly name = 'MinidumpFault'
}

/** Bytes of a dump, or a part of them. Whatever lies beyond their end is a `MinidumpFault`. */
export class DumpBytes {
  private readonly bytes: Uint8Array
  private readonly view: DataView
  private readonly little: boolean

  constructor(bytes: Uint8Array, little: boolean) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.little = little
  }

  get length(): number {
    return this.bytes.byteLength
  }

  has(at: number, size: number): boolean {
    return at <= this.length && size <= this.length - at
  }

  part(at: number, size: number): DumpBytes {
    return new DumpBytes(this.raw(at, size), this.little)
  }

  /** The same memory, not a copy. */
  raw(at: number, size: number): Uint8Array {
    this.need(at, size)
    return this.bytes.subarray(at, at + size)
  }

  u16(at: number): number {
    this.need(at, 2)
    return this.view.getUint16(at, this.little)
  }

  u32(at: number): number {
    this.need(at, 4)
    return this.view.getUint32(at, this.little)
  }

  u64(at: number): bigint {
    this.need(at, 8)
    return this.view.getBigUint64(at, this.little)
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
    const text = Buffer.from(this.bytes.subarray(at, at + characters))
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
